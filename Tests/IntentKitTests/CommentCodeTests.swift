import Foundation
import IntentKit
import Testing

/// Holds the code in doc comments to what it says: it compiles, or it is in a package that is built and tested.
@Suite("The code in doc comments compiles")
struct CommentCodeTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// The modules whose code is compiled here; that of the others is built on more than their modules.
    private static let compiled = ["IntentKit", "SiriKitIntents"]

    private struct Block {
        var module: String
        var file: String
        var language: String
        var code: String
    }

    /// The Swift files below a folder.
    private static func files(_ folder: String) throws -> [URL] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.root.appending(path: folder).path)
        return names.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }.sorted()
            .map { Self.root.appending(path: folder).appending(path: $0) }
    }

    /// The blocks of code in all doc comments.
    private static let blocks: Result<[Block], any Error> = Result {
        try Self.files("Sources")
            .flatMap { file -> [Block] in
                var blocks: [Block] = []
                var open: (language: String, lines: [String])?
                for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                    let text = line.drop { $0 == " " }
                    guard text.hasPrefix("///") else { continue }
                    let said = String(text.dropFirst(text.hasPrefix("/// ") ? 4 : 3))
                    if !said.hasPrefix("```") {
                        open?.lines.append(said)
                    } else if let block = open {
                        let path = file.path.dropFirst(Self.root.path.count + 1)
                        blocks.append(
                            Block(
                                module: String(path.split(separator: "/")[2]),
                                file: String(path),
                                language: block.language,
                                code: block.lines.joined(separator: "\n")
                            )
                        )
                        open = nil
                    } else {
                        open = (String(said.dropFirst(3)), [])
                    }
                }
                return blocks
            }
    }

    @Test("Each block names its language and leaves nothing out")
    func blocksNameLanguageAndAreComplete() throws {
        let blocks = try Self.blocks.get()
        #expect(blocks.count > 25)
        for block in blocks {
            #expect(["swift", "json"].contains(block.language), "\(block.file): \(block.language)")
            #expect(!block.code.contains("…"), "\(block.file)")
            if block.language == "json" {
                #expect(throws: Never.self, "\(block.file)") { try JSONValue(parsing: Array(block.code.utf8)) }
            }
        }
    }

    @Test("Each block of the modules for authors compiles, in the place where an author would write it")
    func authorBlocksCompileInPlace() async throws {
        let blocks = try Self.blocks.get().filter { $0.language == "swift" && Self.compiled.contains($0.module) }
        #expect(blocks.count > 15)
        let code = blocks.enumerated().map { "// \($1.file)\n\(Self.placed($1.code, $0))" }.joined(separator: "\n")
        let output = try await CompilerMessageTests.compile(
            "\(Self.surroundings)\n\(code)",
            after: "import IntentKit\nimport SiriKitIntents"
        )
        #expect(!output.contains("error: "), "\(output)")
    }

    @Test("Each line of the other modules' blocks appears in an example package")
    func otherBlocksAppearInExamples() throws {
        let lines = try Set(
            Self.files("Tests/Examples")
                .flatMap { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") }
                .map { $0.trimmingCharacters(in: .whitespaces) }
        )
        let blocks = try Self.blocks.get().filter { $0.language == "swift" && !Self.compiled.contains($0.module) }
        #expect(Set(blocks.map(\.module)) == ["IntentCommands", "IntentTesting"])
        for block in blocks {
            for line in block.code.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
                #expect(lines.contains(line), "\(block.file): \(line)")
            }
        }
    }

    /// What the blocks speak of.
    private static let surroundings = """
        struct LogSet: Intent {
            enum Code: String, IntentResponseCode { case ready, success, failure }
            @Parameter var exercise: String?
            @Parameter var reps: Int?
            @Parameter var weight: Double?
            @Parameter var dog: Dog?
        }
        struct Dog: EntityValue {
            static let typeName = "dog"
            var identifier: String?
            var name: String
            var breed: String?
            init(spokenPhrase: String) { self.name = spokenPhrase }
            var displayRepresentation: DisplayRepresentation? { nil }
        }
        enum WeightReason: Int, UnsupportedReason { case beyondHumanStrength = 1 }
        struct UCSendMessageIntentHandler: IntentHandler {
            var handling: Handling<INSendMessageIntent> { Handle { _, _ in IntentResponse(code: .success) } }
        }
        struct Message { var content = "Hello" }
        struct TableService: Sendable { func book(_ table: Int, key: String) async throws -> String { key } }
        struct Booking: Codable, Sendable { var id = "f1" }
        struct Receipt: Codable, Sendable {}
        struct Airline: Sendable {
            func fares(on day: String) async throws -> [Int] { [99] }
            func cancel(_ id: String, key: String) async throws -> Receipt { Receipt() }
        }
        extension IntentHandler { var airline: Airline { Airline() } }
        struct BookTaxi: Intent { @Parameter var destination: String? }
        extension IntentHandler { var exercises: [String] { ["squat"] } }
        """

    /// A block in its place: a handler with its part, the body of a part, a member of a type, or statements.
    private static func placed(_ code: String, _ number: Int) -> String {
        func handler(_ parts: String) -> String {
            "struct Handler\(number): IntentHandler {\nvar handling: Handling<LogSet> {\n\(parts)\n}\n}"
        }
        let handle = "Handle { _, _ in IntentResponse(code: .success) }"
        let parts = ["Resolve(", "Confirm {", "AppResponded {", "UpdateStatus(", "Undo("]
        if parts.contains(where: code.hasPrefix) { return handler("\(code)\n\(handle)") }
        if code.hasPrefix("Handle {") { return handler(code) }
        if code.hasPrefix("@Parameter") { return "struct Intent\(number): Intent {\n\(code)\n}" }
        if code.hasPrefix("func ") { return "struct Type\(number) {\n\(code)\n}" }
        if code.hasPrefix("return .needsValue") {
            return handler("Resolve(\\.$exercise) { said, context in\nlet unit = said ?? \"\"\n\(code)\n}\n\(handle)")
        }
        if code.hasPrefix("return IntentResponse(code: .ready") {
            return handler("Confirm { intent, context in\nlet reps = intent.reps ?? 0\n\(code)\n}\n\(handle)")
        }
        if "\n\(code)".contains("\nreturn ") { return handler("Handle { intent, context in\n\(code)\n}") }
        return """
            func statements\(number)(
                _ context: TurnContext, _ store: any StoreTransaction, user: String, name: INSpeakableString, message: Message,
                service: TableService, table: Int, airline: Airline, day: String
            ) async throws {
            \(code)
            }
            """
    }
}
