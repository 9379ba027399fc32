#if DEBUG || FUZZING
@testable import IntentEvents
@testable import IntentKit

/// The inputs with which the fuzzing of events begins: conversations of clients, in both modes.
enum EventSeeds {
    /// All inputs by name.
    static var all: [String: [UInt8]] {
        var seeds = Self.conversations.mapValues { lines in Array(lines.joined(separator: "\n").utf8) }
        for (name, parameters) in Self.requests {
            let line = Self.request(name, parameters, subject: "s1")
            seeds["request-\(name)"] = Array(
                [line, Self.answer("s1/r/1"), Self.answer("s1/c/1")].joined(separator: "\n").utf8
            )
        }
        return seeds
    }

    private static let requests: [(String, String)] = [
        ("INSendMessageIntent", #"{"content":"Hi","recipients":[{"spokenPhrase":"Sally"}]}"#),
        ("INSearchForMessagesIntent", #"{"senders":[{"spokenPhrase":"Sally"}],"searchTerms":["lunch"]}"#),
        ("INSetMessageAttributeIntent", #"{"identifiers":["m1"],"attribute":"read"}"#),
        ("INStartCallIntent", #"{"contacts":[{"spokenPhrase":"Sally"}],"callCapability":"audioCall"}"#),
        ("INSearchCallHistoryIntent", #"{"callTypes":["missed"]}"#),
        (
            "INSendPaymentIntent",
            #"{"payee":{"spokenPhrase":"Sally"},"currencyAmount":{"amount":"12.50","currencyCode":"EUR"},"note":"lunch"}"#
        ),
        (
            "INRequestPaymentIntent",
            #"{"payer":{"spokenPhrase":"Sally"},"currencyAmount":{"amount":"1","currencyCode":"EUR"}}"#
        ),
        (
            "INStartWorkoutIntent",
            #"{"workoutName":{"spokenPhrase":"Run"},"goalValue":5,"workoutGoalUnitType":"mile","isOpenEnded":false}"#
        ),
        (
            "INRequestRideIntent",
            #"{"pickupLocation":{"name":"Home","latitude":1.5,"longitude":2},"dropOffLocation":"Work","partySize":2}"#
        ),
        ("INGetRideStatusIntent", "{}"),
        ("Fuzz.Note", "{}"),
        ("Fuzz.Choice", #"{"place":"Seaside","people":"3","code":"AB1"}"#),
        (
            "Fuzz.Everything",
            #"{"string":"s","integer":1,"number":1.5,"boolean":true,"date":"2026-11-21","time":"13:30","dateTime":"2026-11-21T12:30:00+01:00","duration":"PT20M","currencyAmount":{"amount":"12.50","currencyCode":"EUR"},"person":{"spokenPhrase":"p","handle":{"value":"a@b","type":"emailAddress"}},"place":{"name":"n","latitude":1,"longitude":2}}"#
        ),
        (
            "Fuzz.Everything",
            #"{"strings":["s"],"integers":["9007199254740993"],"numbers":[1e3],"booleans":[false],"dates":["2026-02-29"],"times":["24:00"],"dateTimes":["now"],"durations":["P1Y"],"currencyAmounts":["EUR 5"],"persons":["p"],"places":["n"]}"#
        ),
    ]

    private static var conversations: [String: [String]] {
        let binary = [
            "ce_type:intent.requested\u{1E}ce_userid:u1\u{1E}ce_subject:s1\u{1E}ce_id:e1\u{1E}content-type:application/json",
            #"{"intent":{"name":"Fuzz.Choice","parameters":{"place":"Old Mill"}},"user":{"id":"u1","authorization":"authorized","authenticated":true,"contactsAccess":false},"device":{"id":"d","locked":true,"appVersion":"1.2"},"locale":"de-DE","groupIdentifier":"g","expiresAt":"2030-01-01T00:00:00Z"}"#,
        ]
        .joined(separator: "\u{1F}")
        return [
            "binary": [binary, Self.answer("s1/c/1")],
            "choices": [
                Self.request("Fuzz.Choice", #"{"place":"Seaside"}"#, subject: "s1"),
                Self.event("prompt.answered", #""promptId":"s1/r/1","action":"accept","choice":0"#),
                Self.event("prompt.answered", #""promptId":"s1/c/1","action":"decline","corrections":{"people":4}"#),
                Self.event("prompt.answered", #""promptId":"s1/r/2","action":"accept","value":"Old Mill""#),
                Self.event("prompt.answered", #""promptId":"s1/c/2","action":"cancel""#),
            ],
            "others": [
                Self.request("Fuzz.Choice", "{}", subject: "s1"),
                Self.event("prompt.answered", #""promptId":"s1/r/1","value":"Old Mill""#, user: "u2"),
                Self.event("prompt.answered", #""promptId":"s1/h/9","value":"Old Mill""#),
                Self.event("interaction.cancelled", #""reason":"enough""#, subject: "s1"),
                Self.event("interaction.cancelled", #""reason":"enough""#, subject: "s9"),
            ],
            "twins": [
                Self.request("Fuzz.Choice", "{}", subject: "s1", user: "Kim"),
                Self.event("prompt.answered", #""promptId":"s1/r/1","value":"Old Mill""#, user: "\u{212A}im"),
                Self.request("Fuzz.Choice", "{}", subject: "s1", user: "\u{212A}im"),
                Self.request("Fuzz.Choice", #"{"place":"Seaside"}"#, subject: "s1", user: "Kim"),
                Self.event("prompt.answered", #""promptId":"s1/r/1","value":"Old Mill""#, user: "Kim"),
                #"{"type":"prompt.answered","userid":"se\u0301an","data":{"user":{"id":"s\u00e9an"},"promptId":"s1/r/1"}}"#,
            ],
            "locked": [
                Self.request("INSendPaymentIntent", #"{"payee":{"spokenPhrase":"Sally"}}"#, subject: "s1"),
                Self.event("device.unlocked", #""device":{"id":"d"}"#), Self.event("user.authenticated", #""x":1"#),
                Self.event("app.responded", #""code":"success","response":{"a":1}"#, subject: "s1"),
            ],
            "vocabulary": [
                Self.event(
                    "vocabulary.replaced",
                    #""type":"contactName","strings":["Ann",{"spokenPhrase":"Bob","pronunciationHint":"bop","vocabularyIdentifier":"b"}]"#
                ),
                Self.request("INSendMessageIntent", #"{"recipients":[{"spokenPhrase":"bob"}]}"#, subject: "s1"),
                Self.event("vocabulary.removed", #""x":1"#),
            ],
            "internal": [
                Self.event("intent.resolved", #""interaction":{}"#), Self.event("timer.fired", #""what":"prompt""#),
                Self.event("no.such.type", #""a":[1,2]"#), "{}", "{\"type\":\"intent.requested\"}", "ce_type:x",
            ],
        ]
    }

    private static func event(_ type: String, _ members: String, user: String = "u1", subject: String? = nil) -> String
    {
        let subject = subject.map { #""subject":"\#($0)","# } ?? ""
        return #"{"type":"\#(type)",\#(subject)"data":{"user":{"id":"\#(user)"},\#(members)}}"#
    }

    private static func request(
        _ name: String,
        _ parameters: String,
        subject: String,
        user: String = "u1"
    ) -> String {
        let intent = #""intent":{"name":"\#(name)","parameters":\#(parameters)}"#
        return Self.event("intent.requested", intent, user: user, subject: subject)
    }

    private static func answer(_ prompt: String) -> String {
        Self.event("prompt.answered", #""promptId":"\#(prompt)","action":"accept""#)
    }
}
#endif
