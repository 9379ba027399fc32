package import IntentEvents
internal import IntentRuntime

/// The turns to run again (R43); a property that is nil does not filter.
package struct ReplaySelection: Hashable, Sendable {
    /// Turns whose records were written then or later.
    package var since: Timestamp?
    /// Turns whose records were written before.
    package var until: Timestamp?
    /// Turns whose records have this offset on `journal` or a later one, in every partition.
    package var fromOffset: Int64?
    /// Turns whose records have an earlier offset than this one.
    package var toOffset: Int64?
    package var partition: Int?
    /// Turns that acted on the interaction of this id.
    package var interaction: InteractionID?
    package var user: UserID?
    package var stage: Stage?

    /// Selects everything.
    package init() {}

    /// Whether whole stages are selected, so that an event without a turn can be recognised.
    var isWhole: Bool { self.interaction == nil && self.user == nil }

    /// Whether the turn of a journal record is selected, as far as its time and its headers show.
    func includes(_ record: LogRecord, anyStage: Bool = false) -> Bool {
        (self.since.map { record.timestamp >= $0.milliseconds } ?? true)
            && (self.until.map { record.timestamp < $0.milliseconds } ?? true)
            && (self.interaction == nil
                || record.header(EventHeaderName.subject).map { InteractionID($0) } == self.interaction)
            && (self.user == nil || record.header(EventHeaderName.userID).map { UserID($0) } == self.user)
            && (anyStage || self.stage == nil || record.header(EventHeaderName.stage) == self.stage?.rawValue)
    }
}
