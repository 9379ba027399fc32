/// One series: a metric's name and its labels, in Prometheus' notation.
struct SeriesKey: Hashable, Sendable, Comparable {
    /// The name, without the suffix of its kind.
    let name: String
    /// The labels between the braces, sorted by their names; empty where there are none.
    let labels: String

    /// Translates a label and dimensions of swift-metrics: names have letters, digits and underscores.
    init(_ label: String, _ dimensions: [(String, String)]) {
        self.name = Self.name(label)
        self.labels = dimensions.map { (Self.name($0.0), $0.1) }.sorted { $0.0 < $1.0 }
            .map { "\($0.0)=\"\(Self.escaped($0.1))\"" }
            .joined(separator: ",")
    }

    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.name, lhs.labels) < (rhs.name, rhs.labels) }

    /// The labels in their braces, with one more.
    func labels(and more: String) -> String { self.labels.isEmpty ? "{\(more)}" : "{\(self.labels),\(more)}" }

    /// The labels in their braces; nothing where there are none.
    var braced: String { self.labels.isEmpty ? "" : "{\(self.labels)}" }

    private static func name(_ text: String) -> String {
        var name = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isAllowed = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
                    return isAllowed ? scalar : "_"
                }
            )
        )
        if name.first?.isNumber ?? true { name = "_" + name }
        return name
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
