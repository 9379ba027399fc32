public import IntentKit

extension AddressBook {
    /// Fills a user's address book with the unicorns of the stories: two Jeffs, one without an account, one offline.
    ///
    /// When it runs again, it resets everything to this state.
    /// - Throws: What the store throws.
    public static func addDemoData(for userID: String, in store: any StoreTransaction) throws {
        let book = AddressBook(of: userID)
        for contact in Self.demoContacts { try book.add(contact, in: store) }
        for group in Self.demoGroups { try book.add(group, in: store) }
    }

    private static let demoContacts = [
        Contact(
            "Sparkle Sparkly",
            identifier: "sparkle",
            handles: [
                INPersonHandle(value: "sparkle@unicorn.example", type: .emailAddress, label: "home"),
                INPersonHandle(value: "+1 555 0100", type: .phoneNumber, label: "work"),
            ]
        ),
        Contact("Celestra", identifier: "celestra", handles: [Self.email("celestra")]),
        Contact("Buttercup", identifier: "buttercup", handles: [Self.email("buttercup")]),
        Contact("Jeff Hoof", identifier: "jeff-hoof", handles: [Self.email("jeff.hoof")]),
        Contact("Jeff Mane", identifier: "jeff-mane", handles: [Self.email("jeff.mane")]),
        Contact("Diana", identifier: "diana", handles: [Self.email("diana")]),
        Contact("Scott", identifier: "scott", handles: [Self.email("scott")]),
        Contact("Ponyboy", identifier: "ponyboy", handles: [Self.email("ponyboy")], hasAccount: false),
        Contact("Stardust", identifier: "stardust", handles: [Self.email("stardust")], isReachable: false),
    ]

    private static let demoGroups = [
        ContactGroup("neighbors", identifier: "neighbors", members: ["sparkle", "buttercup"]),
        ContactGroup("coworkers", identifier: "coworkers", members: ["jeff-hoof", "jeff-mane", "celestra"]),
        ContactGroup("developers", identifier: "developers", members: ["diana", "scott"]),
    ]

    private static func email(_ name: String) -> INPersonHandle {
        INPersonHandle(value: "\(name)@unicorn.example", type: .emailAddress, label: "home")
    }
}
