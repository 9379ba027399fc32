/// The position of a record in its topic, for rows.
struct RowPosition {
    var partition: Int64
    var offset: Int64
    /// The record's own time, in milliseconds.
    var timestamp: Int64
}
