import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentAudit

@Suite("R44: what clients would read differently, by kind")
struct ShadowDifferenceTests {
    private static let prompt: JSONObject = [
        "accepts": ["type": "string"], "dialog": "When?", "expiresAt": "2026-11-25T10:00:00Z", "index": .null,
        "intent": ["name": "BookVet", "parameters": ["animal": "dog"]], "item": .null, "kind": "needsValue",
        "options": ["9:00", "10:00"], "parameter": "time", "promptId": "i1/resolve/1", "reason": .null,
        "response": [:], "user": ["id": "ada"],
    ]
    private static let confirmation: JSONObject = [
        "dialog": "Book?", "kind": "intentConfirmation", "options": [], "parameter": .null,
        "response": ["price": ["amount": "42.00", "currencyCode": "EUR"], "room": ["floor": 2, "name": "A"]],
    ]
    private static let response: JSONObject = [
        "code": "success", "dialog": "Booked.", "effects": ["book"], "endReason": "nominal",
        "intent": ["name": "BookVet", "parameters": ["animal": "dog", "time": "9:00"]], "phase": "handle",
        "response": ["number": 7], "status": "success", "terminal": true, "userActivity": .null, "view": .null,
    ]
    private static let activity: JSONObject = [
        "activityType": "BookVet", "interaction": ["dateInterval": ["start": "1"]], "title": "Vet",
        "user": ["id": "ada"], "userInfo": ["n": 1],
    ]

    /// The records of one interaction, in which a test changes members.
    private struct Records {
        var prompt: JSONObject? = ShadowDifferenceTests.prompt
        var confirmation: JSONObject? = ShadowDifferenceTests.confirmation
        var response: JSONObject? = ShadowDifferenceTests.response
        var activity: JSONObject? = ShadowDifferenceTests.activity

        var transcript: ShadowTranscript {
            var transcript = ShadowTranscript()
            let records: [(EventType, JSONObject?)] = [
                (.promptIssued, self.prompt), (.promptIssued, self.confirmation), (.intentResponded, self.response),
                (.userActivityCreated, self.activity),
            ]
            for case (let type, let data?) in records { transcript.record(type, .object(data), bytes: 1_000) }
            return transcript
        }
    }

    private static func differences(
        masked: (JSONValue) -> JSONValue = { $0 },
        ignoringNewMembers: Bool = false,
        _ change: (inout Records) -> Void
    ) -> [ShadowDifference] {
        var now = Records()
        change(&now)
        return ShadowDifference.all(
            Records().transcript,
            now.transcript,
            ignoringNewMembers: ignoringNewMembers,
            masked: masked
        )
    }

    private static func expect(
        _ found: [ShadowDifference],
        _ kind: ShadowDifference.Kind,
        _ path: String,
        _ then: JSONValue?,
        _ now: JSONValue?,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(found.count == 1, "\(found)", sourceLocation: location)
        #expect(found.first?.kind == kind, sourceLocation: location)
        #expect(found.first?.path == path, sourceLocation: location)
        #expect(found.first?.then == then, sourceLocation: location)
        #expect(found.first?.now == now, sourceLocation: location)
    }

    @Test("Equal interactions have no differences")
    func nothing() {
        let unchanged = Self.differences { _ in }
        #expect(unchanged.isEmpty)
    }

    @Test("The end is compared by code and reason, and by status and phase where those are the same")
    func end() {
        let failed = Self.differences { records in
            records.response?["code"] = "failure"
            records.response?["endReason"] = "failed"
            records.response?["status"] = "failure"
            // What it says, shows and hands to the app differs because it is another end.
            records.response?["dialog"] = "Sorry."
            records.response?["response"] = [:]
            records.activity = nil
        }
        Self.expect(failed, .end, "", "success nominal", "failure failed")
        let earlier = Self.differences { $0.response?["phase"] = "confirm" }
        Self.expect(earlier, .end, "", "success nominal success handle", "success nominal success confirm")
        let open = Self.differences { records in
            records.response = nil
            records.activity = nil
        }
        Self.expect(open, .end, "", "success nominal", "open")
    }

    @Test("Effects and parameters are compared where the ends differ, too")
    func effectsOfAnotherEnd() {
        let found = Self.differences { records in
            records.response?["code"] = "failure"
            records.response?["effects"] = []
        }
        #expect(found.map(\.kind) == [.end, .effects])
    }

    @Test("The first question that is added, missing or different is reported")
    func prompts() {
        Self.expect(Self.differences { $0.prompt = nil }, .prompts, "", "needsValue:time", nil)
        var then = Records()
        then.prompt = nil
        let added = ShadowDifference.all(then.transcript, Records().transcript)
        Self.expect(added, .prompts, "", nil, "needsValue:time")
        let other = Self.differences { records in
            records.prompt?["parameter"] = "day"
            records.prompt?["index"] = 2
        }
        Self.expect(other, .prompts, "", "needsValue:time", "needsValue:day[2]")
    }

    @Test("The options of a question are compared")
    func options() {
        let found = Self.differences { $0.prompt?["options"] = ["9:00"] }
        Self.expect(found, .options, "needsValue:time", ["9:00", "10:00"], ["9:00"])
    }

    @Test("An option that is added is a difference, and so is what is accepted")
    func addedOption() {
        let added = Self.differences { $0.prompt?["options"] = ["9:00", "10:00", "11:00"] }
        Self.expect(added, .options, "needsValue:time", ["9:00", "10:00"], ["9:00", "10:00", "11:00"])
        let accepts = Self.differences { $0.prompt?["accepts"] = ["type": "time"] }
        Self.expect(accepts, .options, "needsValue:time: accepts.type", "string", "time")
    }

