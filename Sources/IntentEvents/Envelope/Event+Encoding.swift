package import IntentKit

extension Event {
    private static let specVersion = EventHeader(EventHeaderName.specVersion, "1.0")
    private static let contentType = EventHeader(EventHeaderName.contentType, "application/json")

    /// The headers in binary mode, in a fixed order: the same event has the same bytes, always.
    package var headers: [EventHeader] {
        var headers: [EventHeader] = []
        headers.reserveCapacity(11 + self.passedThrough.count)
        headers += [
            Self.specVersion,
            EventHeader(EventHeaderName.id, self.id),
            EventHeader(EventHeaderName.source, self.source),
            EventHeader(EventHeaderName.type, self.type),
            EventHeader(EventHeaderName.time, self.time.description),
            EventHeader(EventHeaderName.userID, self.userID.text),
        ]
        if let subject = self.subject { headers.append(EventHeader(EventHeaderName.subject, subject.text)) }
        if let cause = self.causationID { headers.append(EventHeader(EventHeaderName.causationID, cause)) }
        if let stage = self.stage { headers.append(EventHeader(EventHeaderName.stage, stage.rawValue)) }
        if let request = self.request { headers.append(EventHeader(EventHeaderName.request, request.text)) }
        for (name, value) in self.passedThrough.sorted(by: { $0.key < $1.key }) {
            headers.append(EventHeader(name, value))
        }
        headers.append(Self.contentType)
        return headers
    }

    /// Structured mode: one JSON object, as files and the command line have it (contract, section 2).
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
