package import NIOCore
internal import Synchronization

/// One open connection of a server, and for how long the server has waited for its client.
///
/// The connection's handler says on its event loop when a request is complete and when the client is waited for again.
package final class OpenConnection: Sendable {
    /// The connection's number; none is used twice.
    package let id: UInt64
    let channel: any Channel
    /// Since when the client is waited for, in nanoseconds of `NIODeadline`; ``answering`` while it is not.
    private let waitsSince: Atomic<UInt64>
    private let hasAskedOnce = Atomic(false)

    private static let answering = UInt64.max

    init(id: UInt64, channel: any Channel, at now: NIODeadline) {
        self.id = id
        self.channel = channel
        self.waitsSince = Atomic(now.uptimeNanoseconds)
    }

    /// A request is complete: from now on the client waits for its answer.
    package func startAnswering() {
        self.waitsSince.store(Self.answering, ordering: .relaxed)
        self.hasAskedOnce.store(true, ordering: .relaxed)
    }

    /// Every request is answered: from now on the server waits for the client, to read its answers or to send the rest
    /// of its next request.
    package func waitForClient(at now: NIODeadline) {
        self.waitsSince.store(now.uptimeNanoseconds, ordering: .relaxed)
    }

    /// Since when the client is waited for; nil while it waits for an answer.
    var clientIsAwaitedSince: NIODeadline? {
        let since = self.waitsSince.load(ordering: .relaxed)
        return since == Self.answering ? nil : .uptimeNanoseconds(since)
    }

    /// Whether the client has ever completed a request.
    var hasAsked: Bool { self.hasAskedOnce.load(ordering: .relaxed) }
}
