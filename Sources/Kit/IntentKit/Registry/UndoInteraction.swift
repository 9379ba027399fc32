internal import Foundation

/// The user asks to undo what an earlier interaction has done (R75g): an intent of intentd's own, which is served where a
/// handler has an ``Undo`` with a time.
package struct UndoInteraction: Intent {
    package enum Code: String, IntentResponseCode {
        case ready
        case success
        case failure
        /// The world has moved on; `dialog` says why.
        case failureUndoRefused
        /// The time is over.
        case failureTooLate
        /// There is no such interaction of the user, or it was undone already.
        case failureNothingToUndo
    }

    package static var title: LocalizedText? {
        ["en": "Undo", "de": "Rückgängig machen", "fr": "Annuler", "es": "Deshacer"]
    }

    /// The id of the interaction to undo; nil for the only one, or to be asked.
    @Parameter(title: ["en": "task", "de": "Vorgang", "fr": "opération", "es": "tarea"])
    package var interaction: String?

    package init() {}

    /// Registers the intent beside the handlers whose interactions can be undone.
    ///
    /// - Parameters:
    ///   - titles: What people call the intents that can be undone, by their names.
    ///   - isFinancial: Whether one of them waits for an unlocked device.
    /// - Returns: The registration.
    static func registration(_ titles: [String: LocalizedText], isFinancial: Bool) -> IntentRegistration {
        var registration = IntentRegistration(confirmation: .always, isFinancial: isFinancial) {
            UndoInteractionHandler(titles: titles)
        }
        registration.undoesInteractions = true
        return registration
    }
}

/// Finds the interaction, and shows what will be undone.
///
/// The stage `handle` undoes it by itself.
private struct UndoInteractionHandler: IntentHandler {
    /// What people call the intents that can be undone, by their names.
    let titles: [String: LocalizedText]

    var handling: Handling<UndoInteraction> {
        Resolve(\.$interaction) { said, context in
            let all = try await UndoableInteraction.all(context)
            if let said, !said.isEmpty {
                guard let meant = all.first(where: { $0.interaction == said }) else {
                    return .ending(IntentResponse<UndoInteraction>(code: .failureNothingToUndo))
                }
                return meant.isOver(at: context.now)
                    ? .ending(IntentResponse<UndoInteraction>(code: .failureTooLate)) : .success(with: said)
            }
            let open = all.filter { !$0.isOver(at: context.now) }
            guard let first = open.first else {
                return .ending(IntentResponse<UndoInteraction>(code: .failureNothingToUndo))
            }
            // The user is asked whether to undo it in any case.
            guard open.count > 1 else { return .success(with: first.interaction) }
            return .disambiguation(with: open.map(\.interaction)) { id in
                open.first { $0.interaction == id }.map { self.display(of: $0) }
            }
        }
        Confirm { intent, context in
            let all = try await UndoableInteraction.all(context)
            guard let meant = all.first(where: { $0.interaction == intent.interaction }) else {
                return IntentResponse(code: .failureNothingToUndo)
            }
            let title = context.resolve(self.title(of: meant))
            return IntentResponse<UndoInteraction>(
                code: .ready,
                details: [
                    "effects": .array(meant.effects.reversed().map { .string($0.name) }),
                    "intent": .string(meant.intent.name), "title": .string(title),
                ],
                requiresUserConfirmation: true
            )
            .saying([
                "en": "Undo “\(title)”?", "de": "„\(title)“ rückgängig machen?", "fr": "Annuler « \(title) » ?",
                "es": "¿Deshacer «\(title)»?",
            ])
        }
        Handle { _, _ in IntentResponse(code: .failureNothingToUndo) }
    }

    private func title(of undoable: UndoableInteraction) -> LocalizedText {
        self.titles[undoable.intent.name] ?? LocalizedText(undoable.intent.name)
    }

    /// Interactions of one intent differ by the id that the client gave them.
    private func display(of undoable: UndoableInteraction) -> DisplayRepresentation {
        DisplayRepresentation(title: self.title(of: undoable), subtitle: LocalizedText(undoable.interaction))
    }
}

/// An interaction that has succeeded, and can be undone for some time.
package struct UndoableInteraction: Sendable {
    /// How many the user can choose among, the newest ones.
    private static let maximum = 20

    /// The position of its request, and of the request whose effects it shares (R48).
    package let request: String
    package let origin: String
    /// Its id.
    package let interaction: String
    package let intent: IntentSnapshot
    /// The effects that can be undone, in the order in which they were made.
    package let effects: [MadeEffect]
    /// Until when, in milliseconds since 1970.
    package let until: Int64
    /// Whether the interaction that asks has undone it already.
    package let isUndone: Bool

    private init?(_ json: JSONValue) {
        guard let request = json["request"]?.string, let origin = json["origin"]?.string,
            let interaction = json["interaction"]?.string, let name = json["intent"]?["name"]?.string,
            let until = json["until"]?.integer
        else { return nil }
        self.request = request
        self.origin = origin
        self.interaction = interaction
        self.intent = IntentSnapshot(name: name, parameters: json["intent"]?["parameters"]?.object ?? [:])
        self.effects = (json["effects"]?.array ?? []).compactMap(MadeEffect.init(json:))
        self.until = until
        self.isUndone = json["undone_by"]?.string != nil
    }

    func isOver(at now: Date) -> Bool { now.timeIntervalSince1970 * 1_000 >= Double(self.until) }

    /// Those of the user that were not undone, the newest first.
    ///
    /// - Parameters:
    ///   - context: The turn's context; its user.
    ///   - request: The position of the interaction that undoes; what it has undone itself is found, too, since its turn
    ///     may run again.
    /// - Returns: Twenty at most.
    /// - Throws: What the store throws.
    package static func all(_ context: TurnContext, by request: String = "") async throws -> [Self] {
        let user = context.user.id
        let found = try await context.readJSON("undoable") { store in
            let rows = try store.query(
                """
                SELECT request, origin, interaction, intent, effects, until, undone_by FROM undoable
                WHERE user_id = $1 AND (undone_by IS NULL OR undone_by = $2) ORDER BY at DESC, request DESC LIMIT $3
                """,
                [.string(user), .string(request), .integer(Int64(Self.maximum))]
            )
            return .array(
                try rows.map { row in
                    var row = row
                    for name in ["effects", "intent"] {
                        let text = Array((row[name]?.string ?? "null").utf8)
                        row[name] = try JSONValue(parsing: text, maximumDepth: .max)
                    }
                    return .object(row)
                }
            )
        }
        return (found.array ?? []).compactMap(Self.init)
    }
}
