/// The parts of an expression.
indirect enum PatternNode: Sendable {
    case empty
    /// One scalar of a class.
    case scalars(PatternClass)
    case anchor(PatternAnchor)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// A repetition; without `most`, unlimited.
    case repetition(PatternNode, least: Int, most: Int?)
}

enum PatternAnchor: Sendable {
    /// `^`, `\A`: the beginning.
    case beginning
    /// `\z`: the end.
    case end
    /// `$`, `\Z`: the end, or before a line break that ends the text.
    case lastLineEnd

    /// Whether the anchor matches at an index of the text.
    func holds(at index: Int, of text: [Unicode.Scalar]) -> Bool {
        switch self {
        case .beginning: return index == 0
        case .end: return index == text.count
        case .lastLineEnd:
            if index == text.count { return true }
            let rest = text[index...]
            if rest.count == 2 { return rest.first == "\r" && rest.last == "\n" }
            guard rest.count == 1, PatternClass.lineBreaks.contains(text[index]) else { return false }
            // Not between the two scalars of a line break.
            return !(text[index] == "\n" && index > 0 && text[index - 1] == "\r")
        }
    }
}

struct PatternProblem: Error, Hashable {
    /// The problem, in words that follow the expression.
    var message: String

    init(_ message: String) {
        self.message = message
    }
}
