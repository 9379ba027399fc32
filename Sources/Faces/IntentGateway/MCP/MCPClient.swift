internal import Foundation
package import IntentKit

/// A client of MCP as it declares itself: with each request since 2026-07-28, once in a session before.
package struct MCPClient: Hashable, Sendable {
    /// A revision of the protocol.
    package enum Revision: String, CaseIterable, Comparable, Sendable {
        case v20250326 = "2025-03-26"
        case v20250618 = "2025-06-18"
        case v20251125 = "2025-11-25"
        /// Stateless: each request has all that is needed, and the server asks in results.
        case v20260728 = "2026-07-28"

        package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

        /// Whether a client begins with `initialize`, and the server may send requests.
        package var hasSessions: Bool { self < .v20260728 }
        /// The newest revision with sessions.
        package static let newestWithSessions = Self.v20251125
        /// All names, the newest first.
        package static var names: [String] { Self.allCases.reversed().map(\.rawValue) }
    }

    package var revision: Revision
    /// Whether it shows forms to its user (elicitation in form mode).
    package var hasForms: Bool
    /// Whether it sends its user to a page (elicitation in URL mode).
    package var hasPages: Bool
    /// Whether it takes a task in place of a result.
    package var hasTasks: Bool

    package init(revision: Revision, hasForms: Bool = false, hasPages: Bool = false, hasTasks: Bool = false) {
        self.revision = revision
        self.hasForms = hasForms
        self.hasPages = hasPages
        self.hasTasks = hasTasks
    }

    /// Reads the client's capabilities.
    package init(revision: Revision, capabilities: JSONValue?) {
        let elicitation = capabilities?["elicitation"]?.object
        self.init(
            revision: revision,
            // Without a mode it is forms.
            hasForms: revision >= .v20250618
                && elicitation.map { $0["form"] != nil || $0["url"] == nil } ?? false,
            hasPages: revision >= .v20251125 && elicitation?["url"] != nil,
            hasTasks: revision >= .v20260728 && capabilities?["extensions"]?[Self.tasksExtension] != nil
        )
    }

    package static let tasksExtension = "io.modelcontextprotocol/tasks"

    // MARK: Sessions

    /// A session's id: it holds what the client has declared, so that every replica can serve the session.
    ///
    /// It is neither a secret nor a proof of identity: each request is made by the user of its token, and a client that
    /// changes the id only says something else about itself.
    package func makeSessionID(nonce: some Collection<UInt8>) -> String {
        let modes = (self.hasForms ? "f" : "") + (self.hasPages ? "p" : "")
        let hex = nonce.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
        return "\(self.revision.rawValue)~\(modes)~\(hex)"
    }

    /// The client of a session; nil for what is no id of a session.
    package init?(sessionID: String) {
        let parts = sessionID.split(separator: "~", omittingEmptySubsequences: false)
        guard sessionID.utf8.count <= 128, parts.count == 3, let revision = Revision(rawValue: String(parts[0])),
            revision.hasSessions, ["", "f", "p", "fp"].contains(parts[1]), parts[2].utf8.count == 32,
            parts[2].utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        self.init(revision: revision, hasForms: parts[1].contains("f"), hasPages: parts[1].contains("p"))
    }
}
