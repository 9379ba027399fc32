/// Tells requests apart that have stood at one position, one after the other (R30).
///
/// A position names one request as long as the topic keeps its end. A ledger outlives topics that are put back to an
/// earlier time: what it holds was made for a request that is lost, and the one that stands there now must not get it.
public struct RequestIdentity: Hashable, Sendable {
    /// A digest of user and interaction id.
    public var name: String
    /// A digest of what was asked for; nil where it is not known, and of the first of redriven requests, of which those
    /// that follow know no more than the name.
    public var content: String?

    /// Describes a request.
    public init(name: String, content: String?) {
        self.name = name
        self.content = content
    }

    /// Reads the form in a ledger.
    public init(text: String) {
        let parts = text.split(separator: ".", maxSplits: 1)
        self.init(name: parts.first.map(String.init) ?? "", content: parts.count > 1 ? String(parts[1]) : nil)
    }

    /// The form in a ledger: the name, and behind a dot the content.
    public var text: String { self.content.map { "\(self.name).\($0)" } ?? self.name }

    /// Whether both can be the same request: as far as both are known.
    public func matches(_ other: RequestIdentity) -> Bool {
        guard self.name == other.name else { return false }
        guard let content = self.content, let known = other.content else { return true }
        return content == known
    }
}

/// What a ledger holds under a request's position is another request's (R30): nothing was done, and nothing is known of
/// what was asked for.
///
/// Only an operator can mend it: the topics are of an earlier time than the ledger.
public struct ForeignRequestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The position, `partition:offset`.
    public var request: String

    /// Describes a request in another one's place.
    public init(request: String) { self.request = request }

    /// Throws one if a ledger's entry under a position is another request's.
    ///
    /// - Parameters:
    ///   - request: The position.
    ///   - identity: Who asks; nil when it is not known.
    ///   - recorded: What the entry has; nil for one from before entries had it.
    /// - Throws: The error.
    public static func check(_ request: String, _ identity: RequestIdentity?, recorded: String?) throws(Self) {
        guard let identity, let recorded, !identity.matches(RequestIdentity(text: recorded)) else { return }
        throw ForeignRequestError(request: request)
    }

    /// What is wrong.
    public var description: String {
        "The ledger holds what was done for another request that stood at \(self.request)."
    }
}
