import Foundation
import Testing

/// What the article says of other systems: their code is compiled as far as it can be here, and its lines are counted.
@Suite("The article with the vet elsewhere")
struct SideBySideTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let python = "/usr/bin/python3"

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    private static func article() throws -> String {
        try Self.text("Sources/Kit/IntentKit/Documentation.docc/SideBySide.md")
    }

    /// The article's blocks of code: App Intents', Temporal's, Lex's.
    private static func blocks() throws -> [String] {
        try Self.article().matches(of: /(?ms)^```(?:python)?\n(.*?)\n```$/).map { String($0.1) }
    }

    /// App Intents, and the app's own types.
    private static let appIntents = """
        import Foundation
        struct LocalizedStringResource: ExpressibleByStringInterpolation, Sendable { init(stringLiteral: String) {} }
        struct TypeDisplayRepresentation: ExpressibleByStringLiteral, Sendable { init(stringLiteral: String) {} }
        struct DisplayRepresentation: ExpressibleByStringLiteral, Sendable {
            init(stringLiteral: String) {}
            init(
                title: LocalizedStringResource,
                subtitle: LocalizedStringResource? = nil,
                synonyms: [LocalizedStringResource] = []
            ) {}
        }
        struct IntentDialog: ExpressibleByStringInterpolation { init(stringLiteral: String) {} }
        struct ConfirmationActionName { static let book = Self() }
        struct AppIntentError: Error {}
        protocol AppEnum: RawRepresentable, CaseIterable, Hashable, Sendable {
            static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
            static var caseDisplayRepresentations: [Self: DisplayRepresentation] { get }
        }
        protocol EntityStringQuery: Sendable {
            associatedtype Entity: AppEntity
            func entities(for identifiers: [String]) async throws -> [Entity]
            func entities(matching string: String) async throws -> [Entity]
            func suggestedEntities() async throws -> [Entity]
        }
        protocol AppEntity: Identifiable, Sendable {
            associatedtype Query: EntityStringQuery
            static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
            static var defaultQuery: Query { get }
            var displayRepresentation: DisplayRepresentation { get }
        }
        protocol IntentResult {}
        protocol ProvidesDialog {}
        struct DialogResult: IntentResult, ProvidesDialog {}
        extension IntentResult where Self == DialogResult { static func result(dialog: IntentDialog) -> Self { Self() } }
        protocol AppIntent {
            associatedtype Result: IntentResult
            static var title: LocalizedStringResource { get }
            init()
            func perform() async throws -> Result
        }
        extension AppIntent {
            func requestConfirmation(actionName: ConfirmationActionName, dialog: IntentDialog) async throws {}
        }
        @propertyWrapper struct Parameter<Value> {
            var wrappedValue: Value { fatalError() }
            var projectedValue: Self { self }
            init(title: LocalizedStringResource, requestValueDialog: IntentDialog? = nil) {}
            func needsValueError(_ dialog: IntentDialog? = nil) -> AppIntentError { AppIntentError() }
            func needsDisambiguationError(among values: [Value], dialog: IntentDialog? = nil) -> AppIntentError {
                AppIntentError()
            }
        }
        @propertyWrapper struct Dependency<Value: Sendable>: Sendable { var wrappedValue: Value { fatalError() } }
        struct EmergencyError: Error {}
        struct Practice: Sendable {
            func pets() async throws -> [Pet] { [] }
            func isOpen(at time: Date) -> Bool { true }
            func free(on day: Date) async throws -> [Date] { [] }
            func doctor(at time: Date) -> String { "" }
            func book(_ pet: Pet, _ service: Service, at time: Date) async throws {}
        }
        extension Service { var price: Int { 42 } }
        """

    @Test("App Intents' version compiles")
    func appIntentsVersionCompiles() async throws {
        let block = try #require(try Self.blocks().first)
        let output = try await CompilerMessageTests.compile(block, after: Self.appIntents)
        #expect(output.isEmpty, "\(output)")
    }

    @Test(
        "Temporal's and Lex's versions are Python",
        .enabled(if: FileManager.default.isExecutableFile(atPath: Self.python)),
        arguments: [1, 2]
    )
    func pythonVersionsCompile(number: Int) async throws {
        let block = try #require(try Self.blocks().dropFirst(number).first)
        let process = Process()
        process.executableURL = URL(filePath: Self.python)
        process.arguments = ["-c", "import sys; compile(sys.argv[1], 'article', 'exec')", block]
        let status = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    try process.run()
                    process.waitUntilExit()
                    continuation.resume(returning: process.terminationStatus)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        #expect(status == 0)
    }

    /// The lines with code: without blank ones, and without those that are only a comment.
    private static func count(_ text: String) -> Int {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }
            .count { !$0.isEmpty && !$0.hasPrefix("//") && !$0.hasPrefix("#") }
    }

    @Test("The table has the right line counts")
    func tableCountsLinesCorrectly() throws {
        let example = "Tests/Examples/Vet"
        let others = try Self.blocks().map(Self.count)
        #expect(others.count == 3)
        let names = ["AskHowItWent", "BookVetAppointment", "BookVetAppointmentHandler", "Pet", "Service", "Symptom"]
        let swift = try names.map { Self.count(try Self.text("\(example)/Sources/Vet/\($0).swift")) }.reduce(0, +)
        let python = try Self.count(Self.text("\(example)/Service/vet.py"))
        let yaml = try Self.count(Self.text("\(example)/Service/vet.yaml"))
        let row =
            "| lines, without blank ones and comments | \(others[0]), and a string catalog | \(others[1]), and a client | "
            + "\(others[2]), and a bot for each language | \(swift), both languages in them | "
            + "\(python) and \(yaml) of YAML,"
        #expect(try Self.article().contains(row), "\(row)")
    }
}
