package import IntentKit

/// A pause: interactions that come to a stage wait before their handler is called (R82d).
///
/// Each stage keeps it in its state, in each partition, under a user of intentd's own whose home that partition is. So
/// it is restored with the state, whichever worker has the partition.
package struct Pause: Hashable, Sendable {
    /// What is paused.
    package enum Target: Hashable, Sendable, CustomStringConvertible {
        case intent(String)
        /// All intents of an extension, by its name.
        case app(String)

        /// The form in events and names: `intent:Book`, `app:Travel`.
        package var description: String {
            switch self {
            case .intent(let name): "intent:\(name)"
            case .app(let name): "app:\(name)"
            }
        }

        package init?(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.count <= Event.maximumIDBytes else { return nil }
            switch parts[0] {
            case "intent": self = .intent(String(parts[1]))
            case "app": self = .app(String(parts[1]))
            default: return nil
            }
        }
    }

    /// The beginning of the names of the users under whom pauses are kept.
    private static let keeper = "intentd.operators/"

    package var target: Target
    /// The id of the act.
    package var id: String
    /// Since when.
    package var since: Timestamp
    /// Who has paused it.
    package var by: String
    package var reason: String?

    package init(_ target: Target, id: String, since: Timestamp, by: String, reason: String? = nil) {
        self.target = target
        self.id = id
        self.since = since
        self.by = by
        self.reason = reason
    }

    /// Whether it holds the interactions of an intent.
    package func holds(_ intent: String, of app: String?) -> Bool {
        switch self.target {
        case .intent(let name): name == intent
        case .app(let name): name == app
        }
    }

    /// The form in state and in the journal.
    package var json: JSONValue {
        .members([
            "by": .string(self.by),
            "id": .string(self.id),
            "reason": self.reason.map(JSONValue.string),
            "since": .integer(self.since.milliseconds),
            "target": .string(self.target.description),
        ])
    }

    package init?(json: JSONValue) {
        guard let target = json["target"]?.string.flatMap({ Target($0) }), let id = json["id"]?.string,
            let since = json["since"]?.integer, let by = json["by"]?.string
        else { return nil }
        self.init(target, id: id, since: Timestamp(milliseconds: since), by: by, reason: json["reason"]?.string)
    }

    /// The user under whom a partition keeps its pauses: of names with a number, the first one with that home.
    package static func keeper(ofPartition partition: Int, of count: Int) -> UserID {
        var number = 0
        while true {
            let user = UserID("\(Pause.keeper)\(number)")
            if HomePartition.of(user: user, count: count) == partition { return user }
            number += 1
        }
    }

    /// Whether a partition keeps its pauses under this user, who is no person then.
    package static func isKeeper(_ user: UserID) -> Bool {
        guard user.hasPrefix(Pause.keeper) else { return false }
        let number = user.text.utf8.dropFirst(Pause.keeper.utf8.count)
        return !number.isEmpty && number.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension [Pause] {
    /// The first one that holds the interactions of an intent; nil when none does.
    package func first(holding intent: String, of app: String?) -> Pause? { self.first { $0.holds(intent, of: app) } }
}
