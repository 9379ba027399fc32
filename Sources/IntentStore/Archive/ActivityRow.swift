package import IntentEvents

/// A record as those see it who count: what it is and when it came, without what it says.
package struct ActivityRow: Hashable, Sendable {
    /// Its number in the file; a later record's is higher.
    package var row: Int64
    /// Its topic.
    package var topic: Topic
    /// Its type; nil for what is no event.
    package var type: String?
    /// When the broker took it.
    package var timestamp: Timestamp
    /// The stage that wrote it; nil for what clients sent.
    package var stage: String?
    /// Whether it ends its interaction.
    package var isTerminal: Bool
    /// Milliseconds since the request, for the first word that the user gets; nil for all others.
    package var firstWordAfter: Int64?
}
