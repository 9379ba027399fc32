import Foundation
import Testing

@Suite("The table of SiriKit's behaviours")
struct BehaviourTableTests {
    /// A row of the table.
    private struct Row {
        var behaviour: String
        var sources: [String]
        var tests: [String]
    }

    private static let all = 1...93

    private static func rows() throws -> [Int: Row] {
        let article = BehaviourCitations.package
            .appending(path: "Sources/Core/IntentRuntime/Documentation.docc/Behaviours.md")
        var rows: [Int: Row] = [:]
        for line in try String(contentsOf: article, encoding: .utf8).split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, let number = Int(cells[0]) else { continue }
            #expect(rows[number] == nil, "\(number) stands there twice")
            rows[number] = Row(behaviour: cells[1], sources: Self.code(cells[2]), tests: Self.code(cells[3]))
        }
        return rows
    }

    /// The text between back quotes.
    private static func code(_ cell: String) -> [String] {
        cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    }

    @Test("The title of a test cites each behaviour")
    func everyBehaviourIsCitedByATest() throws {
        let citations = try BehaviourCitations()
        let uncited = Set(Self.all.filter { citations.files[$0] == nil })
        #expect(uncited.isEmpty, "cite them in tests' names: \(uncited.sorted())")
        #expect(citations.files.keys.allSatisfy(Self.all.contains), "there are 93")
    }

    @Test("Each behaviour has a row with the places that implement it and the tests that cite it")
    func everyBehaviourHasARow() throws {
        let citations = try BehaviourCitations()
        let rows = try Self.rows()
        for number in Self.all {
            let row = try #require(rows[number], "there is no row for \(number)")
            #expect(!row.behaviour.isEmpty)
            for source in row.sources {
                let path = BehaviourCitations.package.appending(path: "Sources/\(source)").path
                #expect(FileManager.default.fileExists(atPath: path), "\(number): there is no Sources/\(source)")
            }
            #expect(!row.sources.isEmpty, "\(number) lives nowhere")
            #expect(!row.tests.isEmpty, "\(number) names no tests")
            let files = citations.files[number, default: []]
            for test in row.tests {
                #expect(
                    files.contains { $0.hasSuffix("/\(test).swift") },
                    "\(number): \(test) does not cite it; \(files.sorted().joined(separator: ", ")) do"
                )
            }
        }
    }

    @Test("Only the titles of tests are read; other text that cites a number is not")
    func readsTitlesOnly() {
        // Built from parts, because this file would cite them itself otherwise.
        let attribute = "@" + "Test"
        let text = """
            \(attribute)("it holds (behaviour 5)") func a() {}
            \(attribute)(
                "R2, behaviours 7, 8 and 9: it holds",
                arguments: [1]
            ) func b() { #expect(true, "behaviour 10") } // behaviour 11
            """
        #expect(BehaviourCitations.numbers(in: text) == [5, 7, 8, 9])
    }
}
