/// Reads an expression.
///
/// What it may hold, all with the meaning that ICU and Perl give it:
/// - scalars as they are, `.` (all but line breaks), `|`, groups `( )` and `(?: )`;
/// - `*`, `+`, `?`, `{n}`, `{n,}`, `{n,m}`, also with `?` behind them (a whole text matches either way);
/// - sets `[abc]`, `[^a-z0-9]`, with escapes inside;
/// - `\d`, `\w`, `\s` and their opposites `\D`, `\W`, `\S`; `\p{Lu}`, `\P{L}` (general categories);
/// - `\t`, `\n`, `\r`, `\f`, `\xHH`, `\x{H…}`, `\uHHHH`, and a backslash before any sign that is neither letter nor
///   digit;
/// - `^`, `$`, `\A`, `\Z`, `\z`.
///
/// What would need to look back or ahead is refused: back references, look-around, atomic groups, possessive
/// quantifiers, word boundaries; and flags.
struct PatternParser {
    private let text: [Unicode.Scalar]
    private var index = 0
    private var depth = 0

    /// The largest depth of nested groups.
    private static let maximumDepth = 50
    /// The largest count in a quantifier.
    private static let maximumCount = 1_000

    init(_ source: String) {
        self.text = Array(source.unicodeScalars)
    }

    mutating func parse() throws(PatternProblem) -> PatternNode {
        let node = try self.alternatives()
        guard self.index == self.text.count else {
            throw self.problem("closes a group that is not open", at: self.index)
        }
        return node
    }

