extension JSONObject {
    /// The members of a value's JSON form, for example to make the details of a response from a type of your own.
    ///
    /// ```swift
    /// struct Summary: Encodable { var setsSoFar: Int, heaviest: Double }
    ///
    /// return try IntentResponse(code: .success, details: .encoding(Summary(setsSoFar: 3, heaviest: 80)))
    /// ```
    /// - Throws: `EncodingError` when the value's form is no object, and what its own encoding throws.
    public static func encoding(_ value: some Encodable) throws -> JSONObject {
        let json = try JournalCoding.encode(value)
        guard let object = json.object else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: [], debugDescription: "An object is expected, not \(json.kind).")
            )
        }
        return object
    }
}
