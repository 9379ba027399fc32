internal import IntentEvents
internal import IntentKit

/// What waits behind a user's parked turn (R5): the numbers of the state entries, and which of them may overtake it.
///
/// An event is looked at once, when it comes. What it takes to add one, to take one out and to find one that overtakes does
/// not depend on how many wait, and neither does what is kept here of those that wait for nothing but their turn.
///
/// | an event is | goes to |
/// |---|---|
/// | waiting for its turn | taken, when it is the first one and no turn is parked |
/// | a cancellation that waits | a candidate, when its interaction's turn is parked or its interaction becomes known here; taken, as any other |
/// | a candidate: it may overtake the parked turn | taken, when it does; a cancellation that waits, when it does not |
/// | unreadable | taken, by the turn that gives it up |
struct WaitingQueue: Equatable {
    /// What may come of an event while it waits.
    enum Kind: Equatable {
        /// It waits for its turn.
        case patient
        /// It is about the parked turn, whichever that is.
        case urgent
        /// It cancels an interaction.
        case cancels(InteractionID)
    }

    /// The numbers of those that wait, in order: ranges that do not touch.
    private var runs: [Range<Int64>] = []
    /// Those that may overtake the parked turn, in order.
    private(set) var candidates: [Int64] = []
    /// Cancellations that wait, by what they cancel.
    private var cancellations: [InteractionID: [Int64]] = [:]
    /// What waiting cancellations cancel.
    private var cancelled: [Int64: InteractionID] = [:]
    /// Entries that cannot be read.
    private(set) var unreadable: Set<Int64> = []
    /// How many wait.
    private(set) var count = 0

    /// Whether none waits.
    var isEmpty: Bool { self.count == 0 }

    /// The first one.
    var first: Int64? { self.runs.first?.lowerBound }

    /// The numbers of the first ones, about so many: there may be gaps among them.
    func head(_ limit: Int) -> [Int64] {
        var numbers: [Int64] = []
        for run in self.runs.prefix(limit) {
            numbers.append(contentsOf: run.prefix(limit - numbers.count))
            if numbers.count == limit { break }
        }
        return numbers
    }

    /// Whether an event that waits is, or will soon be, one of the first ones.
    func isNear(_ number: Int64, _ limit: Int) -> Bool { number - (self.first ?? 0) < Int64(limit) }

    // MARK: Transitions

    /// An event comes, and waits behind all others.
    ///
    /// - Parameters:
    ///   - kind: What may come of it.
    ///   - isCandidate: Whether it may overtake the turn that is parked now.
    /// - Returns: Its number.
    mutating func append(_ kind: Kind, isCandidate: Bool = false) -> Int64 {
        let number = self.runs.last?.upperBound ?? 0
        self.insert(number, kind, isCandidate: isCandidate)
        return number
    }

    /// An event was read back: they come in order.
    ///
    /// As far as anybody knows, it may overtake.
    mutating func restore(_ number: Int64, _ kind: Kind) {
        guard number >= self.runs.last?.upperBound ?? 0, number < .max else { return }
        self.insert(number, kind, isCandidate: kind != .patient)
    }

    /// An entry was read back that cannot be read: it is taken out in a turn of its own, and waits for nobody.
    mutating func restoreUnreadable(_ number: Int64) {
        guard number >= self.runs.last?.upperBound ?? 0, number < .max else { return }
        self.insert(number, .patient, isCandidate: false)
        self.unreadable.insert(number)
    }

    private mutating func insert(_ number: Int64, _ kind: Kind, isCandidate: Bool) {
        if let last = self.runs.indices.last, self.runs[last].upperBound == number {
            self.runs[last] = self.runs[last].lowerBound..<number + 1
        } else {
            self.runs.append(number..<number + 1)
        }
        self.count += 1
        if case .cancels(let id) = kind {
            self.cancellations[id, default: []].append(number)
            self.cancelled[number] = id
        }
        if isCandidate || kind == .urgent { self.candidates.append(number) }
    }

    /// An event is taken out, whether its turn has come, it overtakes, or it cannot be read.
    mutating func remove(_ number: Int64) {
        guard let index = self.runs.firstIndex(where: { $0.upperBound > number }), self.runs[index].contains(number)
        else { return }
        let run = self.runs[index]
        let rest = [run.lowerBound..<number, number + 1..<run.upperBound].filter { !$0.isEmpty }
        self.runs.replaceSubrange(index...index, with: rest)
        self.count -= 1
        self.unreadable.remove(number)
        self.pass(number)
        guard let id = self.cancelled.removeValue(forKey: number) else { return }
        self.cancellations[id]?.removeAll { $0 == number }
        if self.cancellations[id]?.isEmpty ?? false { self.cancellations[id] = nil }
    }

    /// A turn is parked, or an interaction is known here from now on: cancellations of it overtake.
    mutating func notice(_ interactionID: InteractionID?) {
        guard let id = interactionID, let numbers = self.cancellations[id] else { return }
        self.candidates = Set(self.candidates).union(numbers).sorted()
    }

    /// A candidate does not overtake.
    mutating func pass(_ number: Int64) {
        guard !self.candidates.isEmpty else { return }
        self.candidates.removeAll { $0 == number }
    }
}

extension WaitingQueue.Kind {
    /// What may come of an event while it waits.
    init(_ event: Event) {
        switch event.knownType {
        case .timerFired:
            let kind = event["what"]?.string.flatMap(TimerKind.init(rawValue:))
            self = kind?.isOfParkedTurn ?? false ? .urgent : .patient
        case .interactionCancelled: self = event.subject.map { .cancels($0) } ?? .urgent
        default: self = .patient
        }
    }

    /// What may come of an event that waits in a state entry; nil where none can be read.
    init?(waitingIn text: [UInt8]) {
        // Only what overtakes is tried again while another turn is parked.
        if ParkedTurn(text: text) != nil {
            self = .urgent
            return
        }
        guard let stored = StoredRecord(text: text) else { return nil }
        self = (try? stored.decoded()).map { Self($0) } ?? .patient
    }
}

extension Identity where Kind == StateKind {
    /// The number of an event that waits behind the parked turn; nil for other names.
    var queueNumber: Int64? {
        self.hasPrefix(Self.queue) ? Int64(self.text.dropFirst(Self.queue.utf8.count)) : nil
    }
}
