internal import Foundation
internal import IntentKit
internal import IntentRuntime

/// The intent of the simulation: two parameters to ask for, and one with the handler's script.
struct SimulatedIntent: Intent {
    enum Code: String, IntentResponseCode {
        case ready
        case inProgress
        case success
        case failure
        case handleInApp
        case continueInApp
    }

    @Parameter var name: String?
    @Parameter var item: String?
    @Parameter var script: String?

    /// The registry of one process.
    static func registry(
        clock: ProcessClock,
        service: FakeService,
        hangs: Hangs,
        asksBack: Bool,
        trap: @escaping @Sendable (_ interaction: String, _ stage: Int) async -> Void
    ) -> IntentRegistry {
        let registrations = [
            IntentRegistration(confirmation: .byHandler) {
                SimulatedHandler(clock: clock, service: service, hangs: hangs, asksBack: asksBack, trap: trap)
            },
            SimulatedTaskHandler.registration(clock: clock, service: service),
        ]
        do {
            return try IntentRegistry([
                IntentExtension("Simulation", restrictedWhileLocked: []) { registrations }
            ])
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

/// Does what the request's script says.
struct SimulatedHandler: IntentHandler {
    typealias Response = IntentResponse<SimulatedIntent>

    private struct Hiccup: TransientError {}
    private struct Defect: Error {}

    var handling: Handling<SimulatedIntent> {
        Resolve(by: self.resolveName, \.$name)
        Resolve(by: self.resolveItem, \.$item)
        Confirm(self.confirm)
        Handle(self.handle)
    }

    let clock: ProcessClock
    let service: FakeService
    let hangs: Hangs
    /// Whether it may ask back and start interactions, which needs format 2.
    let asksBack: Bool
    /// Makes the process crash where there is a trap for an interaction.
    let trap: @Sendable (_ interaction: String, _ stage: Int) async -> Void

    func resolveName(for intent: SimulatedIntent, with context: TurnContext) async throws -> INStringResolutionResult {
        try await self.act(in: 0, intent, context)
        guard let name = intent.name, !name.isEmpty else { return .needsValue() }
        switch name.first {
        case "?": return .disambiguation(with: ["a\(name.dropFirst())", "b\(name.dropFirst())"])
        case "!": return .confirmationRequired(with: name)
        case "x": return .unsupported()
        default: return .success(with: name)
        }
    }

    func resolveItem(for intent: SimulatedIntent, with context: TurnContext) async throws -> INStringResolutionResult {
        guard let item = intent.item, !item.isEmpty else { return .notRequired() }
        return item.first == "x" ? .unsupported() : .success(with: item)
    }

    func confirm(intent: SimulatedIntent, context: TurnContext) async throws -> Response {
        try await self.act(in: 1, intent, context)
        if let question = try await self.question(in: 1, intent, context) { return question }
        let asks = intent.script.flatMap(HandlerScript.init)?.asks ?? false
        return Response(code: .ready, details: ["name": .string(intent.name ?? "")], requiresUserConfirmation: asks)
    }

    func handle(intent: SimulatedIntent, context: TurnContext) async throws -> Response {
        let script = intent.script.flatMap(HandlerScript.init)
        let interaction = context.interactionID
        if let question = try await self.question(in: 2, intent, context) { return question }
        for ordinal in 0..<(script?.effects ?? 0) {
            _ = try await context.effect("charge") { transaction in
                try transaction.execute("charge", [.string(interaction), .integer(Int64(ordinal))])
            }
            if ordinal == 0 { try await self.act(in: 2, intent, context) }
        }
        if script?.effects ?? 0 == 0 { try await self.act(in: 2, intent, context) }
        if script?.posts ?? false {
            _ = try await context.run("post") { [service] in
                service.post(key: "\(interaction)/post/0")
                return true
            }
        }
        if let follows = script?.follows { try self.start(after: follows, context) }
        return Response(code: script.flatMap { SimulatedIntent.Code(rawValue: $0.code) } ?? .success)
    }

    /// Starts an interaction that ends by itself, and notifies the user.
    private func start(after delay: Int, _ context: TurnContext) throws {
        guard self.asksBack else { return }
        var next = SimulatedIntent()
        next.name = "n"
        let at = delay == 0 ? nil : context.now.addingTimeInterval(Double(delay) / 1_000)
        try context.start("next", next, at: at)
        try context.notify("told", saying: "More follows.")
    }

    /// The question for another name, where this one is taken; nil where it is free.
    private func question(
        in stage: Int,
        _ intent: SimulatedIntent,
        _ context: TurnContext
    ) async throws -> Response? {
        guard self.asksBack, let script = intent.script.flatMap(HandlerScript.init) else { return nil }
        let taken = script.taken[stage - 1]
        guard taken > 0 else { return nil }
        let key = "\(context.interactionID)/\(stage)"
        let isTaken = try await context.run("look") { [service] in service.look(key: key) == taken }
        guard isTaken else { return nil }
        let name = intent.name ?? ""
        return .asking(\.$name, .disambiguation(with: ["a\(name)", "b\(name)"]))
    }

    private func act(in stage: Int, _ intent: SimulatedIntent, _ context: TurnContext) async throws {
        guard let script = intent.script.flatMap(HandlerScript.init) else { return }
        let wait = script.waits[stage]
        if wait > 0 {
            let clock = self.clock
            _ = try await context.run("wait") {
                try await clock.sleep(for: .milliseconds(wait))
                return wait
            }
        }
        await self.trap(context.interactionID, stage)
        guard stage == script.troubleStage else { return }
        switch script.trouble {
        case .none: break
        case .passes: if context.attempt == 1 { throw Hiccup() }
        case .persists: throw Hiccup()
        case .fails: throw Defect()
        case .hangs: try await self.clock.sleep(for: .seconds(1_000_000))
        case .hangsForGood: await self.hangs.hang()
        }
    }
}
