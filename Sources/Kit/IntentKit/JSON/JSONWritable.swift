/// A type whose JSON form is written straight into bytes.
package protocol JSONWritable {
    /// Writes the form as one value, in canonical text (R11).
    func write(to text: inout JSONText)
}

extension JSONWritable {
    /// The form's canonical text.
    package var utf8: [UInt8] { JSONText.bytes { self.write(to: &$0) } }

    /// The form as a tree of values, for code that looks into it.
    package var json: JSONValue {
        // A text that was just written can be read at any depth.
        (try? JSONValue(parsing: self.utf8, maximumDepth: .max)) ?? .null
    }
}

extension JSONValue: JSONWritable {
    package func write(to text: inout JSONText) { text.value(self) }
}

extension JSONText {
    package mutating func value(_ value: some JSONWritable) { value.write(to: &self) }

    /// Writes a member that is a value's form; nil leaves it out.
    package mutating func member(_ name: StaticString, _ value: (some JSONWritable)?) {
        guard let value else { return }
        self.name(name)
        value.write(to: &self)
    }
}
