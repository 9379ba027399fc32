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
            resolve: { name, _, context in
                if name == intent.parameters.first?.name { try await self.act(Script(context.script).resolve, context) }
                return nil
            },
            complete: { $0 },
            confirm: { _, context in try await self.confirm(context) },
            handle: { _, context in try await self.handle(context) },
            dialog: { _, _ in nil }
        )
    }

    private func act(_ act: Script.Act, _ context: TurnContext) async throws {
        if act.sleep > 0 { try await self.clock.sleep(for: .milliseconds(act.sleep)) }
        if act.hangs { try await self.clock.sleep(for: .seconds(3_600)) }
        if context.attempt <= act.transientFailures { throw Hiccup() }
        if act.isBroken { throw Breakdown() }
    }

    private func confirm(_ context: TurnContext) async throws -> HandlerResponse {
        let script = Script(context.script)
        try await self.act(script.confirm, context)
        if script.wantsSignIn, !context.user.isAuthenticated {
            return HandlerResponse(code: "failure", requiresAuthentication: true)
        }
        let news = script.showsNews ? context.makeIdentifier() : "the same"
        return HandlerResponse(
            code: script.confirm.code ?? "ready",
            details: ["news": .string(news)],
            requiresUserConfirmation: script.wantsYes
        )
    }

    private func handle(_ context: TurnContext) async throws -> HandlerResponse {
        let script = Script(context.script)
        if script.hasEffect {
            let id = context.interactionID
            _ = try await context.effect("deed") { store in
                try store.execute("INSERT INTO deeds VALUES (?)", [.string(id)])
            }
        }
        try await self.act(script.handle, context)
        return HandlerResponse(code: script.handle.code ?? "success")
    }
}
