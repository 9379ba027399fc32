internal import IntentKit

extension ScenarioReport {
    /// The report as JUnit XML, which CI systems read: a mismatch is a failure, an execution error an error.
    package var junit: String {
        let counts = self.counts
        let totals =
            "tests=\"\(self.results.count)\" failures=\"\(counts.mismatched)\" errors=\"\(counts.errors)\" "
            + "skipped=\"0\" time=\"\(Self.seconds(self.duration))\""
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites name=\"intentd test\" \(totals)>",
            "  <testsuite name=\"scenarios\" \(totals)>",
        ]
        for (index, result) in self.results.enumerated() {
            var attributes =
                "name=\"\(Self.escaped(result.scenario.name))\" "
                + "classname=\"\(Self.escaped(result.scenario.intent.name))\" time=\"\(Self.seconds(result.duration))\""
            if let location = self.location(index) { attributes += " file=\"\(Self.escaped(location))\"" }
            switch result.outcome {
            case .matched:
                lines.append("    <testcase \(attributes)/>")
            case .mismatched(let differences):
                lines.append("    <testcase \(attributes)>")
                let message = Self.escaped(differences.first ?? "")
                let text = Self.escaped(differences.joined(separator: "\n"))
                lines.append("      <failure type=\"Mismatched\" message=\"\(message)\">\(text)</failure>")
                lines.append("    </testcase>")
            case .executionError(let message):
                lines.append("    <testcase \(attributes)>")
                lines.append("      <error type=\"ExecutionError\" message=\"\(Self.escaped(message))\"/>")
                lines.append("    </testcase>")
            }
        }
        lines += ["  </testsuite>", "</testsuites>", ""]
        return lines.joined(separator: "\n")
    }

    /// Text escaped for XML 1.0, between tags or between double quotes.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n": escaped += "&#10;"
            case "\t": escaped += "&#9;"
            // XML 1.0 has no way to write these.
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
