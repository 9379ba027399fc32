import Foundation
import IntentLab
import Testing

@testable import IntentCommands

/// The code that README and articles quote is built and tested, and the links resolve.
@Suite("README and articles")
struct DocumentationTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    /// The code blocks of a language.
    private static func blocks(_ language: String, in text: String) -> [String] {
        text.components(separatedBy: "\n```\(language)\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first.map { $0 + "\n" } }
    }

    private static func files(below path: String, named suffix: String) throws -> [String] {
        let folder = Self.root.appending(path: path).path
        return try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(suffix) && !$0.contains(".build/") }.sorted().map { "\(path)/\($0)" }
    }

    @Test("The README is short")
    func readmeIsShort() throws {
        #expect(try Self.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 292)
    }

    @Test(
        "The links of the README and its like lead somewhere",
        arguments: ["README.md", "SECURITY.md", "CONTRIBUTING.md", "Tests/README.md"]
    )
    func linksOfReadmeExist(path: String) throws {
        let folder = Self.root.appending(path: path).deletingLastPathComponent()
        let links = try Self.text(path).matches(of: /\]\(([^)#]+)(#[^)]*)?\)/).map { String($0.1) }
            .filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
        if path == "README.md" { #expect(links.count > 25) }
        for link in links {
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: link).path), "\(path): \(link)")
        }
    }

    @Test("Each alert leads to a section of the Runbook, and each such section is of an alert")
    func runbookHasAlerts() throws {
        let alerts = try Self.text("config/prometheus/alerts.yaml").matches(of: /- alert: (\w+)/).map { String($0.1) }
        let links = try Self.text("config/prometheus/alerts.yaml").matches(of: /runbook_url: \S+#(\w+)/)
            .map { String($0.1) }
        let runbook = try Self.text("Sources/Faces/IntentCommands/Documentation.docc/Runbook.md")
        let sections = runbook.matches(of: /\n### (Intentd\w+)\n/).map { String($0.1) }
        #expect(alerts == links && alerts.count > 10)
        #expect(Set(sections) == Set(alerts) && sections.count == alerts.count)
    }

    @Test("The README shows the intent, handler and test that `intentd init` writes")
    func readmeShowsWhatInitWrites() async throws {
        let folder = try TemporaryDirectory()
        let output = folder.file("tea")
        #expect(await RootCommand.run(["init", "OrderTea", "--output", output]) == 0)
        let written = try FileManager.default.subpathsOfDirectory(atPath: output).filter { $0.hasSuffix(".swift") }
            .map { try String(contentsOfFile: "\(output)/\($0)", encoding: .utf8) }
        let quoted = Self.blocks("swift", in: try Self.text("README.md"))
        #expect(quoted.count == 3)
        for block in quoted { #expect(written.contains { $0.contains(block) }, "init does not write:\n\(block)") }
    }

    @Test(
        "The code of the tutorials is in the example package, line for line",
        arguments: [
            "FirstIntent", "ResolvingWithChoices", "Effects", "TestingHandlers", "ReplayingConversations", "ThreeWays",
        ]
    )
    func tutorialsMatchExamplePackage(name: String) throws {
        let sources = try Self.files(below: "Tests/Examples/SetsAndReps", named: ".swift").map(Self.text)
        let blocks = Self.blocks("swift", in: try Self.text("Sources/Kit/IntentKit/Documentation.docc/\(name).md"))
        #expect(!blocks.isEmpty)
        for block in blocks {
            #expect(sources.contains { $0.contains(block) }, "no file of the example has:\n\(block)")
        }
    }

    @Test(
        "The code of the vet's article is in its example package, line for line",
        arguments: [("swift", "swift", 15), ("python", "py", 3), ("yaml", "yaml", 2), ("json", "jsonl", 1)]
    )
    func vetArticleMatchesExamplePackage(language: String, suffix: String, count: Int) throws {
        let sources = try Self.files(below: "Tests/Examples/Vet", named: ".\(suffix)").map(Self.text)
        let article = try Self.text("Sources/Kit/IntentKit/Documentation.docc/RealIntent.md")
        let blocks = Self.blocks(language, in: article)
        #expect(blocks.count >= count)
        for block in blocks {
            #expect(sources.contains { $0.contains(block) }, "no file of the example has:\n\(block)")
        }
    }

    @Test("Links between articles of different targets lead somewhere")
    func linksBetweenArticlesExist() throws {
        var count = 0
        for article in try Self.files(below: "Sources", named: ".md") where article.contains(".docc/") {
            let folder = Self.root.appending(path: article).deletingLastPathComponent()
            for match in try Self.text(article).matches(of: /\]\((\.\.[^)]+)\)/) {
                let link = folder.appending(path: String(match.1)).standardized.path
                #expect(FileManager.default.fileExists(atPath: link), "\(article): \(match.1)")
                count += 1
            }
        }
        #expect(count > 10)
    }

    @Test("The glossary has twenty-five words at most")
    func glossaryHasAtMostTwentyFiveWords() throws {
        let glossary = try Self.text("Sources/Core/IntentRuntime/Documentation.docc/Glossary.md")
        let words = glossary.matches(of: /(?m)^\| \*\*/)
        #expect((10...25).contains(words.count))
    }
}
