/// An invalid line of a scenario file.
package struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, from 1.
    package var line: Int
    /// The field, such as `expect.prompts[1]`; empty for the whole line.
    package var field: String
    /// What is wrong and what would be right.
    package var message: String

    package init(line: Int, field: String, message: String) {
        self.line = line
        self.field = field
        self.message = message
    }

    /// `line 3, expect.prompts[1]: …`.
    package var description: String {
        self.field.isEmpty
            ? "line \(self.line): \(self.message)" : "line \(self.line), \(self.field): \(self.message)"
    }
}
