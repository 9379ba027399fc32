import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("Record key, ce_userid and data.user.id have to agree")
struct UserMismatchTests {
    /// A record that names its user in three places, and whether it is accepted.
    struct Case: CustomTestStringConvertible {
        var key: String?
        var header: String?
        var data: String?
        var isTaken: Bool

        var testDescription: String {
            "key \(self.key ?? "-"), ce_userid \(self.header ?? "-"), data.user.id \(self.data ?? "-")"
        }
    }

    static let cases = [
        Case(key: nil, header: nil, data: "u1", isTaken: true), Case(key: nil, header: "u1", data: nil, isTaken: true),
        Case(key: "u1", header: "u1", data: "u1", isTaken: true), Case(key: "", header: "", data: "u1", isTaken: true),
        Case(key: "u1", header: nil, data: "u1", isTaken: true),
        Case(key: nil, header: "u2", data: "u1", isTaken: false),
        Case(key: "u2", header: "u1", data: "u1", isTaken: false),
        Case(key: "u2", header: nil, data: "u1", isTaken: false),
        Case(key: "u2", header: "u1", data: nil, isTaken: false),
        Case(key: nil, header: "se\u{301}an", data: "s\u{E9}an", isTaken: false),
        Case(key: "\u{212A}im", header: "Kim", data: "Kim", isTaken: false),
    ]

    private static func decode(
        key: [UInt8]?,
        headers: [LogHeader],
        _ json: JSONValue
    ) -> Result<Event, EventDecodingError> {
        Result { () throws(EventDecodingError) in
            try Event(
                RecordContent(key: key, value: json.utf8, headers: headers),
                position: RecordPosition(.requests, 0, 0),
                timestamp: Timestamp(milliseconds: 0)
            )
        }
    }

    @Test("R1: an absent name says nothing, two different ones are a mismatch", arguments: Self.cases)
    func differentNamesAreMismatch(sample: Case) throws {
        let intent: JSONValue = ["name": "GreetIntent"]
        let data = JSONValue.members([
            "intent": intent, "user": sample.data.map { ["id": .string($0)] },
        ])
        var headers = [LogHeader(EventHeaderName.type, "intent.requested")]
        headers += sample.header.map { [LogHeader(EventHeaderName.userID, $0)] } ?? []
        let binary = Self.decode(key: sample.key.map { Array($0.utf8) }, headers: headers, data)
        let structured = Self.decode(
            key: sample.key.map { Array($0.utf8) },
            headers: [LogHeader(EventHeaderName.contentType, "application/cloudevents+json")],
            .members(["type": "intent.requested", "userid": sample.header.map(JSONValue.string), "data": data])
        )
        for result in [binary, structured] {
            switch result {
            case .success(let event):
                #expect(sample.isTaken)
                #expect(event.userID == UserID(sample.data ?? sample.header ?? ""))
            case .failure(let error):
                #expect(!sample.isTaken)
                #expect(error.code == .userMismatch)
                #expect(error.userID == nil, "Nobody is named, so nobody is told.")
            }
        }
    }

