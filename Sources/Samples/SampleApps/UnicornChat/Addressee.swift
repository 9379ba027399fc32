import IntentKit

/// The recipient of a message: as the address book has them, and as the intent names them.
struct Addressee: Sendable {
    var contact: Contact
    /// The person, with the address that was asked for.
    var person: INPerson
}
