/// Distinguishes requests that had the same position, one after the other (R30).
///
/// A position identifies one request as long as the topic keeps its end. A ledger outlives topics that are restored to
/// an earlier time: its entries were made for a request that is lost, and the request that has the position now must
/// not get them.
public struct RequestIdentity: Hashable, Sendable {
    /// A digest of user and interaction id.
    public var name: String
    /// A digest of what was asked for.
    ///
    /// Nil where it is not known, and for the first of redriven requests, of which the later ones know only the name.
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

    /// The form in a ledger: the name, followed by a dot and the content.
    public var text: String { self.content.map { "\(self.name).\($0)" } ?? self.name }

    /// Whether both can be the same request: as far as both are known.
    public func matches(_ other: RequestIdentity) -> Bool {
        guard self.name == other.name else { return false }
        guard let content = self.content, let known = other.content else { return true }
        return content == known
    }
}

/// Thrown when a ledger's entry under a request's position belongs to another request (R30): nothing was done, and
/// nothing is known about the asker's request.
///
/// Only an operator can resolve it: the topics are of an earlier time than the ledger.
public struct ForeignRequestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The position, `partition:offset`.
    public var request: String

    /// Makes an error for a position that another request has taken.
    public init(request: String) { self.request = request }

    /// Throws one if a ledger's entry under a position is another request's.
    ///
    /// - Parameters:
    ///   - request: The position.
    ///   - identity: The asker; nil when it is not known.
    ///   - recorded: The identity in the entry; nil for an entry from before entries had one.
    /// - Throws: The error.
    public static func check(_ request: String, _ identity: RequestIdentity?, recorded: String?) throws(Self) {
        guard let identity, let recorded, !identity.matches(RequestIdentity(text: recorded)) else { return }
        throw ForeignRequestError(request: request)
    }

    /// What is wrong.
    public var description: String {
        "The ledger holds effects of another request that was at \(self.request)."
    }
}
