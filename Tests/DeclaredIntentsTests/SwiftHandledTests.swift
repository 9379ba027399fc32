import DeclaredIntents
import IntentKit
import IntentLab
import SiriKitIntents
import Testing

@Suite("R51: declared intents with a Swift handler")
struct SwiftHandledTests {
    struct LogSet: Intent {
        static let intentName = "LogSet"
        enum Code: String, IntentResponseCode {
            case ready
            case success
            case failure
            case failureTooHeavy
        }
        @Parameter var exercise: String?
        @Parameter var reps: Int?
    }

    struct Handler: IntentHandler {
        var handling: Handling<LogSet> {
            Resolve(by: self.resolveExercise, \.$exercise)
            Confirm { intent, _ in IntentResponse(code: .ready, requiresUserConfirmation: intent.reps ?? 0 > 20) }
            Handle(self.handle)
        }

        func resolveExercise(
            for intent: LogSet,
            with context: TurnContext
        ) async throws -> INStringResolutionResult {
            .success(with: (intent.exercise ?? "squat").uppercased())
        }

        func handle(intent: LogSet, context: TurnContext) async throws -> IntentResponse<LogSet> {
            IntentResponse(code: (intent.reps ?? 0) > 10 ? .failureTooHeavy : .success)
        }
    }

    private func definition(handler: String, name: String = "LogSet") throws -> IntentDefinition {
        let file = DefinitionFile([
            "name": .string(name), "handler": .string(handler),
            "parameters": [
                ["name": "exercise", "type": "string"], ["name": "reps", "type": "integer", "maximum": 20],
            ],
        ])
        return try #require(file.definitions.first, "\(file.problems)")
    }

    @Test(
        "The handler resolves the parameters that it has methods for, the definition the others; the handler handles the intent"
    )
    func combinesHandlerAndDefinition() async throws {
        let handler = IntentRegistration(version: "3") { Handler() }
        let registration = try self.definition(handler: "swift").makeRegistration(handledBy: handler)
        let context = BareTurnHost().context()
        let intent = IntentSnapshot(name: "LogSet", parameters: ["exercise": "press", "reps": 30])
        #expect(try await registration.resolve("exercise", intent, context) == .single(.success("PRESS")))
        #expect(try await registration.resolve("reps", intent, context) == .single(.refused(.aboveMaximum)))
        #expect(try await registration.handle(intent, context).code == "failureTooHeavy")
        #expect(try await registration.confirm(intent, context).requiresUserConfirmation)
        let light = IntentSnapshot(name: "LogSet", parameters: ["exercise": "press", "reps": 3])
        #expect(try await !registration.confirm(light, context).requiresUserConfirmation)
        #expect(registration.codes.contains("failureTooHeavy"))
        #expect(registration.handlerName == "Handler")
        #expect(registration.handlerVersion.hasPrefix("3+"))
        #expect(registration.usesLedger)
        #expect(registration.problem == nil)
    }

    @Test("R15: a missing handler, an unwanted one, and one of another intent are errors at start")
    func reportsHandlerMismatchAtStart() throws {
        let handler = IntentRegistration { Handler() }
        let registrations = [
            try self.definition(handler: "swift").makeRegistration(),
            try self.definition(handler: "record").makeRegistration(handledBy: handler),
            try self.definition(handler: "swift", name: "LogRun").makeRegistration(handledBy: handler),
        ]
        for registration in registrations {
            #expect(throws: IntentRegistry.ConfigurationError.self) {
                try IntentRegistry([IntentExtension("declared") { registration }])
            }
        }
    }
}
