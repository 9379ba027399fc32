/// A group of contacts in a user's address book.
public struct ContactGroup: Hashable, Sendable, Codable {
    /// The app's identifier, unique in the address book.
    public var identifier: String
    /// The name to show and to look for.
    public var name: String
    /// The identifiers of the contacts in it, in order.
    public var members: [String]

    public init(_ name: String, identifier: String, members: [String] = []) {
        self.identifier = identifier
        self.name = name
        self.members = members
    }
}
