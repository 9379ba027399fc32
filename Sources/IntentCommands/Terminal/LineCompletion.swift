/// What can be typed at a prompt, for the tab key.
struct LineCompletion: Sendable {
    /// Answers as a whole.
    var answers: [String] = []
    /// Parameters that can be corrected, with those of their values that are known.
    var corrections: [(name: String, values: [String])] = []

    /// The lines that begin with what is typed, whatever its case.
    func lines(beginningWith text: String) -> [String] {
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

    /// What all the lines begin with, whatever its case.
    static func common(_ lines: [String]) -> String {
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
