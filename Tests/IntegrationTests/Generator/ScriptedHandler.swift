import Foundation
import IntentKit
import IntentRuntime

/// Executes a script, for intents of any name.
struct ScriptedHandler: Sendable {
    /// A transient failure.
    struct Hiccup: TransientError {}
    /// A permanent failure.
    struct Breakdown: Error {}

    /// The codes with which it reports.
    static let codes: Set<String> = [
        "ready", "inProgress", "success", "continueInApp", "handleInApp", "failure", "failureRequiringAppLaunch",
    ]
    /// The code with which a resolver ends the interaction.
    static let endingCode = "failureRequiringAppLaunch"
    /// The table that its effects write to.
    static let migration = StoreMigration("deeds/1", sql: "CREATE TABLE deeds (interaction TEXT NOT NULL) STRICT")

    private let clock: any RuntimeClock

    init(clock: any RuntimeClock = SystemRuntimeClock()) {
        self.clock = clock
    }

    /// The registration, before the definition's own resolvers are added to it.
    func makeRegistration(_ intent: ModelIntent) -> IntentRegistration {
        IntentRegistration(
            intentName: intent.name,
            title: nil,
            parameters: [],
            codes: Self.codes,
            confirmation: .byHandler,
            isFinancial: false,
            handlerName: "ScriptedHandler",
            handlerVersion: "1",
            usesLedger: true,
            resolve: { name, snapshot, context in
                guard name == intent.parameters.first?.name else { return nil }
                let script = Script(context.script)
                try await self.act(script.resolve, context)
                guard let ends = script.ends, snapshot.parameters[name] == ends else { return nil }
                return .single(.ending(ResolutionEnding(HandlerResponse(code: Self.endingCode))))
            },
            complete: { $0 },
            confirm: { snapshot, context in try await self.confirm(snapshot, context) },
            handle: { snapshot, context in try await self.handle(snapshot, context) },
            dialog: { _, _ in nil }
        )
    }

    private func act(_ act: Script.Act, _ context: TurnContext) async throws {
        if act.sleep > 0 { try await self.clock.sleep(for: .milliseconds(act.sleep)) }
        if act.hangs { try await self.clock.sleep(for: .seconds(3_600)) }
        if context.attempt <= act.transientFailures { throw Hiccup() }
        if act.isBroken { throw Breakdown() }
    }

    /// The question for another value, where the script says that this one is taken.
    private func question(_ snapshot: IntentSnapshot, _ script: Script, isOfHandle: Bool) -> HandlerResponse? {
        guard let taken = script.taken, taken.isOfHandle == isOfHandle,
            snapshot.parameters[taken.parameter] == taken.value
        else { return nil }
        var response = HandlerResponse(code: "failure")
        response.question = HandlerQuestion(parameter: taken.parameter, outcome: .needsValue)
        return response
    }

    private func confirm(_ snapshot: IntentSnapshot, _ context: TurnContext) async throws -> HandlerResponse {
        let script = Script(context.script)
        try await self.act(script.confirm, context)
        if script.wantsSignIn, !context.user.isAuthenticated {
            return HandlerResponse(code: "failure", requiresAuthentication: true)
        }
        if let question = self.question(snapshot, script, isOfHandle: false) { return question }
        let news = script.showsNews ? context.makeIdentifier() : "the same"
        return HandlerResponse(
            code: script.confirm.code ?? "ready",
            details: ["news": .string(news)],
            requiresUserConfirmation: script.wantsYes
        )
    }

    private func handle(_ snapshot: IntentSnapshot, _ context: TurnContext) async throws -> HandlerResponse {
        let script = Script(context.script)
        if let question = self.question(snapshot, script, isOfHandle: true) { return question }
        if script.hasStep { try await context.step("begin") {} }
        if script.hasEffect {
            let id = context.interactionID
            _ = try await context.effect("deed") { store in
                try store.execute("INSERT INTO deeds VALUES (?)", [.string(id)])
            }
        }
        try await self.act(script.handle, context)
        if script.notifies { try context.notify("done", saying: "It is done.") }
        return HandlerResponse(code: script.handle.code ?? "success")
    }
}