    private var next: Unicode.Scalar? { self.index < self.text.count ? self.text[self.index] : nil }

    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
        guard self.next == scalar else { return false }
        self.index += 1
        return true
    }

    private func problem(_ what: String, at index: Int) -> PatternProblem {
        PatternProblem(
            "at character \(index + 1): \(index < self.text.count ? "\(self.text[index])" : "the end") \(what)"
        )
    }

    private mutating func alternatives() throws(PatternProblem) -> PatternNode {
        var alternatives = [try self.sequence()]
        while self.consume("|") { alternatives.append(try self.sequence()) }
        return alternatives.count == 1 ? alternatives[0] : .alternatives(alternatives)
    }

    private mutating func sequence() throws(PatternProblem) -> PatternNode {
        var nodes: [PatternNode] = []
        while let next = self.next, next != "|", next != ")" {
            let atom = try self.atom()
            nodes.append(try self.quantified(atom))
        }
        return nodes.isEmpty ? .empty : nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func quantified(_ atom: PatternNode) throws(PatternProblem) -> PatternNode {
        let position = self.index
        let node: PatternNode
        switch self.next {
        case "*": node = .repetition(atom, least: 0, most: nil)
        case "+": node = .repetition(atom, least: 1, most: nil)
        case "?": node = .repetition(atom, least: 0, most: 1)
        case "{":
            let (least, most) = try self.counts()
            node = .repetition(atom, least: least, most: most)
        default: return atom
        }
        if case .anchor = atom { throw self.problem("repeats an anchor, not a character", at: position) }
        self.index += 1
        _ = self.consume("?")
        if let next = self.next, ["*", "+", "?", "{"].contains(next) {
            throw self.problem(
                next == "+"
                    ? "makes a possessive quantifier, which is not supported" : "repeats a repetition: use a group",
                at: self.index
            )
        }
        return node
    }

    /// The numbers in braces; afterwards the position is at the closing brace.
    private mutating func counts() throws(PatternProblem) -> (Int, Int?) {
        let position = self.index
        self.index += 1
        guard let least = self.number() else { throw self.problem("is not a repetition such as {2,5}", at: position) }
        var most: Int? = least
        if self.consume(",") { most = self.next == "}" ? nil : self.number() ?? -1 }
        guard self.next == "}", most ?? least >= least else {
            throw self.problem("is not a repetition such as {2,5}", at: position)
        }
        guard max(least, most ?? 0) <= Self.maximumCount else {
            throw self.problem("repeats more than \(Self.maximumCount) times", at: position)
        }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var number: Int?
        while let digit = self.next, ("0"..."9").contains(digit) {
            number = min((number ?? 0) * 10 + Int(digit.value - 0x30), Self.maximumCount + 1)
            self.index += 1
        }
        return number
    }

    private mutating func atom() throws(PatternProblem) -> PatternNode {
        let position = self.index
        let scalar = self.text[position]
        self.index += 1
        switch scalar {
        case "(": return try self.group(at: position)
        case "[": return .scalars(try self.set(at: position))
        case ".": return .scalars(.anyButLineBreaks)
        case "^": return .anchor(.beginning)
        case "$": return .anchor(.lastLineEnd)
        case "\\": return try self.escape(at: position)
        case "*", "+", "?", "{": throw self.problem("repeats nothing", at: position)
        default: return .scalars(PatternClass(scalar))
        }
    }

    private mutating func group(at position: Int) throws(PatternProblem) -> PatternNode {
        self.depth += 1
        defer { self.depth -= 1 }
        guard self.depth <= Self.maximumDepth else { throw self.problem("nests groups too deeply", at: position) }
        if self.consume("?"), !self.consume(":") {
            throw self.problem("(? begins an unsupported group: look-around, name, flags or atomic group", at: position)
        }
        let node = try self.alternatives()
        guard self.consume(")") else { throw self.problem("opens a group that is not closed", at: position) }
        return node
    }

    private mutating func escape(at position: Int) throws(PatternProblem) -> PatternNode {
        switch self.next {
        case "A":
            self.index += 1
            return .anchor(.beginning)
        case "Z":
            self.index += 1
            return .anchor(.lastLineEnd)
        case "z":
            self.index += 1
            return .anchor(.end)
        default: return .scalars(try self.escapedClass(at: position))
        }
    }

    /// The meaning of an escape after a backslash, outside sets and inside.
    private mutating func escapedClass(at position: Int) throws(PatternProblem) -> PatternClass {
        guard let scalar = self.next else { throw self.problem("escapes nothing", at: position) }
        self.index += 1
        switch scalar {
        case "d": return PatternClass([.property(.digit)])
        case "D": return PatternClass([.property(.digit)], isInverted: true)
        case "w": return PatternClass([.property(.word)])
        case "W": return PatternClass([.property(.word)], isInverted: true)
        case "s": return PatternClass([.property(.space)])
        case "S": return PatternClass([.property(.space)], isInverted: true)
        case "p", "P": return try self.category(isInverted: scalar == "P", at: position)
        case "t": return PatternClass("\t")
        case "n": return PatternClass("\n")
        case "r": return PatternClass("\r")
        case "f": return PatternClass("\u{0C}")
        case "x": return PatternClass(try self.hexadecimal(at: position, digits: 2))
        case "u": return PatternClass(try self.hexadecimal(at: position, digits: 4))
        case "1"..."9": throw self.problem("refers back to a group, which is not supported", at: position)
        case _ where scalar.value >= 0x80, "a"..."z", "A"..."Z", "0":
            throw self.problem("begins the escape \\\(scalar), which is not supported", at: position)
        default: return PatternClass(scalar)
        }
    }

    private mutating func category(isInverted: Bool, at position: Int) throws(PatternProblem) -> PatternClass {
        var name = ""
        if self.consume("{") {
            while let scalar = self.next, scalar != "}" {
                name.unicodeScalars.append(scalar)
                self.index += 1
            }
            self.index += 1
        }
        guard PatternClass.Property.categories.contains(name) else {
            throw self.problem("does not begin a general category such as \\p{Lu} or \\p{L}", at: position)
        }
        return PatternClass([.property(.category(name))], isInverted: isInverted)
    }

    private mutating func hexadecimal(at position: Int, digits: Int) throws(PatternProblem) -> Unicode.Scalar {
        var text = ""
        if digits == 2, self.consume("{") {
            while let scalar = self.next, scalar != "}", text.count < 7 {
                text.unicodeScalars.append(scalar)
                self.index += 1
            }
            guard self.consume("}") else { throw self.problem("begins a number that is not closed", at: position) }
        } else {
            while let scalar = self.next, text.count < digits {
                text.unicodeScalars.append(scalar)
                self.index += 1
            }
            guard text.count == digits else {
                throw self.problem("requires \(digits) hexadecimal digits", at: position)
            }
        }
        guard text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16), let scalar = Unicode.Scalar(value)
        else {
            throw self.problem("does not begin the number of a character", at: position)
        }
        return scalar
    }

    // MARK: Sets

    private mutating func set(at position: Int) throws(PatternProblem) -> PatternClass {
        let isInverted = self.consume("^")
        var parts: [PatternClass.Part] = []
        guard self.next != "]" else { throw self.problem("is empty: write \\] for the bracket itself", at: position) }
        while let scalar = self.next, scalar != "]" {
            let start = self.index
            let first = try self.setMember()
            let isRange = self.next == "-" && self.index + 1 < self.text.count && self.text[self.index + 1] != "]"
            guard isRange else {
                parts += Self.parts(of: first)
                continue
            }
            self.index += 1
            let last = try self.setMember()
            guard let lower = Self.single(first), let upper = Self.single(last), lower <= upper else {
                throw self.problem("does not begin a range such as a-z: write \\- for the sign itself", at: start)
            }
            parts.append(.range(lower...upper))
        }
        guard self.consume("]") else { throw self.problem("opens a set that is not closed", at: position) }
        return PatternClass(parts, isInverted: isInverted)
    }

    private mutating func setMember() throws(PatternProblem) -> PatternClass {
        let position = self.index
        guard let scalar = self.next else { throw self.problem("comes within a set", at: position) }
        self.index += 1
        switch scalar {
        case "\\": return try self.escapedClass(at: position)
        case "[": throw self.problem("within a set is not supported: write \\[ for the bracket itself", at: position)
        case "&" where self.next == "&", "-" where self.next == "-":
            throw self.problem("twice within a set is not supported: write it once, or with a backslash", at: position)
        default: return PatternClass(scalar)
        }
    }

    private static func parts(of set: PatternClass) -> [PatternClass.Part] {
        guard set.isInverted else { return set.parts }
        return [.not(PatternClass(set.parts))]
    }

    private static func single(_ set: PatternClass) -> UInt32? {
        guard !set.isInverted, set.parts.count == 1, case .range(let range) = set.parts[0], range.count == 1 else {
            return nil
        }
        return range.lowerBound
    }
}
