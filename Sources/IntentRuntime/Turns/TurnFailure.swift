internal import IntentKit

/// What went wrong in a turn: for operators all of it, for the client its own words or nothing (R35).
package struct TurnFailure: Hashable, Sendable {
    /// More than this of an error's description is kept nowhere, in bytes.
    private static let maximumMessageBytes = 8 * 1024

    /// What the error says; for the log and for dead letters.
    package var message: String
    /// What the error says for clients; nil when it has no words for them.
    package var clientMessage: String?
    /// Whether the turn has ended with it; else it is tried again.
    package var isFinal: Bool

    /// Describes an error.
    init(_ error: any Error, isFinal: Bool) {
        let message = String(describing: error)
        self.message =
            message.utf8.count <= Self.maximumMessageBytes
            ? message : String(decoding: message.utf8.prefix(Self.maximumMessageBytes), as: UTF8.self) + "…"
        if self.message.isEmpty { self.message = String(describing: type(of: error)) }
        self.clientMessage = Self.clientMessage(of: error)
        self.isFinal = isFinal
    }

    /// An error's words for the client; nil when it has none.
    static func clientMessage(of error: any Error) -> String? {
        (error as? JournaledError)?.clientMessage ?? (error as? any ClientFacingError)?.clientMessage
    }
}
