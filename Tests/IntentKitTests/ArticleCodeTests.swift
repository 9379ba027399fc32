import Foundation
import Testing

/// Compiles the code in IntentKit's articles, each piece in the place where an author would write it.
@Suite("The code in the articles compiles")
struct ArticleCodeTests {
    private static let articles = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Kit/IntentKit/Documentation.docc")

    /// The pieces of an article's Swift blocks, which are separated by blank lines.
    private static func pieces(_ article: String) throws -> [String] {
        let text = try String(contentsOf: Self.articles.appending(path: article), encoding: .utf8)
        return text.components(separatedBy: "\n```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
            .flatMap { $0.components(separatedBy: "\n\n") }
    }

    private static let intent = """
        struct Probe: Intent {
            @Parameter var name: INSpeakableString?
            @Parameter var exercise: String?
            @Parameter var weight: Double?
            @Parameter var tags: [String]?
        }
        """

    /// A piece in its place: alone, as a part of a handler, or in a part's closure.
    private static func placed(_ piece: String, _ number: Int) -> String {
        if ["struct", "enum", "func"].contains(where: { piece.hasPrefix($0) }) { return piece }
        func handler(_ parts: String) -> String {
            "struct Handler\(number): IntentHandler {\nvar handling: Handling<Probe> {\n\(parts)\n}\n}"
        }
        let handle = "Handle { _, _ in IntentResponse(code: .success) }"
        if piece.hasPrefix("Resolve") || piece.hasPrefix("UpdateStatus") { return handler("\(piece)\n\(handle)") }
        if piece.hasPrefix("Handle") { return handler(piece) }
        if piece.hasPrefix("return .needsValue") {
            let lines = piece.split(separator: "\n")
            return handler(
                """
                Resolve(\\.$exercise) { said, context in
                    let unit = said ?? "kilos"
                    \(lines[0])
                }
                Handle { intent, context in
                    let (set, exercise) = (LiftedSet(reps: 1, weight: 2), "squat")
                    \(lines[1])
                }
                """
            )
        }
        if piece.hasPrefix("let matches") {
            let start = "guard let name = said else { return .needsValue() }"
            return handler("Resolve(\\.$name) { said, context in\n\(start)\n\(piece)\n}\n\(handle)")
        }
        return handler("Handle { intent, context in\n\(piece)\n}")
    }

    @Test(
        "Every piece of code compiles",
        arguments: [("Documentation.md", 8), ("Vocabularies.md", 1), ("LongTasks.md", 5), ("FollowUps.md", 8)]
    )
    func articleCodeCompiles(article: String, count: Int) async throws {
        // A program's own entry point belongs to another module.
        let pieces = try Self.pieces(article).filter { !$0.hasPrefix("await IntentdCommand") }
        #expect(pieces.count >= count)
        let code = pieces.enumerated().map { Self.placed($1, $0) }.joined(separator: "\n")
        let output = try await CompilerMessageTests.compile("\(Self.intent)\n\(code)", after: "import IntentKit")
        #expect(output.isEmpty, "\(output)")
    }
}
