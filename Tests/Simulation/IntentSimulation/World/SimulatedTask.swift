internal import Foundation
internal import IntentKit
internal import IntentRuntime

/// A long task: five steps, two effects that can be undone, reports, and what follows.
struct SimulatedTask: Intent {
    @Parameter var pet: String?
    @Parameter(isRequired: true) var day: CalendarDate?
    @Parameter var script: String?
}

/// Does what the request's script says.
struct SimulatedTaskHandler: IntentHandler {
    typealias Response = IntentResponse<SimulatedTask>

    private struct Hiccup: TransientError {}

    /// The effects, by the step before which they are made.
    static let effects = [2: "reserve", 4: "charge"]
    /// The pets; those with the same name have different subtitles.
    static let pets = ["p1", "p2", "p3", "p4", "p5"]

    var handling: Handling<SimulatedTask> {
        Resolve(by: self.resolvePet, \.$pet)
        Confirm(self.confirm)
        Handle(self.handle)
        Undo("reserve") { _, context, store in
            try store.execute("refund", [.string(context.interactionID), .integer(2)])
        }
        Undo("charge") { _, context, store in
            try store.execute("refund", [.string(context.interactionID), .integer(4)])
        }
    }

    let clock: ProcessClock
    let service: FakeService

    /// The registration: a failed try waits longer than a parked turn does.
    static func registration(clock: ProcessClock, service: FakeService) -> IntentRegistration {
        let retry = RetryPolicy(
            attempts: 4,
            first: .seconds(6),
            factor: 1,
            longest: .seconds(6),
            within: .seconds(60)
        )
        return IntentRegistration(confirmation: .byHandler, retry: retry) {
            SimulatedTaskHandler(clock: clock, service: service)
        }
    }

    func resolvePet(for intent: SimulatedTask, with context: TurnContext) async throws -> INStringResolutionResult {
        if let pet = intent.pet, Self.pets.contains(pet) { return .success(with: pet) }
        let declined = context.declined(\SimulatedTask.$pet)
        let others = Self.pets.filter { !declined.contains($0) }
        guard !others.isEmpty else { return .ending(Response(code: .failureRequiringAppLaunch)) }
        return .disambiguation(with: Array(others.prefix(2))) { pet in
            DisplayRepresentation(
                title: "Bello",
                subtitle: LocalizedText("of \(pet)"),
                synonyms: [LocalizedText("the dog of \(pet)")]
            )
        }
    }

    func confirm(intent: SimulatedTask, context: TurnContext) async throws -> Response {
        let asks = intent.script.flatMap(TaskScript.init)?.asks ?? false
        return Response(code: .ready, requiresUserConfirmation: asks)
    }

    func handle(intent: SimulatedTask, context: TurnContext) async throws -> Response {
        let script = intent.script.flatMap(TaskScript.init) ?? .plain
        let interaction = context.interactionID
        let service = self.service
        let clock = self.clock
        var results: [JSONValue] = []
        context.report(0, "It begins.")
        for number in 0..<TaskScript.steps {
            if let effect = Self.effects[number] {
                _ = try await context.effect(effect) { transaction in
                    try transaction.execute("charge", [.string(interaction), .integer(Int64(number))])
                }
            }
            // Two names, so that the order of those of one name counts.
            let result: Int = try await context.step("step \(number % 2)") {
                if script.wait > 0 { try await clock.sleep(for: .milliseconds(script.wait)) }
                return service.look(key: "\(interaction)/step \(number)")
            }
            results.append(.integer(Int64(result)))
            if number == script.failingStep, context.attempt <= script.failures { throw Hiccup() }
            context.report(Double(number + 1) / Double(TaskScript.steps), "One step more.")
        }
        if script.fails { return Response(code: .failure) }
        try self.follow(intent, script, context)
        return Response(code: .success, details: ["steps": .array(results)])
    }

    private func follow(_ intent: SimulatedTask, _ script: TaskScript, _ context: TurnContext) throws {
        var next = SimulatedTask()
        next.pet = intent.pet
        next.day = intent.day
        next.script = TaskScript.plain.text
        let soon = context.now.addingTimeInterval(3)
        switch script.followUp {
        case .none: return
        case .now: try context.start("next", next)
        case .later: try context.start("next", next, at: soon)
        case .cancelled: try context.cancelStarted(try context.start("next", next, at: soon))
        case .another: try context.start("next", next, for: "other", saying: "For you:")
        }
        try context.notify("told", saying: "More follows.")
    }
}
