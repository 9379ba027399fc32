internal import IntentEvents
internal import IntentRuntime

/// How a row of `events` stands for its headers and its key: what its other columns say is not kept again.
///
/// Nearly every record has the headers that `Event.headers` writes, in that order. Then the row has none of their JSON,
/// but for those that are carried along, and the column `headers` is generated.
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

    /// The column `form`.
    var form: Int64
    /// The column `packed_headers`: all of the JSON, or the headers that are carried along, each with a comma behind it.
    var headers: [UInt8]?

    /// Finds the form of a record; `columns` are those of its row.
    init(_ record: LogRecord, _ columns: EventColumns) {
        self.form = 0
        if let key = record.key, key == columns.userID { self.form |= Bit.key }
        if let carried = Self.carried(record.headers, columns, &self.form) {
            self.form |= Bit.headers
            self.headers = carried.isEmpty ? nil : carried
        } else {
            self.form &= ~Bit.stage
            self.headers = columns.headerJSON ?? HeaderJSON.write(record.headers)
        }
    }

    /// The headers that are carried along, if all others are as the columns say; nil if they are not.
    private static func carried(_ headers: [LogHeader], _ columns: EventColumns, _ form: inout Int64) -> [UInt8]? {
        var index = 0
        func follows(_ name: String, _ text: [UInt8]?) -> Bool {
            guard let text, index < headers.count, headers[index].name == name, headers[index].value == text,
                UTF8Text.needsNoEscape(text)
            else { return false }
            index += 1
            return true
        }
        guard headers.count >= 7, follows(EventHeaderName.specVersion, Self.specVersion),
            follows(EventHeaderName.id, columns.id), follows(EventHeaderName.source, columns.source),
            follows(EventHeaderName.type, columns.type), follows(EventHeaderName.time, columns.writtenTime),
            follows(EventHeaderName.userID, columns.userID),
            columns.subject == nil || follows(EventHeaderName.subject, columns.subject),
            columns.causationID == nil || follows(EventHeaderName.causationID, columns.causationID)
        else { return nil }
        if index < headers.count, headers[index].name == EventHeaderName.stage {
            guard let stage = headers[index].value.flatMap(PackedText.stages.number) else { return nil }
            form |= stage
            index += 1
        }
        guard columns.request == nil || follows(EventHeaderName.request, columns.request) else { return nil }
        var carried: [UInt8] = []
        while index < headers.count - 1 {
            HeaderJSON.append(headers[index], to: &carried)
            carried.append(UInt8(ascii: ","))
            index += 1
        }
        return follows(EventHeaderName.contentType, Self.contentType) ? carried : nil
    }

    private static let specVersion = Array("1.0".utf8)
    private static let contentType = Array("application/json".utf8)

    /// SQL for the column `key`.
    static let keySQL = "CASE WHEN form & \(Bit.key) THEN user_id ELSE packed_key END"

    /// SQL for the column `headers`.
    static let headersSQL: String = {
        func header(_ name: String, _ value: String) -> String {
            "'{\"name\":\"\(name)\",\"value\":\"' || \(value) || '\"},'"
        }
        func optional(_ name: String, _ column: String) -> String {
            "CASE WHEN \(column) IS NULL THEN '' ELSE \(header(name, column)) END"
        }
        let stage = (1...3)
            .map { number in
                let word = Stage.allCases[number - 1].rawValue
                return "WHEN \(number) THEN '{\"name\":\"ce_stage\",\"value\":\"\(word)\"},'"
            }
            .joined(separator: " ")
        return [
            "CASE WHEN form & \(Bit.headers) = 0 THEN packed_headers ELSE",
            #"'[{"name":"ce_specversion","value":"1.0"},' ||"#,
            header("ce_id", "id"), "||", header("ce_source", "source"), "||", header("ce_type", "type"), "||",
            header("ce_time", "strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch')"), "||",
            header("ce_userid", "user_id"), "||", optional("ce_subject", "subject"), "||",
            optional("ce_causationid", "causation_id"), "||", "CASE form & \(Bit.stage) \(stage) ELSE '' END", "||",
            optional("ce_request", "request"), "||", "coalesce(packed_headers, '') ||",
            #"'{"name":"content-type","value":"application/json"}]' END"#,
        ]
        .joined(separator: " ")
    }()
}
