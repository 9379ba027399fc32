internal import IntentEvents
internal import IntentKit

/// What `event.rejected` says about the interactions of one name: the latest, and which events were rejected.
///
/// It does not name the position of a request, so it is kept apart from the interactions.
struct InteractionRejection: Hashable, Sendable {
    /// The most rejected events that are kept: the latest ones.
    static let eventLimit = 16
    /// An id is used again after an hour at the earliest (R8c), so clocks may differ by half of that.
    private static let clockTolerance: Int64 = 1_800_000

    /// The offset after it on `responses`.
    var next: Int64 = 0
    var at = Timestamp(milliseconds: 0)
    var body: [UInt8] = []
    /// The ids of the events.
    var events: [TextMark] = []

    /// Adds an `event.rejected`.
    mutating func add(_ event: ViewedEvent) {
        guard event.offset >= self.next else { return }
        self.next = event.offset + 1
        self.at = event.event.time
        self.body = event.body
        guard let id = event.event["eventId"]?.string else { return }
        self.events.append(TextMark(id))
        if self.events.count > Self.eventLimit { self.events.removeFirst() }
    }

    /// Whether it is about this interaction, and not about an earlier one of the same name.
    func concerns(_ entry: InteractionEntry) -> Bool {
        entry.requestedAt.map { self.at - $0 > -Self.clockTolerance } ?? true
    }
}
