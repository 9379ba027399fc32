internal import IntentKit

/// A file of scenarios, one JSON object on each line; empty lines are ignored.
package struct ScenarioFile: Hashable, Sendable {
    /// A scenario with its line.
    package struct Entry: Hashable, Sendable {
        /// The line, from 1.
        package var line: Int
        package var scenario: Scenario
    }

    /// The scenarios, in the file's order.
    package private(set) var entries: [Entry] = []
    /// What is wrong, in the file's order; lines with a problem are not among the entries.
    package private(set) var problems: [ScenarioError] = []

    package init(parsing text: some Collection<UInt8>) {
        var names: [String: Int] = [:]
        let newline = UInt8(ascii: "\n")
        for (index, bytes) in text.split(separator: newline, omittingEmptySubsequences: false).enumerated() {
            let isBlank = bytes.allSatisfy { $0 == UInt8(ascii: " ") || $0 == 0x09 || $0 == 0x0D }
            guard !isBlank else { continue }
            let line = index + 1
            let json: JSONValue
            do throws(JSONParsingError) {
                json = try JSONValue(parsing: bytes)
            } catch {
                self.problems.append(ScenarioError(line: line, field: "", message: "\(error)"))
                continue
            }
            var reader = ScenarioReader(json, line: line)
            let scenario = reader.read()
            if let scenario, let other = names[scenario.name] {
                reader.record("name", "\(scenario.name) is already the name of the scenario on line \(other)")
            }
            guard reader.problems.isEmpty, let scenario else {
                self.problems += reader.problems
                continue
            }
            names[scenario.name] = line
            self.entries.append(Entry(line: line, scenario: scenario))
        }
    }
}
