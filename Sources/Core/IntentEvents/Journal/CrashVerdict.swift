package import IntentKit

/// The verdict about a turn that has ended its process too often (R56): it ends without its handler.
///
/// It is an input of the turn, so it is in the journal: a replay produces the same without a crash.
package struct CrashVerdict: Hashable, Sendable {
    /// How many processes crashed while it ran.
    package var deaths: Int
    /// Whether they crashed while the event was decoded: then it is not decoded again.
    package var isUndecoded: Bool

    package init(deaths: Int, isUndecoded: Bool = false) {
        self.deaths = deaths
        self.isUndecoded = isUndecoded
    }

    /// The form in the journal.
    package var json: JSONValue {
        .members(["deaths": .integer(Int64(self.deaths)), "undecoded": self.isUndecoded ? true : nil])
    }

    package init?(json: JSONValue) {
        guard let deaths = json["deaths"]?.integer else { return nil }
        self.init(deaths: Int(clamping: deaths), isUndecoded: json["undecoded"]?.bool ?? false)
    }
}