    @Test("The dialogs of questions and responses are compared")
    func dialog() {
        let question = Self.differences { $0.prompt?["dialog"] = "What time?" }
        Self.expect(question, .dialog, "needsValue:time", "When?", "What time?")
        Self.expect(Self.differences { $0.response?["dialog"] = .null }, .dialog, "response", "Booked.", nil)
    }

    @Test("A price in a confirmation is compared as a whole")
    func priceOfConfirmation() {
        let now: JSONValue = ["amount": "46.00", "currencyCode": "EUR"]
        let found = Self.differences { records in
            records.confirmation?["response"] = ["price": now, "room": ["floor": 2, "name": "A"]]
        }
        Self.expect(
            found,
            .details,
            "intentConfirmation: price",
            ["amount": "42.00", "currencyCode": "EUR"],
            now
        )
    }

    @Test("Details are compared by their innermost members")
    func details() {
        let found = Self.differences { records in
            records.confirmation?["response"] = [
                "price": ["amount": "42.00", "currencyCode": "EUR"], "room": ["floor": 3, "name": "A"],
            ]
        }
        Self.expect(found, .details, "intentConfirmation: room.floor", 2, 3)
    }

    @Test("Effects are compared, and so is what was undone")
    func effects() {
        let found = Self.differences { $0.response?["effects"] = ["book", "receipt"] }
        Self.expect(found, .effects, "", ["book"], ["book", "receipt"])
        Self.expect(Self.differences { $0.response?["undone"] = ["book"] }, .effects, "undone", nil, ["book"])
    }

    @Test("The values at the end are compared by parameter")
    func parameters() {
        let found = Self.differences { records in
            records.response?["intent"] = ["name": "BookVet", "parameters": ["animal": "dog", "time": "10:00"]]
        }
        Self.expect(found, .parameters, "time", "9:00", "10:00")
    }

    @Test("User activities are compared, without what they repeat of the response")
    func activity() {
        Self.expect(Self.differences { $0.activity?["title"] = "Doctor" }, .activity, "title", "Vet", "Doctor")
        let withoutID = Self.differences { $0.activity?["interaction"] = .null }
        #expect(withoutID.isEmpty)
        let missing = Self.differences { $0.activity = nil }
        #expect(missing.map(\.kind) == [.activity])
        #expect(missing.first?.now == nil)
        var now = Records()
        now.activity = nil
        #expect(ShadowDifference.all(Records().transcript, now.transcript, ignoringActivities: true).isEmpty)
    }

    @Test("Started interactions are compared by name")
    func followUps() {
        let found = Self.differences { $0.response?["started"] = ["reminder"] }
        Self.expect(found, .followUps, "", nil, ["reminder"])
    }

    @Test("A member that this version does not know is compared")
    func newMemberIsCompared() {
        Self.expect(Self.differences { $0.prompt?["urgency"] = 3 }, .other, "needsValue:time: urgency", nil, 3)
        Self.expect(Self.differences { $0.response?["view"] = ["a": 1] }, .other, "response: view", nil, ["a": 1])
    }

    @Test("R58: a member that only today's version writes is no difference where another version ran the interaction")
    func newMembersOfAnotherBehaviour() {
        let found = Self.differences(ignoringNewMembers: true) { records in
            records.prompt?["urgency"] = 3
            records.prompt?["dialog"] = "What time?"
        }
        #expect(found.map(\.kind) == [.dialog])
    }

    @Test("R7: ids, deadlines and users are not compared")
    func derivedMembersAreNot() {
        let found = Self.differences { records in
            records.prompt?["promptId"] = "i1/resolve/2"
            records.prompt?["expiresAt"] = "2026-11-25T11:00:00Z"
            records.prompt?["user"] = ["id": "bob"]
        }
        #expect(found.isEmpty)
    }

    @Test("R40: values are masked, and what was the same under the mask still differs")
    func sensitiveValuesAreMasked() {
        func mask(_ data: JSONValue) -> JSONValue {
            guard var members = data.object else { return data }
            members["response"] = members["response"].map { _ in ["price": "•••"] }
            return .object(members)
        }
        let found = Self.differences(masked: mask) { records in
            records.confirmation?["response"] = [
                "price": ["amount": "46.00", "currencyCode": "EUR"], "room": ["floor": 2, "name": "A"],
            ]
        }
        Self.expect(found, .details, "intentConfirmation: price", "•••", "•••")
    }

    @Test("A handler's progress and the end of its retries are not compared")
    func progressIsNotCompared() {
        var then = ShadowTranscript()
        let report: JSONObject = ["code": "inProgress", "status": "inProgress", "terminal": false]
        let later: JSONObject = ["progress": ["fraction": 0.5], "retryUntil": "2026-11-25T10:00:00Z"]
        for (name, value) in later {
            var data = report
            data[name] = value
            then.record(.intentResponded, .object(data), bytes: 100)
        }
        #expect(then.records.isEmpty)
        then.record(.intentResponded, .object(report), bytes: 100)
        #expect(then.records.count == 1)
    }

    @Test("Differences in an interaction of more than 1 MiB have no values")
    func digests() {
        func transcript(_ dialog: String) -> ShadowTranscript {
            var transcript = ShadowTranscript()
            var data = Self.prompt
            data["dialog"] = .string(dialog)
            data["promptId"] = .string(dialog)
            transcript.record(.promptIssued, .object(data), bytes: 2 << 20)
            return transcript
        }
        var same = Self.prompt
        same["promptId"] = "other"
        var kept = ShadowTranscript()
        kept.record(.promptIssued, .object(same), bytes: 1_000)
        #expect(ShadowDifference.all(transcript("When?"), kept).isEmpty)
        Self.expect(ShadowDifference.all(transcript("What time?"), kept), .other, "needsValue:time", nil, nil)
    }
}
