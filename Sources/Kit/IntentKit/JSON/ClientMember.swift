/// The names of members in events of clients (R79).
package enum ClientMember {
    /// The most unknown members of one event that are named: a hostile client may send 100,000.
    package static let maximumNamed = 10

    /// Whether a name can only be a client's own, and therefore is no mistake: it begins with `x-`, or contains a dot or
    /// a colon (R79d).
    package static func isOwn(_ name: String) -> Bool {
        name.utf8.starts(with: "x-".utf8) || name.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
    }

    /// A name as it can be shown: at most 128 bytes, on one line.
    package static func shown(_ name: String) -> String {
        var shown = ""
        for scalar in name.unicodeScalars {
            guard shown.utf8.count + 16 <= 128 else { return shown + "…" }
            if scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
