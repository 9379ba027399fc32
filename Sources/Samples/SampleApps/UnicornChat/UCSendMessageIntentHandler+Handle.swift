public import IntentKit
public import SiriKitIntents

extension UCSendMessageIntentHandler {
    /// Stores one message per recipient, all of them or none, and reports what was sent.
    public func handle(
        intent: INSendMessageIntent,
        context: TurnContext
    ) async throws -> INSendMessageIntentResponse {
        guard intent.saysSomething, let addressees = try await self.addressees(of: intent, with: context) else {
            return self.failure("incomplete", "The message says nothing, or has nobody to go to.")
        }
        let userID = context.user.id
        let messages = addressees.map { addressee in
            INMessage(
                identifier: context.makeIdentifier(),
                conversationIdentifier: intent.conversationIdentifier,
                content: intent.content,
                dateSent: OffsetDateTime(context.now),
                sender: intent.sender ?? INPerson(identifier: userID),
                recipients: [addressee.person],
                groupName: intent.speakableGroupName,
                serviceName: intent.carrier,
                messageType: intent.sentType,
                attachments: intent.attachments
            )
        }
        let sent = try await context.effect("sendMessages") { store in
            for (message, addressee) in zip(messages, addressees) {
                let batch = messages[0].identifier
                try MessageStore.add(message, of: batch, from: userID, to: addressee, in: store)
            }
            return messages
        }
        var response = INSendMessageIntentResponse(code: .success)
        response.sentMessages = sent
        return response
    }
}
