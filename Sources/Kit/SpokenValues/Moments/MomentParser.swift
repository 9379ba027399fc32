/// Reads a whole text as a moment or as a range of two.
struct MomentParser {
    /// How many places a text is cut at in search of a range.
    private static let maximumCuts = 6

    let tape: Tape
    let resolver: MomentResolver

    /// The moments that the text means for the goal, the likeliest first.
    func moments(_ goal: Moment.Goal) -> [Moment] {
        var found: [Moment] = []
        for options in self.options(goal) {
            found += self.single(options, goal)
        }
        guard found.isEmpty, goal == .dateRange else { return found }
        for options in self.options(goal) {
            found += self.lasting(options)
            if found.isEmpty { found += self.cut(options) }
        }
        return found
    }

    /// The ways in which marks between numbers can be read, the likeliest first.
    private func options(_ goal: Moment.Goal) -> [MomentGrammar.Options] {
        let orders: [Bool] =
            switch self.tape.region.dateOrder {
            case .dayFirst: [false]
            case .monthFirst: [true]
            case .either: [true, false]
            }
        let points = goal == .time ? [true] : goal == .dateTime ? [false, true] : [false]
        return points.flatMap { isPointTime in
            orders.map {
                MomentGrammar.Options(isMonthFirst: $0, isPointTime: isPointTime, isHyphenDate: goal != .dateRange)
            }
        }
    }

    private func slots(_ range: Range<Int>, _ options: MomentGrammar.Options) -> Slots? {
        guard !range.isEmpty else { return nil }
        var grammar = MomentGrammar(tape: self.tape, range: range, options: options)
        return grammar.read()
    }

    private func single(_ options: MomentGrammar.Options, _ goal: Moment.Goal) -> [Moment] {
        self.slots(0..<self.tape.end, options).map { self.resolver.moments($0, goal) } ?? []
    }

    /// "From 4pm for thirty minutes": a start and a length.
    private func lasting(_ options: MomentGrammar.Options) -> [Moment] {
        guard let index = (0..<self.tape.end).first(where: { self.tape.has(.lasting, at: $0) }),
            let amounts = self.tape.amounts(at: index + 1)
        else { return [] }
        var options = options
        options.isSide = true
        let rest = index == 0 ? amounts.end..<self.tape.end : 0..<index
        guard index == 0 || amounts.end == self.tape.end, let start = self.slots(rest, options) else { return [] }
        return self.resolver.ranges(from: start, lasting: amounts.value)
    }

    /// "From … to …", cut at the first connector that leaves two sides.
    private func cut(_ options: MomentGrammar.Options) -> [Moment] {
        var options = options
        options.isSide = true
        var cuts = 0
        var opening = Opening()
        for index in 0..<max(0, self.tape.end - 1) {
            guard let lexeme = self.tape[index] else { break }
            if index > 0, opening.isFollowed(by: lexeme), !self.isInNumber(index) {
                cuts += 1
                guard cuts <= Self.maximumCuts else { break }
                if let left = self.slots(0..<index, options), let right = self.slots(index + 1..<self.tape.end, options)
                {
                    let isUntil = lexeme.has(.until) && !lexeme.has(.at)
                    let found = self.resolver.ranges(from: left, to: right, isUntil: isUntil)
                    if !found.isEmpty { return found }
                }
            }
            opening.note(lexeme)
        }
        return []
    }

    /// Whether it is the slash in `5/6`, which separates day and month.
    private func isInNumber(_ index: Int) -> Bool {
        guard self.tape.isMark("/", at: index), let before = self.tape[index - 1], let after = self.tape[index + 1]
        else {
            return false
        }
        let isOfClock = self.tape.isMark(":", at: index - 2)
        return (1...2).contains(before.count) && (1...2).contains(after.count) && !isOfClock
    }

    /// What was said before a connector, and decides what is one.
    private struct Opening {
        private var isBetween = false
        private var isAfter = false

        mutating func note(_ lexeme: Lexeme) {
            self.isBetween = self.isBetween || lexeme.has(.between)
            self.isAfter = self.isAfter || lexeme.has(.after) || lexeme.has(.from)
        }

        func isFollowed(by lexeme: Lexeme) -> Bool {
            if lexeme.isMark { return lexeme.isMark("-") || lexeme.isMark("/") }
            return lexeme.has(.to) || lexeme.has(.until) || lexeme.has(.and) && self.isBetween
                || lexeme.has(.before) && self.isAfter
        }
    }
}
