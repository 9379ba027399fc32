import IntentKit

/// The people that the user's words may mean.
enum Callee: Sendable {
    /// Nobody, one or several contacts; the one that the user last talked to comes first.
    case contacts([Contact])
    /// A number that no contact in the address book has.
    case number(INPerson)
    /// Digits that are too few or too many for a number.
    case invalidNumber
    /// A code for the network (MMI, USSD): `*100#`.
    case code

    /// Finds the possible callees for each of several people, in the same order.
    static func all(_ people: [INPerson], with context: TurnContext) async throws -> [Callee] {
        let habits = CallLog.habits(of: context.user.id)
        let matches = try await AddressBook.contacts(
            matching: people,
            of: "INStartCallIntent.contacts",
            with: context,
            habits: habits
        )
        return zip(people, matches)
            .map { person, contacts in
                let said = person.handle?.value ?? person.searchName
                if Self.isCode(said) { return .code }
                // A chosen contact has an identifier; numbers count only where nobody is found.
                guard contacts.isEmpty, person.identifier == nil, Self.isNumber(said) else {
                    return .contacts(contacts)
                }
                guard (3...15).contains(said.count(where: \.isNumber)) else { return .invalidNumber }
                let handle = INPersonHandle(value: said, type: .phoneNumber, label: person.handle?.label)
                return .number(INPerson(spokenPhrase: person.spokenPhrase ?? said, handle: handle))
            }
    }

    private static func isCode(_ text: String) -> Bool {
        let code = text.filter { !$0.isWhitespace }
        guard let first = code.first, code.count > 2 else { return false }
        return (first == "*" || first == "#") && code.last == "#"
    }

    private static func isNumber(_ text: String) -> Bool {
        text.contains(where: \.isNumber) && text.allSatisfy { $0.isNumber || $0.isWhitespace || "+-()/.".contains($0) }
    }
}
