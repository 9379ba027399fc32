public import IntentKit
import SiriKitIntents

extension UnicornService {
    /// Puts messages into a user's inbox: two of Celestra's, one of Jeff Mane's and a recording of Sparkle's.
    ///
    /// The user is signed in. When it runs again, it resets everything to this state, but keeps sent messages.
    /// - Throws: What the store throws.
    public static func addDemoData(for userID: String, in store: any StoreTransaction) throws {
        try store.execute("DELETE FROM sessions WHERE user_id = ?", [.string(userID)])
        for (number, message) in Self.demoMessages.enumerated() {
            var received = message
            received.identifier = "\(message.identifier)-\(userID)"
            received.dateSent = OffsetDateTime("2026-11-1\(number + 5)T09:00:00Z")
            received.serviceName = Self.name
            try MessageStore.receive(
                received,
                for: userID,
                notificationIdentifier: "notification-\(number + 1)",
                in: store
            )
        }
    }

    private static let demoMessages = [
        INMessage(
            identifier: "inbox-1",
            conversationIdentifier: "lunch",
            content: "Lunch at the meadow?",
            sender: INPerson(spokenPhrase: "Celestra", identifier: "celestra")
        ),
        INMessage(
            identifier: "inbox-2",
            conversationIdentifier: "lunch",
            content: "Bring clover, please.",
            sender: INPerson(spokenPhrase: "Celestra", identifier: "celestra")
        ),
        INMessage(
            identifier: "inbox-3",
            content: "The meeting has moved to the barn.",
            sender: INPerson(spokenPhrase: "Jeff Mane", identifier: "jeff-mane"),
            groupName: INSpeakableString(spokenPhrase: "coworkers", identifier: "coworkers")
        ),
        INMessage(
            identifier: "inbox-4",
            sender: INPerson(spokenPhrase: "Sparkle Sparkly", identifier: "sparkle"),
            messageType: .audio,
            attachments: [
                INSendMessageAttachment(name: "neigh.m4a", type: "com.apple.m4a-audio", identifier: "file-1")
            ]
        ),
    ]
}
