import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Synchronization
import Testing

@Suite("SiriKit's behaviours: dispatch")
struct DispatchTests {
    /// An intent of a family that one handler serves.
    private protocol TrainingIntent: Intent where Code == GreetIntent.Code {
        static var verb: String { get }
    }

    private struct StartIntent: TrainingIntent {
        typealias Code = GreetIntent.Code
        static let verb = "started"
    }

    private struct StopIntent: TrainingIntent {
        typealias Code = GreetIntent.Code
        static let verb = "stopped"
    }

    private struct TrainingHandler<Handled: TrainingIntent>: IntentHandler {
        var handling: Handling<Handled> { Handle(self.handle) }

        func handle(intent: Handled, context: TurnContext) async throws -> IntentResponse<Handled> {
            IntentResponse(code: .success, details: ["said": .string(Handled.verb)])
        }
    }

    @Test("Each intent gets the handler of its type, and one handler may serve a family (behaviours 1, 4)")
    func eachIntentGetsHandlerOfItsType() async throws {
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

    @Test("Only supported intents are dispatched, whatever handlers exist (behaviours 2, 5)")
    func dispatchesOnlySupportedIntents() async throws {
        try await Pipeline.with([IntentRegistration { TrainingHandler<StartIntent>() }], settings: .unhurried) {
            pipeline in
            try await pipeline.request("StopIntent", subject: "stop")
            #expect(try await pipeline.next(of: "stop").data["endReason"] == "unsupportedIntent")
            let journal = try await pipeline.records(of: .journal)
            let turns = try journal.map { try #require(TurnRecord($0)) }
            #expect(turns.map(\.handlerName) == [nil])
        }
    }

    @Test("Intents of one extension share settings that others do not have (behaviour 6)")
    func extensionSharesSettings() throws {
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

    /// Asks for the weather when it resolves, and when it handles.
    private struct WeatherHandler: IntentHandler {
        let weather: Weather

        final class Weather: Sendable {
            let number = Mutex(0)
        }

        var handling: Handling<GreetIntent> {
            Resolve(\.$name) { said, context in
                _ = try await self.readWeather(context)
                return said.map { .success(with: $0) } ?? .needsValue()
            }
            Handle { _, context in
                IntentResponse(
                    code: .success,
                    details: ["weather": .integer(Int64(try await self.readWeather(context)))]
                )
            }
        }

        private func readWeather(_ context: TurnContext) async throws -> Int {
            let weather = self.weather
            return try await context.run("weather") {
                weather.number.withLock { number in
                    number += 1
                    return number
                }
            }
        }
    }

    @Test("Each turn of a handler asks for its data again (behaviours 7, 8)")
    func everyTurnReadsDataAfresh() async throws {
        let made = Mutex(0)
        let weather = WeatherHandler.Weather()
        let registration = IntentRegistration {
            made.withLock { $0 += 1 }
            return WeatherHandler(weather: weather)
        }
        try await Pipeline.with([registration]) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1")
            try await pipeline.answer(try await pipeline.next(of: "i1"), ["value": "Jeff"])
            let response = try await pipeline.next(of: "i1").data["response"]
            #expect(made.withLock { $0 } == 1)
            // Resolved twice, handled.
            #expect(response?["weather"] == 3)
        }
    }

    /// Remembers what it was asked, as no handler should.
    private final class ForgetfulHandler: IntentHandler {
        private let remembered = Mutex<[String]>([])

        var handling: Handling<GreetIntent> {
            Handle { intent, _ in
                self.remembered.withLock { $0.append(intent.name ?? "") }
                return IntentResponse(code: .success)
            }
        }
    }

    @Test("R16: a handler keeps nothing between turns: a class, which could, is refused at start (behaviours 7, 8)")
    func refusesHandlersThatAreClasses() {
        let extensions = [IntentExtension("Tests") { IntentRegistration { ForgetfulHandler() } }]
        let error = #expect(throws: IntentRegistry.ConfigurationError.self) { try IntentRegistry(extensions) }
        #expect(error?.description.contains("ForgetfulHandler is a class") == true)
    }

    @Test("Every parameter is resolved, one at a time; then confirm, then handle (behaviours 10, 12)")
    func resolvesThenConfirmsThenHandles() async throws {
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

    /// Only has `handle`.
    private struct BareHandler: IntentHandler {
        var handling: Handling<GreetIntent> { Handle { intent, _ in self.greeting(intent) } }
    }

    @Test("Only handle is required: parameters are taken as they are, and confirm passes (behaviours 9, 47 and 60)")
    func onlyHandleIsRequired() async throws {
        try await Pipeline.with([IntentRegistration { BareHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i1")
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["phase"] == "handle")
            #expect(response.data["response"] == ["greeting": "Hello, Jeff"])
        }
    }
}
