package import IntentEvents

extension TurnRecord {
    /// Reads a record of `journal`; nil when it is none of a turn.
    package init?(_ record: LogRecord) { self.init(record.content) }
}
