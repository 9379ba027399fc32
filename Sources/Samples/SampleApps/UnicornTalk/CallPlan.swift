import IntentKit
import SiriKitIntents

/// A call that is about to be handed to the app.
struct CallPlan: Sendable {
    /// The people to call; for voicemail and emergencies nobody of the address book.
    var people: [INPerson]
    var capability: INCallCapability
    var destination: INCallDestinationType
    var audioRoute: INCallAudioRoute?
    /// The call that is returned.
    var record: INCallRecord?

    /// What the user should see before saying yes, and what the app needs to make the call.
    var details: JSONObject {
        var details: JSONObject = [
            "contacts": self.people.json, "callCapability": self.capability.json,
            "destinationType": self.destination.json,
        ]
        details["audioRoute"] = self.audioRoute?.json
        details["callRecordToCallBack"] = self.record?.json
        return details
    }

    /// The contacts of the address book among those who are called.
    var contacts: [String] { self.people.compactMap(\.identifier) }

    /// The problem that prevents the call, if there is one.
    func problem(_ context: TurnContext) async throws -> CallProblem? {
        let userID = context.user.id
        let contacts = self.contacts
        return try await context.read("line") { try CallProblem.current(userID: userID, calling: contacts, in: $0) }
    }

    /// Adds the call to the log and hands it to the app; the activity says whom to call (behaviours 54 and 66).
    func handOver<IntentType: Intent>(
        code: IntentType.Code,
        _ context: TurnContext
    ) async throws -> IntentResponse<IntentType> {
        let userID = context.user.id
        let calls = self.people.map { person in
            INCallRecord(
                identifier: context.makeIdentifier(),
                dateCreated: OffsetDateTime(context.now),
                participants: [person],
                callRecordType: .outgoing,
                callCapability: self.capability
            )
        }
        let identifiers = try await context.effect("startCall") { store in
            for call in calls { try CallLog.add(call, of: userID, in: store) }
            return calls.map(\.identifier)
        }
        let names = self.people.map(\.searchName).joined(separator: ", ")
        var userInfo = self.details
        userInfo["callRecords"] = identifiers.json
        let activity = UserActivity(title: "Call \(names)", userInfo: userInfo)
        return IntentResponse(code: code, userActivity: activity, details: self.details)
    }

    /// The people, with what the address book, a number, or the log says of them; nil when one of them is unknown.
    static func people(_ people: [INPerson]?, with context: TurnContext) async throws -> [INPerson]? {
        guard let people, !people.isMissing else { return nil }
        var known: [INPerson] = []
        for (person, callee) in zip(people, try await Callee.all(people, with: context)) {
            switch callee {
            case .contacts(let contacts):
                guard contacts.count == 1 else { return nil }
                known.append(INPerson(contacts[0], calledAs: person, context: context))
            case .number(let number): known.append(number)
            case .invalidNumber, .code: return nil
            }
        }
        return known
    }
}

extension INPerson {
    /// Creates a person from a contact, at the requested address.
    init(_ contact: Contact, calledAs person: INPerson, context: TurnContext) {
        self.init(contact, context: context)
        self.spokenPhrase = person.spokenPhrase ?? self.spokenPhrase
        if context.user.hasContactsAccess { self.handle = contact.handle(matching: person.handle) }
    }
}
