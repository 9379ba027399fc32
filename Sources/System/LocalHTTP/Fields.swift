/// Names with their values, from a query or a form; bounded, because any client can send them.
package struct Fields: Hashable, Sendable {
    package static let maximumCount = 64
    /// The largest length of a name or a value in bytes; longer ones are left out.
    package static let maximumLength = 4_096

    private var values: [(name: String, value: String)]

    /// Creates fields; empty values are left out.
    package init(_ values: [(String, String?)] = []) {
        self.values = values.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : (name: name, value: $0) }
        }
    }

    /// Parses `name=value&…`; fields beyond the maximum are left out.
    package init(parsing text: String) {
        self.values = []
        for pair in text.utf8.split(separator: UInt8(ascii: "&"), maxSplits: Self.maximumCount)
            .prefix(Self.maximumCount)
        {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.allSatisfy({ $0.count <= Self.maximumLength }), let name = Self.decoded(parts[0]) else {
                continue
            }
            let value = parts.count > 1 ? Self.decoded(parts[1]) : ""
            guard let value, !value.isEmpty else { continue }
            self.values.append((name: name, value: value))
        }
    }

    /// The first value of that name; nil when it is missing or empty.
    package subscript(_ name: String) -> String? { self.values.first { $0.name == name }?.value }

    /// The names and values, in their order.
    package var all: [(name: String, value: String)] { self.values }

    /// The same fields with one value in place of those of its name.
    package func with(_ name: String, _ value: String?) -> Self {
        Self(self.values.filter { $0.name != name }.map { ($0.name, $0.value) } + [(name, value)])
    }

    /// The query, with its question mark unless there are no fields.
    package var query: String {
        self.values.isEmpty
            ? "" : "?" + self.values.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.values.elementsEqual(rhs.values, by: ==) }

    package func hash(into hasher: inout Hasher) {
        for (name, value) in self.values {
            hasher.combine(name)
            hasher.combine(value)
        }
    }

    /// A text as a part of an address.
    package static func encoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }

    /// The text of a part of an address; nil when it is invalid.
    ///
    /// A plus is a space in a query or a form, and itself in a path.
    package static func decoded(_ bytes: some Collection<UInt8>, readsPlus: Bool = true) -> String? {
        var decoded: [UInt8] = []
        var index = bytes.startIndex
        while index != bytes.endIndex {
            let byte = bytes[index]
            bytes.formIndex(after: &index)
            switch byte {
            case UInt8(ascii: "+") where readsPlus: decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                var value: UInt8 = 0
                for _ in 0..<2 {
                    guard index != bytes.endIndex,
                        let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue
                    else { return nil }
                    value = value << 4 | UInt8(digit)
                    bytes.formIndex(after: &index)
                }
                decoded.append(value)
            default: decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}
