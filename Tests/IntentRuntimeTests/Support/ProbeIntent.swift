import IntentKit
import Synchronization

/// An intent with two parameters and the codes that SiriKit's intents share.
struct ProbeIntent: Intent {
    enum Code: String, IntentResponseCode {
        case ready
        case inProgress
        case success
        case failure
        case failureRequiringAppLaunch
        case continueInApp
    }

    @Parameter var first: String?
    @Parameter var second: String?
}

/// Does what a test says, and records its calls.
struct ProbeHandler: IntentHandler {
    typealias Response = IntentResponse<ProbeIntent>

    var handling: Handling<ProbeIntent> {
        Resolve(by: self.resolveFirst, \.$first)
        Resolve(by: self.resolveSecond, \.$second)
        Confirm(self.confirm(intent:context:))
        Handle(self.handle(intent:context:))
    }

    var log = CallLog()
    var resolve: @Sendable (_ parameter: String, _ value: String?) -> INStringResolutionResult = { _, value in
        value.map { .success(with: $0) } ?? .needsValue()
    }
    var confirm: @Sendable (ProbeIntent) -> Response = { _ in Response(code: .ready) }
    var handle: @Sendable (ProbeIntent, TurnContext) async throws -> Response = { _, _ in Response(code: .success) }

    func resolveFirst(for intent: ProbeIntent, with context: TurnContext) async throws -> INStringResolutionResult {
        self.log.record("resolve first \(intent.first ?? "-")")
        return self.resolve("first", intent.first)
    }

    func resolveSecond(for intent: ProbeIntent, with context: TurnContext) async throws -> INStringResolutionResult {
        self.log.record("resolve second \(intent.second ?? "-")")
        return self.resolve("second", intent.second)
    }

    func confirm(intent: ProbeIntent, context: TurnContext) async throws -> Response {
        self.log.record("confirm")
        return self.confirm(intent)
    }

    func handle(intent: ProbeIntent, context: TurnContext) async throws -> Response {
        self.log.record("handle")
        return try await self.handle(intent, context)
    }
}

/// The calls of handlers, in order.
final class CallLog: Sendable {
    private let calls = Mutex<[String]>([])

    func record(_ call: String) { self.calls.withLock { $0.append(call) } }

    var all: [String] { self.calls.withLock { $0 } }
}
