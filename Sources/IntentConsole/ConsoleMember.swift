/// A member of a group.
package struct ConsoleMember: Hashable, Sendable {
    /// The group, without the deployment's prefix.
    package var group: String
    /// The lane's name; for another program, its client id.
    package var name: String
    /// The address from which it is connected.
    package var host: String
    /// The numbers of its partitions, `0-3, 6`.
    package var partitions: String

    /// Creates a member.
    package init(group: String, name: String, host: String, partitions: String) {
        self.group = group
        self.name = name
        self.host = host
        self.partitions = partitions
    }
}
