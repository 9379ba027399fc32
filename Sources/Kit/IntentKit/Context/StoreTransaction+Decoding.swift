extension StoreTransaction {
    /// Runs a query and decodes a value from each row.
    ///
    /// ```swift
    /// struct LiftedSet: Decodable { var reps: Int, weight: Double }
    ///
    /// let sets = try store.query("SELECT * FROM sets WHERE user_id = ?", [.string(user)], as: LiftedSet.self)
    ///
    /// let count = try store.query("SELECT count(*) FROM sets", as: Int.self)[0]
    /// ```
    /// A structure's properties are columns by their names; a single column can also be decoded as a text, a number or
    /// a boolean. Booleans are 0 and 1, as they were written; a list or an object is JSON text in its column.
    /// - Throws: What the query throws; `DecodingError`, naming the column, when a row does not fit.
    public func query<Value: Decodable>(
        _ sql: String,
        _ arguments: [JSONValue] = [],
        as type: Value.Type
    ) throws -> [Value] {
        try self.query(sql, arguments).map { try RowDecoder.decode(type, from: $0) }
    }
}
