package import IntentEvents

/// A record for statistics: its kind and its time, without its content.
package struct ActivityRow: Hashable, Sendable {
    /// Its number in the file; a later record's is higher.
    package var row: Int64
    package var topic: Topic
    /// Its type; nil for a record that is no event.
    package var type: String?
    /// When the broker received it.
    package var timestamp: Timestamp
    /// The stage that wrote it; nil for clients' events.
    package var stage: String?
    /// Whether it ends its interaction.
    package var isTerminal: Bool
    /// Milliseconds since the request, for the first answer that the user gets; nil for all other records.
    package var firstWordAfter: Int64?
}
