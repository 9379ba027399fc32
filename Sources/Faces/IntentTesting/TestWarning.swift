internal import IntentKit

/// Something in an event that the test sent and that the client probably did not mean (R79).
public struct TestWarning: Hashable, Sendable {
    /// The path of the member in the event's data, such as `intent.parameters.tiem`; of an attribute its name.
    public var member: String
    /// `unknownMember`, `unknownParameter`, `ignoredMember` or `unknownAttribute`.
    public var problem: String
    /// The name that was probably meant; nil if none is near.
    public var didYouMean: String?
    /// The same in words.
    public var detail: String

    init?(_ json: JSONValue) {
        guard let member = json["member"]?.string, let problem = json["problem"]?.string else { return nil }
        self.member = member
        self.problem = problem
        self.didYouMean = json["didYouMean"]?.string
        self.detail = json["detail"]?.string ?? ""
    }
}
