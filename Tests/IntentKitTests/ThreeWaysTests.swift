import Foundation
import Testing

/// Apple's modules exist on Apple's systems alone: their code is compiled with declarations of what it uses.
@Suite("The article with one intent, three ways")
struct ThreeWaysTests {
    private static let article = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Kit/IntentKit/Documentation.docc/ThreeWays.md")

    /// SiriKit, what Xcode generates from the definition file, and the app's own types.
    private static let siriKit = """
        import Foundation
        class INIntent: NSObject {}
        class INExtension: NSObject { func handler(for intent: INIntent) -> Any { self } }
        class LogRepsIntent: INIntent { var exercise: String?; var reps: NSNumber? }
        protocol LogRepsIntentHandling: NSObjectProtocol {
            func resolveExercise(for intent: LogRepsIntent) async -> INStringResolutionResult
            func resolveReps(for intent: LogRepsIntent) async -> LogRepsRepsResolutionResult
            func confirm(intent: LogRepsIntent) async -> LogRepsIntentResponse
            func handle(intent: LogRepsIntent) async -> LogRepsIntentResponse
        }
        struct INStringResolutionResult {
            static func needsValue() -> Self { Self() }
            static func success(with value: String) -> Self { Self() }
            static func disambiguation(with values: [String]) -> Self { Self() }
        }
        struct LogRepsRepsResolutionResult {
            enum Reason { case lessThanMinimumValue, greaterThanMaximumValue }
            static func needsValue() -> Self { Self() }
            static func success(with value: Int) -> Self { Self() }
            static func unsupported(forReason reason: Reason) -> Self { Self() }
        }
        struct LogRepsIntentResponse {
            enum Code { case ready, success, failure }
            init(code: Code, userActivity: NSUserActivity?) {}
        }
        final class NSUserActivity {}
        enum Exercise: String, CaseIterable {
            case deadlift
            static func matches(for said: String) -> [Exercise] { [] }
        }
        struct TrainingLog {
            static let shared = TrainingLog()
            func add(reps: Int, of exercise: String) async throws {}
        }
        """

    /// App Intents, and the app's own types.
    private static let appIntents = """
        struct LocalizedStringResource: ExpressibleByStringLiteral, Sendable { init(stringLiteral: String) {} }
        struct TypeDisplayRepresentation: ExpressibleByStringLiteral, Sendable { init(stringLiteral: String) {} }
        struct DisplayRepresentation: ExpressibleByStringLiteral, Sendable { init(stringLiteral: String) {} }
        struct IntentDialog: ExpressibleByStringInterpolation { init(stringLiteral: String) {} }
        protocol AppEnum: RawRepresentable, CaseIterable, Hashable {
            static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
            static var caseDisplayRepresentations: [Self: DisplayRepresentation] { get }
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
        extension AppIntent { func requestConfirmation(result: some IntentResult) async throws {} }
        @propertyWrapper struct Parameter<Value> {
            var wrappedValue: Value { fatalError() }
            init(title: LocalizedStringResource, requestValueDialog: IntentDialog) {}
            init(title: LocalizedStringResource, inclusiveRange: (Int, Int), requestValueDialog: IntentDialog) where Value == Int {}
        }
        @propertyWrapper struct Dependency<Value> { var wrappedValue: Value { fatalError() } }
        struct TrainingLog { func add(reps: Int, of exercise: ExerciseChoice) async throws {} }
        """

    /// The article's blocks of code: SiriKit's, App Intents', intentd's.
    private static func blocks() throws -> [String] {
        try String(contentsOf: Self.article, encoding: .utf8).matches(of: /(?ms)^```(?:swift)?\n(.*?)\n```$/)
            .map { String($0.1) }
    }

    @Test("SiriKit's and App Intents' versions compile", arguments: [(0, Self.siriKit), (1, Self.appIntents)])
    func otherFrameworksVersionsCompile(number: Int, declarations: String) async throws {
        let block = try #require(try Self.blocks().dropFirst(number).first)
        let output = try await CompilerMessageTests.compile(block, after: declarations)
        #expect(output.isEmpty, "\(output)")
    }

    @Test("The table has the right line counts, and intentd's version is the shortest")
    func tableCountsLinesCorrectly() throws {
        let counts = try Self.blocks().map { $0.split(separator: "\n").count { $0.contains { $0 != " " } } }
        #expect(counts.count == 3)
        let row =
            "| lines, without blank ones | \(counts[0]), the exercises, and a definition file | \(counts[1]) | "
            + "\(counts[2]) |"
        #expect(try String(contentsOf: Self.article, encoding: .utf8).contains(row))
        #expect(counts[2] == counts.min())
    }
}
