package import Foundation

/// What a handler sends when its response is committed (R77).
package struct FollowUp: Hashable, Sendable {
    /// What it is.
    package enum Content: Hashable, Sendable {
        /// Words for the user, with these details.
        case notification(JSONObject)
        /// An interaction of its own, with the values that are known.
        case intent(IntentSnapshot)
    }

    /// The largest number of follow-ups of a turn.
    package static let maximumCount = 20
    /// How many interactions may follow from each other, so that two handlers cannot start each other forever.
    package static let maximumDepth = 20
    /// The size of a name in bytes.
    static let maximumName = 128
    /// The size of a notification's words and of its details, in bytes.
    static let maximumWords = 4 * 1024
    static let maximumDetails = 16 * 1024
    /// The size of an intent's parameters in bytes.
    static let maximumParameters = 64 * 1024
    /// How deep details and parameters may nest: clients and requests can read them.
    static let maximumNesting = 32
    /// The size of a user's id in bytes.
    static let maximumUser = 1_024
    /// How far away the time of a follow-up may be.
    static let maximumDelay = 90
    /// How much of an interaction's id is in that of a follow-up, in bytes: there is room for the rest, and for a redrive.
    static let maximumOrigin = 840

    /// Names it in its interaction.
    package var name: String
    package var content: Content
    /// The words for the user.
    package var dialog: String?
    /// The user whom it is for; nil for the user of the interaction.
    package var user: String?
    /// When it is due; nil for now.
    package var at: Date?

    package init(_ name: String, _ content: Content, dialog: String? = nil, user: String? = nil, at: Date? = nil) {
        self.name = name
        self.content = content
        self.dialog = dialog
        self.user = user
        self.at = at
    }

    /// Its id, which follows from that of its interaction.
    package func id(of interactionID: String, digits: some StringProtocol) -> String {
        "\(interactionID.cut(toBytes: Self.maximumOrigin))+\(self.name)-\(digits)"
    }

    /// What is wrong with it at a time; nil when nothing is.
    func problem(now: Date) -> String? {
        guard (1...Self.maximumName).contains(self.name.utf8.count), self.name.isVisible else {
            return "has a name that is empty, has control characters or is longer than \(Self.maximumName) bytes"
        }
        if let dialog, dialog.utf8.count > Self.maximumWords {
            return "has words of more than \(Self.maximumWords) bytes"
        }
        if let user, !(1...Self.maximumUser).contains(user.utf8.count) {
            return "is for a user whose id is empty or longer than \(Self.maximumUser) bytes"
        }
        if let at, !(at.timeIntervalSince(now) <= Double(Self.maximumDelay) * 86_400) {
            return "is due more than \(Self.maximumDelay) days from now"
        }
        switch self.content {
        case .notification(let details):
            return Self.problem(with: .object(details), "details", upTo: Self.maximumDetails)
        case .intent(let intent):
            return Self.problem(with: .object(intent.parameters), "parameters", upTo: Self.maximumParameters)
        }
    }

    private static func problem(with data: JSONValue, _ name: String, upTo limit: Int) -> String? {
        let text = data.utf8
        guard text.count <= limit else { return "has \(name) of more than \(limit) bytes of JSON" }
        guard (try? JSONValue(parsing: text, maximumDepth: Self.maximumNesting)) != nil else {
            return
                "has \(name) that nest deeper than \(Self.maximumNesting) levels, or a number that JSON does not have"
        }
        return nil
    }
}

/// What an interaction follows from (R77).
public struct FollowedFrom: Hashable, Sendable {
    /// The name that the handler gave to the follow-up.
    public let name: String
    /// The id of the interaction that it follows from; nil if that one is another user's.
    public let interactionID: String?
    /// How many interactions it follows from, one after the other.
    package let depth: Int

    package init(name: String, interactionID: String?, depth: Int) {
        self.name = name
        self.interactionID = interactionID
        self.depth = depth
    }
}

/// The follow-ups that a turn can send.
package enum FollowUpScope: Hashable, Sendable {
    /// None: its handler does not perform the task.
    case none
    /// Notifications, since the others need format 2 (R57).
    case notifications
    case all
}

/// A handler asks for a follow-up that cannot be sent.
package struct FollowUpError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The follow-up's name, and what is wrong.
    package var description: String

    package init(_ name: String, _ problem: String) {
        self.description = "The follow-up \(name.cut(toBytes: FollowUp.maximumName)) \(problem)."
    }
}

extension String {
    /// Whether it has anything to see, and nothing that cannot be seen.
    fileprivate var isVisible: Bool {
        self.unicodeScalars.allSatisfy { !$0.properties.generalCategory.isControl }
            && self.unicodeScalars.contains { !$0.properties.isWhitespace }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isControl: Bool { self == .control || self == .lineSeparator || self == .paragraphSeparator }
}
