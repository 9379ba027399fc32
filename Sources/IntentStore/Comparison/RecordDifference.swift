/// A row of a record database that is not what the topics say (R46).
package struct RecordDifference: Hashable, Sendable {
    /// The table and the row's key: `events responses/3/17`, `interactions 3/40`.
    package var place: String
    /// What is wrong.
    package var detail: String
}
