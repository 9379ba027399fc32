import IntentOperations
import IntentRuntime
import WireRules

/// A piece of a file, checked and converted to records.
struct EventBatch: Sendable {
    /// The records of the lines before the first wrong one.
    private(set) var records: [OutgoingRecord] = []
    /// The members of these lines that intentd does not read.
    private(set) var unknown: [(line: Int, member: ValueRule.UnknownMember)] = []
    /// What is wrong with the first wrong line, without the file's name.
    private(set) var failure: (line: Int, error: OperationError)?

    /// Pieces of fewer lines are not worth a second thread.
    private static let minimumHalf = 256

    /// Reads lines, the two halves of them in parallel.
    static func read(_ lines: [InputLine], to deployment: Deployment) async -> EventBatch {
        guard lines.count >= 2 * Self.minimumHalf else { return Self(lines[...], deployment) }
        let middle = lines.count / 2
        async let first = Self.readElsewhere(lines[..<middle], deployment)
        async let second = Self.readElsewhere(lines[middle...], deployment)
        var batch = await first
        let rest = await second
        if batch.failure == nil {
            batch.records += rest.records
            batch.unknown += rest.unknown
            batch.failure = rest.failure
        }
        return batch
    }

    @concurrent
    private static func readElsewhere(_ lines: ArraySlice<InputLine>, _ deployment: Deployment) async -> Self {
        Self(lines, deployment)
    }

    private init(_ lines: ArraySlice<InputLine>, _ deployment: Deployment) {
        let reader = EventReader(now: SystemRuntimeClock().now)
        self.records.reserveCapacity(lines.count)
        for line in lines {
            do throws(OperationError) {
                let (event, unknown) = try reader.check(line.bytes)
                self.records.append(deployment.request(event))
                self.unknown += unknown.map { (line: line.number, member: $0) }
            } catch {
                self.failure = (line.number, error)
                return
            }
        }
    }
}
