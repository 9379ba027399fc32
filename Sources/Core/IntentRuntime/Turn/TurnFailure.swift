package import IntentEvents
internal import IntentKit

/// A turn's failure: for operators all of it, for the client its own words or nothing (R35).
package struct TurnFailure: Hashable, Sendable {
    /// The limit for an error's description, in bytes.
    private static let maximumMessageBytes = 8 * 1024

    /// The error's text, for the log and for dead letters.
    package var message: String
    /// The error's message for clients; nil when it has none.
    package var clientMessage: String?
    /// The error's type, which says nothing of anybody's values.
    package var errorType: String
    /// Whether the turn has ended with it; otherwise it is tried again.
    package var isFinal: Bool
    /// When it is tried again, unless it has ended.
    package var retryAt: Timestamp?

    init(_ error: any Error, isFinal: Bool) {
        let message = String(describing: error)
        self.errorType = error.typeName
        self.message =
            message.utf8.count <= Self.maximumMessageBytes
            ? message : String(decoding: message.utf8.prefix(Self.maximumMessageBytes), as: UTF8.self) + "…"
        if self.message.isEmpty { self.message = error.typeName }
        self.clientMessage = Self.clientMessage(of: error)
        self.isFinal = isFinal
    }

    /// An error's message for the client; nil when it has none.
    static func clientMessage(of error: any Error) -> String? {
        (error as? JournaledError)?.clientMessage ?? (error as? any ClientFacingError)?.clientMessage
    }
}
