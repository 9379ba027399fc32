import Foundation
import IntentKit

/// Does everything that a long task can do, as its script says: for clients under which the deployment breaks.
struct TourHandler: IntentHandler {
    /// What a script can say.
    enum Turn: String {
        /// The user is asked for a yes.
        case asks
        /// `confirm` sends the user back when the first guide was chosen.
        case full
        /// `handle` sends the user back when the second guide was chosen, after its effects.
        case taken
        /// The first two tries fail, the second after a step and an effect.
        case hiccups
        /// It ends with a failure, after its effects.
        case fails
        /// It ends with an error, unless it is redriven.
        case breaks
        /// Another tour follows: at once, soon, not at all, or for another user.
        case next, later, never, friend
    }

    typealias Response = IntentResponse<TourIntent>

    private struct Hiccup: TransientError {}
    private struct Breakage: Error {}

    /// The guides: two have the same name.
    static let guides = ["g1", "g2", "g3", "g4"]
    private static let names = ["g1": "Ada", "g2": "Ben", "g3": "Ben", "g4": "Cleo"]

    /// Retries within seconds, longer than a turn stays parked.
    static var registration: IntentRegistration {
        let retry = RetryPolicy(attempts: 4, first: .seconds(1), factor: 1, longest: .seconds(1), within: .seconds(600))
        return IntentRegistration(version: "1", confirmation: .byHandler, retry: retry) { TourHandler() }
    }

    var handling: Handling<TourIntent> {
        Resolve(\.$guide) { said, context in
            if let said, Self.guides.contains(said) { return .success(with: said) }
            let declined = context.declined(\TourIntent.$guide)
            let others = Self.guides.filter { !declined.contains($0) }
            guard !others.isEmpty else { return .ending(Response(code: .failureRequiringAppLaunch)) }
            return Self.choice(of: others)
        }
        Confirm { intent, context in
            if intent.has(.full), intent.guide == "g1" { return Self.askForAnother(than: "g1") }
            return Response(code: .ready, requiresUserConfirmation: intent.has(.asks))
        }
        Handle(self.handle)
        Undo("seat", within: .seconds(3_600)) { (token: String, intent, context, store) in
            try Self.cancel(token, store)
        }
        Undo("meal", within: .seconds(3_600)) { (token: String, intent, context, store) in
            try Self.cancel(token, store)
        }
    }

    private static func choice(of guides: [String]) -> ParameterResolution<String, NoReason> {
        .disambiguation(with: guides) { guide in
            DisplayRepresentation(
                title: LocalizedText(Self.names[guide] ?? guide),
                subtitle: LocalizedText("number \(guide.dropFirst())"),
                synonyms: [LocalizedText("guide \(guide)")]
            )
        }
    }

    private static func askForAnother(than guide: String) -> Response {
        .asking(\.$guide, Self.choice(of: Self.guides.filter { $0 != guide }).saying("That one is taken."))
    }

    private static func cancel(_ token: String, _ store: any StoreTransaction) throws {
        try store.execute("UPDATE bookings SET cancelled = cancelled + 1 WHERE token = $1", [.string(token)])
    }

    private func handle(intent: TourIntent, context: TurnContext) async throws -> Response {
        context.report(0, "The seat first.")
        try await self.book("seat", context)
        let _: String = try await context.step("walk") { UUID().uuidString }
        if intent.has(.hiccups), context.attempt < 2 { throw Hiccup() }
        context.report(0.5, "Now the meal.")
        try await self.book("meal", context)
        let _: String = try await context.step("walk") { UUID().uuidString }
        if intent.has(.hiccups), context.attempt < 3 { throw Hiccup() }
        if intent.has(.taken), intent.guide == "g2" { return Self.askForAnother(than: "g2") }
        if intent.has(.breaks), !context.interactionID.contains("~") { throw Breakage() }
        if intent.has(.fails) { return Response(code: .failure) }
        try self.follow(intent, context)
        return Response(code: .success)
    }

    private func book(_ part: String, _ context: TurnContext) async throws {
        let interaction = context.interactionID
        let _: String = try await context.effect(part) { store in
            let token = UUID().uuidString
            try store.execute(
                "INSERT INTO bookings (interaction, part, token) VALUES ($1, $2, $3)",
                [.string(interaction), .string(part), .string(token)]
            )
            return token
        }
    }

    private func follow(_ intent: TourIntent, _ context: TurnContext) throws {
        var next = TourIntent()
        next.guide = intent.guide
        next.day = intent.day
        let soon = context.now.addingTimeInterval(2)
        if intent.has(.next) { try context.start("next", next) }
        if intent.has(.later) { try context.start("later", next, at: soon) }
        if intent.has(.never) { try context.cancelStarted(try context.start("never", next, at: soon)) }
        if intent.has(.friend) {
            try context.start("friend", next, for: "\(context.user.id)-friend", saying: "For you:")
            try context.notify("booked", saying: "Your friend has a place, too.")
        }
    }
}

extension TourIntent {
    fileprivate func has(_ turn: TourHandler.Turn) -> Bool {
        self.script?.split(separator: " ").contains { $0 == turn.rawValue } ?? false
    }
}
