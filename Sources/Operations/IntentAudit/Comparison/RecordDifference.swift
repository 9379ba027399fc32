package import IntentKit

/// A row of a record database that is not what the topics say (R46).
package struct RecordDifference: Hashable, Sendable {
    /// The table and the row's key: `events responses/3/17`, `interactions 3/40`.
    package var location: String
    package var detail: String
    /// The columns that differ and mean something to people, each with both values.
    package var values: [Values] = []

    /// What a column of a row holds, and what the topics say that it holds.
    package struct Values: Hashable, Sendable {
        package var column: String
        /// What the row says.
        package var recorded: JSONValue
        /// What the topics say.
        package var topics: JSONValue

        package init(column: String, recorded: JSONValue, topics: JSONValue) {
            self.column = column
            self.recorded = recorded
            self.topics = topics
        }
    }
}
