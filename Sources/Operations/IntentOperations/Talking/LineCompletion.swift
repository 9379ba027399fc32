/// The completions of the tab key at a prompt.
package struct LineCompletion: Sendable {
    /// Complete answers.
    package var answers: [String]
    /// Parameters that can be corrected, with their known values.
    package var corrections: [(name: String, values: [String])]

    package init(answers: [String] = [], corrections: [(name: String, values: [String])] = []) {
        self.answers = answers
        self.corrections = corrections
    }

    /// The completions of the input, in either case.
    package func lines(beginningWith text: String) -> [String] {
        if let mark = text.firstIndex(of: "=") {
            let (name, typed) = (text[..<mark], text[text.index(after: mark)...])
            let values = self.corrections.first { $0.name == name }?.values ?? []
            return values.filter { Self.begins($0, with: typed) }.map { "\(name)=\($0)" }
        }
        var lines: [String] = []
        for line in self.answers + self.corrections.map({ $0.name + "=" })
        where Self.begins(line, with: text[...]) && !lines.contains(line) {
            lines.append(line)
        }
        return lines
    }

    /// The common beginning of all the completions, in either case.
    package static func common(_ lines: [String]) -> String {
        guard var common = lines.first else { return "" }
        for line in lines.dropFirst() {
            while !Self.begins(line, with: common[...]) { common.removeLast() }
        }
        return common
    }

    private static func begins(_ line: String, with text: Substring) -> Bool {
        line.lowercased().hasPrefix(text.lowercased())
    }
}
