package import IntentEvents

/// A recorded turn: a row of `turns` (R39), with its whole record.
package struct RecordedTurn: Hashable, Sendable {
    /// The position of its record on `journal`.
    package var position: RecordPosition
    /// When its record was written, with the commit of its batch.
    package var timestamp: Timestamp
    /// The record: what the turn depended on and what it did.
    package var record: TurnRecord
}
