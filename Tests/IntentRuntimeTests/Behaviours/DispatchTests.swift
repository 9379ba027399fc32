import IntentEvents
import IntentKit
import IntentRuntime
import Synchronization
import Testing

@Suite("What SiriKit says of dispatch")
struct DispatchTests {
    /// An intent of a family that one handler serves.
    private protocol TrainingIntent: Intent where Code == GreetIntent.Code {
        static var verb: String { get }
    }

    private struct StartIntent: TrainingIntent {
        typealias Code = GreetIntent.Code
        static let verb = "started"
        static var parameters: [IntentParameter<Self>] { [] }
    }

    private struct StopIntent: TrainingIntent {
        typealias Code = GreetIntent.Code
        static let verb = "stopped"
        static var parameters: [IntentParameter<Self>] { [] }
    }

    private struct TrainingHandler<Handled: TrainingIntent>: IntentHandler {
        func handle(intent: Handled, context: TurnContext) async throws -> IntentResponse<Handled> {
            IntentResponse(code: .success, details: ["said": .string(Handled.verb)])
        }
    }

    @Test("Each intent gets the handler of its type; one handler may serve a family (behaviours 1, 4)")
    func specialised() async throws {
        try await Pipeline.with([
            IntentRegistration { GreetHandler() }, IntentRegistration { TrainingHandler<StartIntent>() },
            IntentRegistration { TrainingHandler<StopIntent>() },
        ]) { pipeline in
            try await pipeline.request("StopIntent", subject: "stop")
            #expect(try await pipeline.next(of: "stop").data["response"] == ["said": "stopped"])
            try await pipeline.request("StartIntent", subject: "start")
            #expect(try await pipeline.next(of: "start").data["response"] == ["said": "started"])
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "greet")
            #expect(try await pipeline.next(of: "greet").data["response"] == ["greeting": "Hello, Jeff"])
        }
    }

    @Test("Only what is declared as supported is dispatched, whatever handlers there are (behaviours 2, 5)")
    func declared() async throws {
        try await Pipeline.with([IntentRegistration { TrainingHandler<StartIntent>() }], settings: .unhurried) {
            pipeline in
            try await pipeline.request("StopIntent", subject: "stop")
            #expect(try await pipeline.next(of: "stop").data["endReason"] == "unsupportedIntent")
            let journal = try await pipeline.records(of: .journal)
            let turns = try journal.map { try #require(TurnRecord($0)) }
            #expect(turns.map(\.handlerName) == [nil])
        }
    }

    @Test("Intents that belong together share settings that others don't have (behaviour 6)")
    func extensions() throws {
        let training = IntentExtension("Training", restrictedWhileLocked: ["StopIntent"], handlerTimeout: .seconds(9)) {
            IntentRegistration { TrainingHandler<StartIntent>() }
            IntentRegistration { TrainingHandler<StopIntent>() }
        }
        let greeting = IntentExtension("Greeting") { IntentRegistration { GreetHandler() } }
        let registry = try IntentRegistry([training, greeting])
        for name in ["StartIntent", "StopIntent"] {
            #expect(registry[name]?.extensionName == "Training")
            #expect(registry[name]?.handlerTimeout == .seconds(9))
        }
        #expect(registry["StopIntent"]?.isRestrictedWhileLocked == true)
        #expect(registry["StartIntent"]?.isRestrictedWhileLocked == false)
        #expect(registry["GreetIntent"]?.extensionName == "Greeting")
        #expect(registry["GreetIntent"]?.handlerTimeout == nil)
    }

    /// Remembers what it was asked, as no handler should.
    private final class ForgetfulHandler: IntentHandler {
        static let resolvers: [ParameterResolver<ForgetfulHandler>] = [.init(\.name, using: ForgetfulHandler.resolve)]

        private let remembered = Mutex<[String]>([])
        private let weather: Mutex<Int>

        init(number: Int) { self.weather = Mutex(number) }

        func resolve(for intent: GreetIntent, with context: TurnContext) async throws -> INStringResolutionResult {
            self.remembered.withLock { $0.append("resolve") }
            return intent.name.map { .success(with: $0) } ?? .needsValue()
        }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            let number = try await context.run("weather") { self.weather.withLock { $0 } }
            return IntentResponse(
                code: .success,
                details: [
                    "remembers": .array(self.remembered.withLock { $0 }.map(JSONValue.string)),
                    "weather": .integer(Int64(number)),
                ]
            )
        }
    }

    @Test("A handler is made afresh for each turn, keeps nothing, and asks for data again (behaviours 7, 8)")
    func fresh() async throws {
        let made = Mutex(0)
        let registration = IntentRegistration {
            ForgetfulHandler(
                number: made.withLock { count in
                    count += 1
                    return count
                }
            )
        }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            try await pipeline.answer(try await pipeline.next(of: "i1"), ["value": "Jeff"])
            let response = try await pipeline.next(of: "i1").data["response"]
            // Resolved twice, confirmed, handled.
            #expect(made.withLock { $0 } == 4)
            #expect(response?["remembers"] == [])
            #expect(response?["weather"] == 4)
        }
    }

    @Test("Every parameter is resolved, one at a time; then confirm, then handle (behaviours 10, 12)")
    func order() async throws {
        let log = CallLog()
        try await Pipeline.with([IntentRegistration { ProbeHandler(log: log) }]) { pipeline in
            try await pipeline.request("ProbeIntent", subject: "i1")
            let first = try await pipeline.next(of: "i1")
            #expect(first.data["parameter"] == "first")
            #expect(log.all == ["resolve first -"])
            try await pipeline.answer(first, ["value": "a"])
            let second = try await pipeline.next(of: "i1")
            #expect(second.data["parameter"] == "second")
            #expect(log.all == ["resolve first -", "resolve first a", "resolve second -"])
            try await pipeline.answer(second, ["value": "b"])
            #expect(try await pipeline.next(of: "i1").data["status"] == "success")
            #expect(log.all.dropFirst(3) == ["resolve second b", "confirm", "handle"])
        }
    }
}
