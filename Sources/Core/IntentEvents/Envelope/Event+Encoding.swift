package import IntentKit

extension Event {
    /// The record's key, value and headers in binary mode: the same event always has the same bytes.
    package var content: RecordContent {
        var writer = RecordContentWriter(capacity: 1024)
        writer.append(part: self.userID.text)
        writer.writeJSON { $0.value(self.data) }
        writer.append(
            headersOfEvent: { $0.append(contentsOf: self.id.utf8) },
            source: self.source,
            type: self.type,
            time: self.time,
            userID: self.userID,
            subject: self.subject,
            causationID: self.causationID,
            stage: self.stage,
            request: self.request,
            passedThrough: self.passedThrough
        )
        return writer.content
    }

    /// The headers in binary mode, in a fixed order.
    package var headers: [LogHeader] { self.content.headers }

    /// The event in structured mode: one JSON object, as in files and on the command line (contract, section 2).
    package var structured: JSONValue {
        var object: JSONObject = [
            "specversion": "1.0",
            "id": .string(self.id),
            "source": .string(self.source),
            "type": .string(self.type),
            "time": .string(self.time.description),
            "userid": self.userID.json,
            "datacontenttype": "application/json",
            "data": self.data,
        ]
        object["subject"] = self.subject?.json
        object["causationid"] = self.causationID.map(JSONValue.string)
        object["stage"] = self.stage.map { .string($0.rawValue) }
        object["request"] = self.request?.json
        for (name, value) in self.passedThrough {
            object[name.hasPrefix("ce_") ? String(name.dropFirst(3)) : name] = .string(value)
        }
        return .object(object)
    }
}

extension RecordContentWriter {
    /// Appends the headers of an event in binary mode, in a fixed order; `id` appends the event's id.
    package mutating func append(
        headersOfEvent id: (inout [UInt8]) -> Void,
        source: String,
        type: String,
        time: Timestamp,
        userID: UserID,
        subject: InteractionID?,
        causationID: String?,
        stage: Stage?,
        request: RequestID?,
        passedThrough: [String: String]
    ) {
        self.append(written: Written.beforeID)
        self.writePart(id)
        self.append(written: Written.source)
        self.append(part: source)
        self.append(written: Written.type)
        self.append(part: type)
        self.append(written: Written.time)
        self.writePart { time.write(to: &$0) }
        self.append(written: Written.userID)
        self.append(part: userID.text)
        if let subject {
            self.append(written: Written.subject)
            self.append(part: subject.text)
        }
        if let causationID {
            self.append(written: Written.causationID)
            self.append(part: causationID)
        }
        if let stage {
            self.append(written: Written.stage)
            self.append(part: stage.rawValue)
        }
        if let request {
            self.append(written: Written.request)
            self.append(part: request.text)
        }
        if !passedThrough.isEmpty {
            for (name, value) in passedThrough.sorted(by: { $0.key < $1.key }) { self.append(header: name, value) }
        }
        self.append(written: Written.contentType)
    }

    /// The parts that the headers of all events share, in their written form.
    private enum Written {
        static let beforeID = Self.parts(EventHeaderName.specVersion, "1.0", EventHeaderName.id)
        static let source = Self.parts(EventHeaderName.source)
        static let type = Self.parts(EventHeaderName.type)
        static let time = Self.parts(EventHeaderName.time)
        static let userID = Self.parts(EventHeaderName.userID)
        static let subject = Self.parts(EventHeaderName.subject)
        static let causationID = Self.parts(EventHeaderName.causationID)
        static let stage = Self.parts(EventHeaderName.stage)
        static let request = Self.parts(EventHeaderName.request)
        static let contentType = Self.parts(EventHeaderName.contentType, "application/json")

        private static func parts(_ texts: String...) -> PermanentBytes {
            var writer = RecordContentWriter(capacity: 64)
            for text in texts { writer.append(part: text) }
            return writer.permanentBytes
        }
    }
}
