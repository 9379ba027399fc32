internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// What one partition's turns did to the effects' ledger, according to the journal.
struct JournaledEffects: Sendable {
    /// The key of the effects with one name that all interactions following from one request share.
    struct Key: Hashable, Sendable {
        /// The position of the first request.
        var origin: String
        var name: String
    }

    /// What turns say about some effects.
    struct Made: Sendable {
        /// The largest number that a turn asked for: their ordinals are below it.
        var asked = 0
        /// The largest number for which a turn got a result.
        var succeeded = 0
        /// The results' digests.
        ///
        /// Effects that a handler calls side by side are journaled in no fixed order.
        var results: Set<RecordIndex.Digest> = []
        /// The last turn that says so.
        var turn: RecordPosition
        /// Its clock, in milliseconds.
        var at: Int64
    }

    /// An effect that a turn has undone.
    struct Undone: Hashable, Sendable {
        /// The position of the request whose effect it is.
        var origin: String
        var name: String
        var ordinal: Int
        /// The request of the interaction that undid it, and that one's round.
        var undoneBy: String
        var round: Int
    }

    /// An interaction's end, with the effects that its terminal response names.
    struct End: Sendable {
        var names: [String]
        /// The turn that ended it.
        var turn: RecordPosition
        /// Its clock, in milliseconds.
        var at: Int64
    }

    let partition: Int
    /// The time from which on the journal holds all turns, in milliseconds.
    var since = Int64.min
    private(set) var made: [Key: Made] = [:]
    /// The effects that turns have undone, with the turns.
    private(set) var undone: [Undone: (turn: RecordPosition, at: Int64)] = [:]
    /// The interactions whose ledgers turns have closed, by their own requests, with the turns.
    private(set) var closed: [String: (turn: RecordPosition, at: Int64)] = [:]

    /// The ends that name what the ledger held, by the first request and then by the interactions' own.
    private(set) var ends: [String: [String: End]] = [:]
    /// The first request of each redriven one, by its offset.
    var origins: [Int64: String] = [:]
    /// The offset up to which `origins` is complete.
    var requestsEnd: Int64 = 0

    init(partition: Int) { self.partition = partition }

    /// Adds a turn.
    ///
    /// - Parameters:
    ///   - turn: The turn.
    ///   - position: The position of its record.
    ///   - origins: The first request of each redriven one, by the offset of the one that followed.
    mutating func record(_ turn: TurnRecord, at position: RecordPosition, origins: [Int64: String]) {
        guard !turn.reads.isEmpty, let request = turn.request?.text else { return }
        let offset = request.utf8.firstIndex(of: UInt8(ascii: ":"))
            .flatMap { Int64(request[request.utf8.index(after: $0)...]) }
        let origin = offset.flatMap { origins[$0] } ?? request
        if turn.outcome == .ended, let names = turn.reads.lazy.compactMap(\.heldEffects).last {
            self.ends[origin, default: [:]][request] = End(names: names, turn: position, at: turn.at.milliseconds)
        }
        guard turn.stage == .handle else { return }
        var counts: [String: (asked: Int, succeeded: Int)] = [:]
        for read in turn.reads {
            switch (read.kind, read.result) {
            case (.effect, let result):
                let key = Key(origin: origin, name: read.name)
                var made = self.made[key] ?? Made(turn: position, at: turn.at.milliseconds)
                counts[read.name, default: (0, 0)].asked += 1
                if case .value(let value) = result {
                    counts[read.name, default: (0, 0)].succeeded += 1
                    if let digest = RecordIndex.digest(RecordDigest.of(value.utf8)) { made.results.insert(digest) }
                }
                let count = counts[read.name, default: (0, 0)]
                made.asked = max(made.asked, count.asked)
                made.succeeded = max(made.succeeded, count.succeeded)
                made.turn = position
                made.at = turn.at.milliseconds
                self.made[key] = made
            case (.undo, .value(let outcome)) where read.name == "undo":
                for undone in Self.undone(outcome, by: request) {
                    self.undone[undone] = (position, turn.at.milliseconds)
                }
            case (.ledger, .value(true)), (.ledger, .value(.array)):
                self.closed[request] = (position, turn.at.milliseconds)
            default: break
            }
        }
    }

    /// The effects of a journaled undo; none when it was refused, or came too late.
    private static func undone(_ outcome: JSONValue, by request: String) -> [Undone] {
        guard outcome["refused"] == nil, outcome["gone"] == nil, let origin = outcome["request"]?.string,
            let round = outcome["round"]?.integer.flatMap({ Int(exactly: $0) })
        else { return [] }
        return (outcome["effects"]?.array ?? []).compactMap(MadeEffect.init(json:))
            .map { Undone(origin: origin, name: $0.name, ordinal: $0.ordinal, undoneBy: request, round: round) }
    }

    /// How many effects of each name the ends name; of the interactions that share them, the one that names most counts.
    var namedEffects: [Key: Int] {
        var named: [Key: Int] = [:]
        for (origin, ends) in self.ends {
            for end in ends.values {
                var counts: [String: Int] = [:]
                for name in end.names { counts[name, default: 0] += 1 }
                for (name, count) in counts {
                    let key = Key(origin: origin, name: name)
                    named[key] = max(named[key] ?? 0, count)
                }
            }
        }
        return named
    }

    /// The first requests of those that were redriven by a request whose end is not known.
    var openOrigins: [String] {
        self.origins.compactMap { offset, origin in
            self.ends[origin]?["\(self.partition):\(offset)"] == nil ? origin : nil
        }
    }
}
