internal import IntentEvents
internal import IntentKit

/// The queue behind a user's parked turn (R5): the numbers of the state entries, and which of them may overtake it.
///
/// An event is examined once, on arrival. The cost of adding one, of removing one and of finding one that overtakes
/// does not depend on the queue's length. Neither does the memory for events that only wait for their turn.
///
/// | an event is | goes to |
/// |---|---|
/// | waiting for its turn | dequeued, when it is the first one and no turn is parked |
/// | a waiting cancellation | a candidate, when its interaction's turn is parked or its interaction becomes known here; dequeued, as any other |
/// | a candidate: it may overtake the parked turn | dequeued, when it does; waiting, when it turns out that it does not |
/// | unreadable | dequeued, by the turn that gives it up (R59) |
struct WaitingQueue: Equatable {
    /// How an event may overtake.
    enum Kind: Equatable {
        /// It waits for its turn.
        case patient
        /// It is about the parked turn, whichever that is.
        case urgent
        case cancels(InteractionID)
    }

    /// The numbers of the waiting events, in order: ranges that do not touch.
    private var runs: [Range<Int64>] = []
    /// The events that may overtake the parked turn, in order.
    private(set) var candidates: [Int64] = []
    /// Waiting cancellations, by the interaction that they cancel.
    private var cancellations: [InteractionID: [Int64]] = [:]
    /// The interactions that waiting cancellations cancel.
    private var cancelled: [Int64: InteractionID] = [:]
    /// Entries that cannot be read.
    private(set) var unreadable: Set<Int64> = []
    /// The number of waiting events.
    private(set) var count = 0

    var isEmpty: Bool { self.count == 0 }

    /// The number of the first one.
    var first: Int64? { self.runs.first?.lowerBound }

    /// The numbers of about this many first ones: there may be gaps among them.
    func head(_ limit: Int) -> [Int64] {
        var numbers: [Int64] = []
        for run in self.runs.prefix(limit) {
            numbers.append(contentsOf: run.prefix(limit - numbers.count))
            if numbers.count == limit { break }
        }
        return numbers
    }

    /// Whether a waiting event is, or will soon be, one of the first ones.
    func isNear(_ number: Int64, _ limit: Int) -> Bool { number - (self.first ?? 0) < Int64(limit) }

    // MARK: Transitions

    /// An event arrives, and waits behind all others.
    ///
    /// - Parameters:
    ///   - kind: How it may overtake.
    ///   - isCandidate: Whether it may overtake the turn that is parked now.
    /// - Returns: Its number.
    mutating func append(_ kind: Kind, isCandidate: Bool = false) -> Int64 {
        let number = self.runs.last?.upperBound ?? 0
        self.insert(number, kind, isCandidate: isCandidate)
        return number
    }

    /// An event was restored; they come in order.
    ///
    /// It counts as a candidate until it is examined.
    mutating func restore(_ number: Int64, _ kind: Kind) {
        guard number >= self.runs.last?.upperBound ?? 0, number < .max else { return }
        self.insert(number, kind, isCandidate: kind != .patient)
    }

    /// An unreadable entry was restored: a turn of its own removes it, and it waits for no other.
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

    /// An event is removed: its turn has come, it overtakes, or it cannot be read.
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

    /// A turn was parked, or an interaction is known here from now on: cancellations of it overtake.
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
    /// How an event may overtake.
    init(_ event: Event) {
        switch event.knownType {
        case .timerFired:
            let kind = event["what"]?.string.flatMap(TimerKind.init(rawValue:))
            self = kind?.isOfParkedTurn ?? false ? .urgent : .patient
        case .interactionCancelled: self = event.subject.map { .cancels($0) } ?? .urgent
        case .operatorActed: self = event.subject.map { .cancels($0) } ?? .patient
        default: self = .patient
        }
    }

    /// How an event of the queue may overtake.
    init(_ queued: QueuedEvent) {
        switch queued {
        // Only events that overtake are retried while another turn is parked.
        case .again: self = .urgent
        case .first(let stored): self = (try? stored.decoded()).map { Self($0) } ?? .patient
        }
    }
}

extension Identity where Kind == StateKind {
    /// The number of a queued event; nil for other names.
    var queueNumber: Int64? { self.hasPrefix(Self.queue) ? Int64(self.text.dropFirst(Self.queue.utf8.count)) : nil }
}
