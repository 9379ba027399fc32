public import IntentKit
import SiriKitIntents

extension UnicornTalk {
    /// Gives a user a line with voicemail, and a log: two missed calls, one made to Diana, one received from Sparkle.
    ///
    /// Celestra accepts no video calls, Ponyboy cannot be called. When it runs again, it resets everything to this
    /// state, but keeps the calls that were started.
    /// - Throws: What the store throws.
    public static func addDemoData(for userID: String, in store: any StoreTransaction) throws {
        var line = CallLine()
        line.voicemailNumber = "+1 555 0199"
        try Self.set(line, of: userID, in: store)
        try Self.setCallee("celestra", of: userID, takesVideo: false, in: store)
        try Self.setCallee("ponyboy", of: userID, isSupported: false, in: store)
        for (number, call) in Self.demoCalls.enumerated() {
            var call = call
            call.identifier = "\(call.identifier)-\(userID)"
            call.dateCreated = OffsetDateTime("2026-11-1\(number + 5)T18:00:00Z")
            try CallLog.add(call, of: userID, in: store)
        }
    }

    private static let demoCalls = [
        INCallRecord(
            identifier: "call-1",
            participants: [Self.person("Sparkle Sparkly", "sparkle", "sparkle")],
            callRecordType: .received,
            callCapability: .videoCall,
            callDuration: 125
        ),
        INCallRecord(
            identifier: "call-2",
            participants: [Self.person("Diana", "diana", "diana")],
            callRecordType: .outgoing,
            callCapability: .audioCall,
            callDuration: 40
        ),
        INCallRecord(
            identifier: "call-3",
            participants: [Self.person("Jeff Mane", "jeff-mane", "jeff.mane")],
            callRecordType: .missed,
            callCapability: .audioCall,
            unseen: true
        ),
        INCallRecord(
            identifier: "call-4",
            participants: [Self.person("Scott", "scott", "scott")],
            callRecordType: .missed,
            callCapability: .videoCall,
            unseen: true
        ),
    ]

    private static func person(_ name: String, _ identifier: String, _ address: String) -> INPerson {
        INPerson(
            spokenPhrase: name,
            displayName: name,
            identifier: identifier,
            handle: INPersonHandle(value: "\(address)@unicorn.example", type: .emailAddress)
        )
    }
}
