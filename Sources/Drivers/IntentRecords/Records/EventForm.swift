internal import IntentEvents

/// How a row of `events` stores its headers and its key: what its other columns say is not stored again.
///
/// Nearly every record has the headers that `Event.headers` writes, in that order. Then the row stores none of their
/// JSON except those that are passed through, and the view builds the column `headers`.
struct EventForm {
    /// The bits of the column `form`.
    enum Bit {
        /// The number of the header `ce_stage` in ``PackedText/stages``; 0 without it.
        static let stage: Int64 = 3
        /// The headers follow from the other columns.
        static let headers: Int64 = 4
        /// The key is the user.
        static let key: Int64 = 8
    }

    var form: Int64
    /// The column `packed_headers`: all of the JSON, or the headers that are passed through, each followed by a comma.
    var headers: RecordBytes?

    /// Determines the form of a record; `columns` are those of its row.
    init(_ parts: RecordParts, _ columns: EventColumns, _ arguments: ArgumentBytes) {
        self.form = 0
        if let key = parts.key, let userID = columns.userID, key.isSame(as: userID) { self.form |= Bit.key }
        if let carried = Self.carried(parts, columns, &self.form) {
            self.form |= Bit.headers
            self.headers = carried.isEmpty ? nil : arguments.add(carried)
        } else {
            self.form &= ~Bit.stage
            self.headers = columns.headerJSON ?? arguments.add(HeaderJSON.write(parts))
        }
    }

    /// The headers that are passed through, if all others match the columns; otherwise nil.
    private static func carried(_ parts: RecordParts, _ columns: EventColumns, _ form: inout Int64) -> [UInt8]? {
        var walk = HeaderWalk(parts)
        guard walk.pass(EventHeaderName.Written.specVersion, RecordBytes("1.0")),
            walk.pass(EventHeaderName.Written.id, columns.id),
            walk.pass(EventHeaderName.Written.source, columns.source),
            walk.pass(EventHeaderName.Written.type, columns.type),
            walk.pass(EventHeaderName.Written.time, columns.writtenTime),
            walk.pass(EventHeaderName.Written.userID, columns.userID),
            columns.subject == nil || walk.pass(EventHeaderName.Written.subject, columns.subject),
            columns.causationID == nil || walk.pass(EventHeaderName.Written.causationID, columns.causationID)
        else { return nil }
        if let header = walk.header, header.name.isSame(as: EventHeaderName.Written.stage) {
            guard let stage = header.value.flatMap(PackedText.stages.number) else { return nil }
            form |= stage
            walk.pass()
        }
        guard columns.request == nil || walk.pass(EventHeaderName.Written.request, columns.request) else { return nil }
        var carried: [UInt8] = []
        while let header = walk.header {
            walk.pass()
            if walk.header == nil {
                let isContentType =
                    header.name.isSame(as: EventHeaderName.Written.contentType)
                    && header.value.map { $0.isSame(as: EventHeaderName.Written.json) } ?? false
                return isContentType ? carried : nil
            }
            HeaderJSON.append(header.name, header.value, to: &carried)
            carried.append(UInt8(ascii: ","))
        }
        return nil
    }

    static let keySQL = "CASE WHEN form & \(Bit.key) THEN user_id ELSE packed_key END"

    /// SQL for the column `headers`.
    ///
    /// One call of `printf`, since each `||` copies its left side once more. A null adds nothing.
    static let headersSQL: String = {
        func start(_ name: String) -> String { "{\"name\":\"\(name)\",\"value\":\"" }
        let end = "\"},"
        func optional(_ name: String, _ column: String, _ sql: String) -> [String] {
            [
                "CASE WHEN \(column) IS NOT NULL THEN '\(start(name))' END", sql,
                "CASE WHEN \(column) IS NOT NULL THEN '\(end)' END",
            ]
        }
        let names = ["ce_id", "ce_source", "ce_type", "ce_time", "ce_userid"]
        let format =
            "[\(start("ce_specversion"))1.0\(end)" + names.map { start($0) + "%s" + end }.joined()
            + String(repeating: "%s", count: 11) + #"{"name":"content-type","value":"application/json"}]"#
        let stage = (1...3)
            .map { "WHEN \($0) THEN '\(start("ce_stage"))\(Stage.allCases[$0 - 1].rawValue)\(end)'" }
            .joined(separator: " ")
        let arguments =
            [
                PackedText.digits("packed_id"), PackedText.sources.sql("packed_source"),
                PackedText.types.sql("packed_type"),
                "strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch')", "user_id",
            ]
            + optional("ce_subject", "subject", "subject")
            + optional("ce_causationid", "packed_causation_id", PackedText.digits("packed_causation_id"))
            + ["CASE form & \(Bit.stage) \(stage) END"] + optional("ce_request", "request", "request")
            + ["packed_headers"]
        return "CASE WHEN form & \(Bit.headers) = 0 THEN packed_headers "
            + "ELSE printf('\(format)', \(arguments.joined(separator: ", "))) END"
    }()
}
