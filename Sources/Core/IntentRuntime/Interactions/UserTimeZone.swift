internal import Foundation

/// The time zones of users, by IANA names such as `Europe/Berlin` (R73).
enum UserTimeZone {
    /// The largest number of bytes of a name.
    static let maximumBytes = 64

    /// The name of a zone in a client's text; nil for a text that cannot be one, which counts as absent.
    static func name(_ text: String) -> String? { (1...Self.maximumBytes).contains(text.utf8.count) ? text : nil }

    /// Whether this machine's zone database has a zone of that name.
    static func isKnown(_ name: String) -> Bool { TimeZone(identifier: name) != nil }
}
