/// A regular expression that a whole text must match, in time proportional to the text.
///
/// ``PatternParser`` describes what expressions may contain. All ways of matching are followed at once, scalar by
/// scalar (Thompson's construction), so no expression makes a text take more than its length times ``maximumSize``
/// steps. The result depends only on the expression and the text: a replay gets the same result (R42).
struct TextPattern: Sendable {
    /// The largest number of instructions of an expression; counted repetitions are written out.
    static let maximumSize = 2_000

    /// One step of the machine.
    enum Instruction: Sendable {
        /// Consumes a scalar of this class and continues with the next instruction.
        case consume(PatternClass)
        /// Continues at both instructions.
        case fork(Int, Int)
        case jump(Int)
        /// Continues if the position in the text is one of these.
        case anchor(PatternAnchor)
        case end
    }

    let source: String
    private let program: [Instruction]

    /// Compiles an expression.
    /// - Throws: ``PatternProblem`` that says what is wrong, and where.
    init(_ source: String) throws(PatternProblem) {
        var parser = PatternParser(source)
        let node = try parser.parse()
        var program: [Instruction] = []
        try Self.compile(node, into: &program)
        program.append(.end)
        self.source = source
        self.program = program
    }

    /// Whether the whole text matches.
    func matches(_ text: String) -> Bool {
        var now = PatternThreads(count: self.program.count)
        var next = PatternThreads(count: self.program.count)
        let scalars = Array(text.unicodeScalars)
        self.add(0, to: &now, at: 0, of: scalars)
        for (index, scalar) in scalars.enumerated() {
            if now.instructions.isEmpty { return false }
            for instruction in now.instructions {
                if case .consume(let accepted) = self.program[instruction], accepted.contains(scalar) {
                    self.add(instruction + 1, to: &next, at: index + 1, of: scalars)
                }
            }
            swap(&now, &next)
            next.removeAll()
        }
        return now.instructions.contains { if case .end = self.program[$0] { true } else { false } }
    }

    /// Adds an instruction and all that can be reached from it without consuming a scalar.
    private func add(_ instruction: Int, to threads: inout PatternThreads, at index: Int, of text: [Unicode.Scalar]) {
        var pending = [instruction]
        while let instruction = pending.popLast() {
            guard threads.insert(instruction) else { continue }
            switch self.program[instruction] {
            case .jump(let target): pending.append(target)
            case .fork(let first, let second): pending += [second, first]
            case .anchor(let anchor): if anchor.holds(at: index, of: text) { pending.append(instruction + 1) }
            case .consume, .end: threads.instructions.append(instruction)
            }
        }
    }

    // MARK: Compiling

    private static func compile(_ node: PatternNode, into program: inout [Instruction]) throws(PatternProblem) {
        guard program.count < Self.maximumSize else {
            throw PatternProblem("it has more than \(Self.maximumSize) steps when its repetitions are expanded")
        }
        switch node {
        case .empty: break
        case .scalars(let accepted): program.append(.consume(accepted))
        case .anchor(let anchor): program.append(.anchor(anchor))
        case .sequence(let nodes):
            for node in nodes { try Self.compile(node, into: &program) }
        case .alternatives(let nodes): try Self.compile(alternatives: nodes[...], into: &program)
        case .repetition(let node, let least, let most):
            for _ in 0..<least {
                let before = program.count
                try Self.compile(node, into: &program)
                // Nothing, however often it is repeated.
                if program.count == before { return }
            }
            if let most {
                var forks: [Int] = []
                for _ in least..<most {
                    forks.append(program.count)
                    program.append(.fork(program.count + 1, 0))
                    try Self.compile(node, into: &program)
                }
                for fork in forks { program[fork] = .fork(fork + 1, program.count) }
            } else {
                let fork = program.count
                program.append(.fork(fork + 1, 0))
                try Self.compile(node, into: &program)
                program.append(.jump(fork))
                program[fork] = .fork(fork + 1, program.count)
            }
        }
    }

    private static func compile(
        alternatives: ArraySlice<PatternNode>,
        into program: inout [Instruction]
    ) throws(PatternProblem) {
        var jumps: [Int] = []
        for (index, node) in zip(alternatives.indices, alternatives) {
            guard index < alternatives.endIndex - 1 else {
                try Self.compile(node, into: &program)
                break
            }
            let fork = program.count
            program.append(.fork(fork + 1, 0))
            try Self.compile(node, into: &program)
            jumps.append(program.count)
            program.append(.jump(0))
            program[fork] = .fork(fork + 1, program.count)
        }
        for jump in jumps { program[jump] = .jump(program.count) }
    }
}

/// The instructions at which a machine is, each once.
struct PatternThreads {
    /// The instructions that consume a scalar, or are the end.
    var instructions: [Int] = []
    /// The last round in which each instruction was visited.
    private var rounds: [UInt32]
    private var round: UInt32 = 1

    /// Creates an empty set, for a program of that length.
    init(count: Int) {
        self.rounds = Array(repeating: 0, count: count)
    }

    /// Marks an instruction as visited; returns whether it was new.
    mutating func insert(_ instruction: Int) -> Bool {
        guard self.rounds[instruction] != self.round else { return false }
        self.rounds[instruction] = self.round
        return true
    }

    /// Starts a new round.
    mutating func removeAll() {
        self.instructions.removeAll(keepingCapacity: true)
        self.round += 1
    }
}
