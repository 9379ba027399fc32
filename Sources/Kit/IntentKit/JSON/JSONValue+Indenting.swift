extension JSONValue {
    /// The text for people: keys sorted, one member or element a line where there are several.
    package var indented: String {
        var text = ""
        self.indent(into: &text, by: "")
        return text
    }

    private func indent(into text: inout String, by margin: String) {
        let short = self.description
        switch self {
        case .array(let elements) where !elements.isEmpty && margin.count + short.count > 100:
            Self.indent(elements.map { ("", $0) }, "[", "]", into: &text, by: margin)
        case .object(let members) where !members.isEmpty && (margin.isEmpty || margin.count + short.count > 100):
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            Self.indent(
                sorted.map { ("\(JSONValue.string($0.key)): ", $0.value) },
                "{",
                "}",
                into: &text,
                by: margin
            )
        case .null, .bool, .integer, .number, .string, .array, .object:
            text += short
        }
    }

    private static func indent(
        _ values: [(prefix: String, value: JSONValue)],
        _ start: String,
        _ end: String,
        into text: inout String,
        by margin: String
    ) {
        text += start
        for (index, value) in values.enumerated() {
            text += (index == 0 ? "\n" : ",\n") + margin + "  " + value.prefix
            value.value.indent(into: &text, by: margin + "  ")
        }
        text += "\n\(margin)\(end)"
    }
}
