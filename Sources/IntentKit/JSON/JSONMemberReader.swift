/// Reads an object's members in one pass: who asks names them in the order of their names' bytes, each once.
///
/// A member that is not asked for is passed over, as is one that is asked for and is not there.
package struct JSONMemberReader {
    private let members: JSONObject
    private var place = 0

    /// Begins before the first member.
    package init(_ members: JSONObject) { self.members = members }

    /// The value of the member of that name; nil when there is none.
    package mutating func value(_ name: StaticString) -> JSONValue? {
        let (index, isFound) = self.members.place(of: name, from: self.place)
        self.place = index
        guard isFound else { return nil }
        self.place += 1
        return self.members[index].value
    }
}
