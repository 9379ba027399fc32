import IntentOperations

/// A line during editing: its text, the cursor, and the earlier lines.
struct EditedLine {
    /// The result of a key.
    enum Outcome: Hashable {
        /// The line may have changed.
        case edited
        case entered(String)
        case ended
        case choices([String])
        /// The line is to be shown on an empty screen.
        case cleared
        /// The key does nothing here.
        case refused
    }

    private static let maximumLength = 10_000

    private var characters: [Character] = []
    /// The number of characters before the cursor.
    private(set) var cursor = 0
    /// The earlier lines, the oldest first.
    private let history: [String]
    /// The index of the shown line; after the last earlier line comes the current input.
    private var historyIndex: Int
    private var draft: [Character] = []

    init(history: [String] = []) {
        self.history = history
        self.historyIndex = history.count
    }

    var text: String { String(self.characters) }

    /// Changes the line according to a key.
    mutating func take(_ key: TerminalKey, _ completion: LineCompletion = LineCompletion()) -> Outcome {
        switch key {
        case .scalar(let scalar): return self.insert(scalar)
        case .enter: return .entered(self.text)
        case .tab: return self.complete(completion)
        case .backspace: return self.remove(self.cursor - 1..<self.cursor)
        case .delete: return self.remove(self.cursor..<self.cursor + 1)
        case .deleteOrEnd: return self.characters.isEmpty ? .ended : self.remove(self.cursor..<self.cursor + 1)
        case .left: return self.move(to: self.cursor - 1)
        case .right: return self.move(to: self.cursor + 1)
        case .home: return self.move(to: 0)
        case .end: return self.move(to: self.characters.count)
        case .wordLeft: return self.move(to: self.wordStart)
        case .wordRight: return self.move(to: self.wordEnd)
        case .up: return self.recall(self.historyIndex - 1)
        case .down: return self.recall(self.historyIndex + 1)
        case .removeToBeginning: return self.remove(0..<self.cursor)
        case .removeToEnd: return self.remove(self.cursor..<self.characters.count)
        case .removeWord: return self.remove(self.wordStart..<self.cursor)
        case .clear: return .cleared
        }
    }

    /// The part of the line that fits into this many columns, and the cursor's column in it.
    func window(columns: Int) -> (text: String, cursor: Int) {
        var start = 0
        var before = self.characters[..<self.cursor].reduce(0) { $0 + TextWidth.columns(of: $1) }
        // The cursor may be after the last character, and takes a column there.
        while before >= columns, start < self.cursor {
            before -= TextWidth.columns(of: self.characters[start])
            start += 1
        }
        var text = ""
        var room = columns
        for character in self.characters[start...] {
            room -= TextWidth.columns(of: character)
            guard room >= 0 else { break }
            text.append(character)
        }
        return (text, before)
    }

    private mutating func insert(_ scalar: Unicode.Scalar) -> Outcome {
        guard self.characters.count < Self.maximumLength else { return .refused }
        // An accent that is typed after its letter belongs to it.
        if self.cursor > 0 {
            let joined = String(self.characters[self.cursor - 1]) + String(scalar)
            if joined.count == 1, let character = joined.first {
                self.characters[self.cursor - 1] = character
                return .edited
            }
        }
        self.characters.insert(Character(scalar), at: self.cursor)
        self.cursor += 1
        return .edited
    }

    private mutating func remove(_ range: Range<Int>) -> Outcome {
        guard range.lowerBound >= 0, range.upperBound <= self.characters.count, !range.isEmpty else { return .refused }
        self.characters.removeSubrange(range)
        self.cursor = range.lowerBound
        return .edited
    }

    private mutating func move(to cursor: Int) -> Outcome {
        guard (0...self.characters.count).contains(cursor) else { return .refused }
        self.cursor = cursor
        return .edited
    }

    private var wordStart: Int {
        var index = self.cursor
        while index > 0, self.characters[index - 1].isWhitespace { index -= 1 }
        while index > 0, !self.characters[index - 1].isWhitespace { index -= 1 }
        return index
    }

    private var wordEnd: Int {
        var index = self.cursor
        while index < self.characters.count, self.characters[index].isWhitespace { index += 1 }
        while index < self.characters.count, !self.characters[index].isWhitespace { index += 1 }
        return index
    }

    private mutating func recall(_ index: Int) -> Outcome {
        guard (0...self.history.count).contains(index) else { return .refused }
        if self.historyIndex == self.history.count { self.draft = self.characters }
        self.historyIndex = index
        self.characters = index == self.history.count ? self.draft : Array(self.history[index])
        self.cursor = self.characters.count
        return .edited
    }

    private mutating func complete(_ completion: LineCompletion) -> Outcome {
        let typed = String(self.characters[..<self.cursor])
        let lines = completion.lines(beginningWith: typed)
        guard !lines.isEmpty else { return .refused }
        let common = LineCompletion.common(lines)
        // The common beginning of the completions may be no longer than the input.
        guard lines.count == 1 || common.count > typed.count else { return .choices(lines) }
        self.characters.replaceSubrange(0..<self.cursor, with: common)
        self.cursor = common.count
        return .edited
    }
}
