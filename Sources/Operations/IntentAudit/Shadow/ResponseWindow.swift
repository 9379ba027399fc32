internal import IntentEvents
internal import IntentRuntime

/// The responses or the user activities of one partition, read nearly in the order in which the turns that wrote them are
/// read.
final class ResponseWindow {
    /// The number of responses that are kept although no turn has asked for them.
    private static let limit = 50_000

    private let cursor: PartitionCursor
    private var records: [String: LogRecord] = [:]
    private var order: ArraySlice<String> = []

    /// Begins at the first response that may belong to a turn.
    init(_ cursor: PartitionCursor) { self.cursor = cursor }

    /// Removes and returns the response with an id; nil when there is none.
    func remove(_ id: String) async throws -> LogRecord? {
        while self.records[id] == nil, let records = try await self.cursor.next() {
            for record in records {
                guard let id = record.header(EventHeaderName.id) else { continue }
                self.records[id] = record
                self.order.append(id)
            }
            while self.records.count > Self.limit, let first = self.order.popFirst() { self.records[first] = nil }
        }
        return self.records.removeValue(forKey: id)
    }

    func close() async { await self.cursor.close() }
}
