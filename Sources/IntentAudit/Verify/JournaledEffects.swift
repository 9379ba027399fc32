internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// What one partition's turns did to the effects' ledger, according to the journal.
struct JournaledEffects: Sendable {
    /// The key of the effects with one name that all interactions following from one request share.
    struct Key: Hashable, Sendable {
        /// The position of the first request.
        var origin: String
        /// The effects' name.
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

    /// The partition's number.
    let partition: Int
    /// The time from which on the journal holds all turns, in milliseconds.
    var since = Int64.min
    /// The effects.
    private(set) var made: [Key: Made] = [:]
    /// The interactions whose ledgers turns have closed, by their own requests, with the turns.
    private(set) var closed: [String: (turn: RecordPosition, at: Int64)] = [:]

    /// Creates it with no turn.
    init(partition: Int) { self.partition = partition }

    /// Adds a turn.
    ///
    /// - Parameters:
    ///   - turn: The turn.
    ///   - position: The position of its record.
    ///   - origins: The first request of each redriven one, by the offset of the one that followed.
    mutating func note(_ turn: TurnRecord, at position: RecordPosition, origins: [Int64: String]) {
        guard turn.stage == .handle, let request = turn.request?.text, !turn.reads.isEmpty else { return }
        let offset = request.utf8.firstIndex(of: UInt8(ascii: ":"))
            .flatMap { Int64(request[request.utf8.index(after: $0)...]) }
        let origin = offset.flatMap { origins[$0] } ?? request
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
            case (.ledger, .value(true)):
                self.closed[request] = (position, turn.at.milliseconds)
            default: break
            }
        }
    }
}
