import IntentKit

/// The intent of these tests.
struct OrderTeaIntent: Intent {
    enum Code: String, IntentResponseCode { case ready, inProgress, success, failure, failureSoldOut }

    @Parameter(isRequired: true) var kind: String?
    @Parameter(isRequired: true, in: 1...6) var cups: Int?
}

struct OrderTeaHandler: IntentHandler {
    struct Hiccup: TransientError {}

    /// Read from a clock without the context.
    var isUnpure = false

    var handling: Handling<OrderTeaIntent> {
        Resolve(\.$kind) { said, context in
            guard let said else { return .needsValue() }
            let known = context.vocabularyMatches(for: said, type: .notebookItemTitle).compactMap(\.identifier)
            if known.count == 1 { return .success(with: known[0]) }
            let teas = try await context.read("teas") { store in
                try store.query("SELECT name FROM teas ORDER BY name", []).compactMap { $0["name"]?.string }
            }
            let matches = teas.filter { $0.contains(said) }
            if matches.count == 1 { return .success(with: matches[0]) }
            return .disambiguation(with: matches.isEmpty ? teas : matches)
        }

        Confirm { intent, _ in
            IntentResponse(code: .ready, requiresUserConfirmation: intent.cups ?? 0 > 4)
        }

        Handle { [isUnpure] intent, context in
            let (kind, cups) = (intent.kind ?? "", Int64(intent.cups ?? 1))
            let number = try await context.effect("order") { store in
                try store.execute("INSERT INTO orders (kind, cups) VALUES (?, ?)", [.string(kind), .integer(cups)])
                return try store.query("SELECT count(*) AS n FROM orders", [])[0]["n"]?.integer ?? 0
            }
            if context.attempt == 1, kind == "rooibos" { throw Hiccup() }
            var details: JSONObject = ["number": .integer(number)]
            if isUnpure { details["time"] = .string("\(ContinuousClock.now)") }
            return IntentResponse(code: .success, details: details)
        }
    }
}

extension IntentExtension {
    static let tea = Self.tea(isUnpure: false)

    static func tea(isUnpure: Bool) -> IntentExtension {
        IntentExtension(
            "Tea",
            migrations: [
                StoreMigration(
                    "tea/1",
                    sql: """
                        CREATE TABLE teas (name TEXT NOT NULL PRIMARY KEY);
                        INSERT INTO teas VALUES ('green tea'), ('mint tea'), ('rooibos');
                        CREATE TABLE orders (kind TEXT NOT NULL, cups INTEGER NOT NULL)
                        """
                )
            ]
        ) {
            IntentRegistration { OrderTeaHandler(isUnpure: isUnpure) }
        }
    }
}