    @Test("R1: a name that cannot be read is a mismatch, too, before any other error of the event")
    func unreadableNameIsMismatchFirst() throws {
        let victim = LogHeader(EventHeaderName.userID, "victim")
        let headers = [LogHeader(EventHeaderName.type, "intent.requested"), victim]
        func code(key: [UInt8]?, _ headers: [LogHeader], _ value: [UInt8]?) -> EventDecodingError.Code? {
            do throws(EventDecodingError) {
                _ = try Event(
                    RecordContent(key: key, value: value, headers: headers),
                    position: RecordPosition(.requests, 0, 0),
                    timestamp: Timestamp(milliseconds: 0)
                )
                return nil
            } catch {
                #expect(error.userID == nil)
                return error.code
            }
        }
        #expect(code(key: Array("attacker".utf8), headers, [0xFF]) == .userMismatch)
        #expect(code(key: Array("attacker".utf8), headers, nil) == .userMismatch)
        // A key that is not text is no user's name.
        #expect(code(key: [0xFF, 0xFE], headers, Array("{}".utf8)) == .userMismatch)
        #expect(code(key: nil, headers + [LogHeader(EventHeaderName.userID, "attacker")], nil) == .userMismatch)
        let other = Array(#"{"user":{"id":"attacker"}}"#.utf8)
        #expect(code(key: nil, [victim], other) == .userMismatch, "Without a type it is still not the victim's.")
    }

    @Test("R1: a key alone does not name the user of an event, only whom to answer about an unreadable record (R47)")
    func keyAloneNamesNoUserOfAnEvent() {
        let type = LogHeader(EventHeaderName.type, "intent.requested")
        let structured = LogHeader(EventHeaderName.contentType, "application/cloudevents+json")
        func error(_ key: [UInt8]?, _ value: [UInt8]?, _ headers: [LogHeader] = []) -> EventDecodingError? {
            do throws(EventDecodingError) {
                _ = try Event(
                    RecordContent(key: key, value: value, headers: [type] + headers),
                    position: RecordPosition(.requests, 0, 0),
                    timestamp: Timestamp(milliseconds: 0)
                )
                return nil
            } catch {
                return error
            }
        }
        let (key, broken) = (Array("u1".utf8), Array("{".utf8))
        let readable = error(key, Array(#"{"intent":{"name":"GreetIntent"}}"#.utf8))
        #expect(readable?.code == .missingUser)
        #expect(readable?.userID == nil && readable?.keyUserID == nil)
        for unreadable in [error(key, broken), error(key, nil), error(key, Array("[1]".utf8), [structured])] {
            #expect(unreadable?.code == .malformed)
            #expect(unreadable?.userID == nil && unreadable?.keyUserID == "u1")
        }
        #expect(error([0xFF], broken)?.keyUserID == nil)
        #expect(error(Array(repeating: 0x75, count: 1_025), broken)?.keyUserID == nil)
        #expect(error([], broken)?.keyUserID == nil)
        let named = error(key, broken, [LogHeader(EventHeaderName.userID, "u1")])
        #expect(named?.userID == "u1" && named?.keyUserID == nil)
        let other = error(key, broken, [LogHeader(EventHeaderName.userID, "u2")])
        #expect(other?.code == .userMismatch && other?.keyUserID == nil)
    }

    @Test("R14: an answer, a cancellation and a request in another's name are buried, and nobody is told")
    func buriedEventTouchesNobody() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", user: "victim", subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            let requests = TopicPartition(
                Topic.requests.name(prefix: "intents"),
                HomePartition.of(user: "victim", count: pipeline.deployment.partitions)
            )
            func forge(_ type: EventType, _ data: JSONObject, key: String?, header: String?) -> OutgoingRecord {
                var data = data
                data["user"] = ["id": "victim"]
                var headers = [
                    LogHeader(EventHeaderName.type, type.rawValue), LogHeader(EventHeaderName.subject, "i1"),
                ]
                headers += header.map { [LogHeader(EventHeaderName.userID, $0)] } ?? []
                return OutgoingRecord(
                    topicPartition: requests,
                    key: key.map { Array($0.utf8) },
                    value: JSONValue.object(data).utf8,
                    headers: headers
                )
            }
            let answer: JSONObject = ["promptId": prompt.data["promptId"] ?? .null, "value": "Stolen"]
            let forged = [
                forge(.promptAnswered, answer, key: "attacker", header: nil),
                forge(.promptAnswered, answer, key: nil, header: "attacker"),
                forge(.interactionCancelled, [:], key: "attacker", header: "victim"),
                forge(.intentRequested, ["intent": ["name": "NobodyIntent"]], key: "attacker", header: "attacker"),
            ]
            try await pipeline.write(forged)
            try await pipeline.answer(prompt, user: "victim", ["value": "Jeff"])
            // All responses about the others come before it.
            let next = try await pipeline.next { _ in true }
            #expect(next.data["endReason"] == "nominal")
            #expect(next.data["intent"]?["parameters"]?["name"] == "Jeff")
            let letters = try await pipeline.records(of: .deadLetters)
            #expect(letters.map(\.value) == forged.map(\.value))
            #expect(letters.map(\.key) == forged.map(\.key))
            #expect(letters.allSatisfy { $0.header("intentd_error") == "userMismatch" })
            let turns = try await pipeline.records(of: .journal).compactMap { TurnRecord($0) }
                .filter { $0.outcome == .deadLettered }
            #expect(turns.count == forged.count)
            #expect(turns.allSatisfy { $0.userID.isEmpty && $0.interactionID == nil })
            #expect(try await pipeline.records(of: .responses).count == 2)
        }
    }

    @Test("R14: an interaction that is passed on under another user's name is not handled")
    func interactionOfOtherUserIsNotHandled() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Jeff"], user: "victim", subject: "i1")
            #expect(try await pipeline.end(of: "i1").data["endReason"] == "nominal")
            let passed = try #require(try await pipeline.records(of: .confirmed).last)
            var data = try JSONValue(parsing: passed.value ?? []).object ?? [:]
            data["user"] = ["id": "attacker"]
            let headers = passed.headers
                .map { $0.name == EventHeaderName.userID ? LogHeader($0.name, "attacker") : $0 }
            try await pipeline.write([
                OutgoingRecord(
                    topicPartition: passed.topicPartition,
                    key: Array("attacker".utf8),
                    value: JSONValue.object(data).utf8,
                    headers: headers
                )
            ])
            try await pipeline.request("GreetIntent", ["name": "Ann"], user: "victim", subject: "i2")
            #expect(try await pipeline.next { _ in true }.subject == "i2")
            let letters = try await pipeline.records(of: .deadLetters)
            #expect(letters.map { $0.header("intentd_error") } == ["userMismatch"])
        }
    }
}
