internal import CLibCurl
internal import Foundation
import Synchronization

/// Sends requests to services on a thread of its own, and keeps connections open between them.
///
/// Callers wait without blocking. libcurl, all transfers and their deadlines belong to the thread; other threads put
/// commands into its inbox.
package final class HTTPSession: Sendable {
    /// The process's shared session.
    package static let shared = HTTPSession()

    /// The largest number of connections to one service at a time; further posts wait for one.
    package static let maximumConnections = 64

    /// The largest number of idle connections, to all services together, that are kept open.
    private static let maximumKept = 4 * HTTPSession.maximumConnections

    /// The commands to the thread.
    private enum Command: Sendable {
        case start(UInt64, HTTPRequest, CheckedContinuation<HTTPReply, any Error>)
        case cancel(UInt64)
    }

    private struct Inbox {
        var commands: [Command] = []
        var lastID: UInt64 = 0
    }

    private let inbox = Mutex(Inbox())
    /// libcurl's own state: `curl_multi_wakeup` may be called on any thread, and everything else is called on this
    /// session's.
    nonisolated(unsafe) private let multi: UnsafeMutableRawPointer

    private init() {
        guard curl_global_init(CLong(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let multi = curl_multi_init() else {
            preconditionFailure("libcurl cannot be used")
        }
        _ = clibcurl_set_limit(multi, CURLMOPT_MAX_HOST_CONNECTIONS, CLong(Self.maximumConnections))
        _ = clibcurl_set_limit(multi, CURLMOPT_MAXCONNECTS, CLong(Self.maximumKept))
        self.multi = multi
        let thread = Thread { self.run() }
        thread.name = "intentd-http"
        thread.start()
    }

    /// Sends a request and waits for the whole answer; a redirection is returned as the answer, not followed.
    ///
    /// - Throws: ``HTTPExchangeError``; `CancellationError` when the task is cancelled.
    package func reply(to request: HTTPRequest) async throws -> HTTPReply {
        try Task.checkCancellation()
        let id = self.inbox.withLock { inbox in
            inbox.lastID += 1
            return inbox.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.send(.start(id, request, continuation))
                // The task was cancelled before the transfer began: the cancellation reached the thread too early.
                if Task.isCancelled { self.send(.cancel(id)) }
            }
        } onCancel: {
            self.send(.cancel(id))
        }
    }

    private func send(_ command: Command) {
        self.inbox.withLock { $0.commands.append(command) }
        curl_multi_wakeup(self.multi)
    }

    /// The thread: each transfer's continuation is resumed here, when the transfer leaves the table.
    private func run() {
        Self.blockBrokenPipes()
        var transfers: [UInt64: HTTPTransfer] = [:]
        while true {
            let commands = self.inbox.withLock { inbox in
                defer { inbox.commands = [] }
                return inbox.commands
            }
            for command in commands { self.carryOut(command, &transfers) }
            var running: CInt = 0
            curl_multi_perform(self.multi, &running)
            var code = CURLE_OK
            while let handle = clibcurl_next_ended(self.multi, &code) {
                let id = UInt64(UInt(bitPattern: clibcurl_context(handle)))
                guard let transfer = transfers.removeValue(forKey: id) else { continue }
                self.finish(transfer, transfer.result(code))
            }
            self.expire(&transfers)
            let next = transfers.values.map(\.deadline).min()
            let wait = next.map { ContinuousClock.now.duration(to: $0) } ?? .seconds(60)
            let milliseconds = max(0, min(60_000, wait / .milliseconds(1))).rounded(.up)
            if curl_multi_poll(self.multi, nil, 0, CInt(milliseconds), nil) != CURLM_OK {
                // There is no memory, or no file descriptor: the transfers' deadlines still hold, and the loop must not
                // spin.
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    private func carryOut(_ command: Command, _ transfers: inout [UInt64: HTTPTransfer]) {
        switch command {
        case .start(let id, let request, let continuation):
            guard let transfer = HTTPTransfer(id, request, continuation),
                curl_multi_add_handle(self.multi, transfer.handle) == CURLM_OK
            else {
                continuation.resume(throwing: HTTPExchangeError.failed("libcurl rejected the request"))
                return
            }
            transfers[id] = transfer
        case .cancel(let id):
            guard let transfer = transfers.removeValue(forKey: id) else { return }
            self.finish(transfer, .failure(CancellationError()))
        }
    }

    private func expire(_ transfers: inout [UInt64: HTTPTransfer]) {
        let now = ContinuousClock.now
        for (id, transfer) in transfers where transfer.deadline <= now {
            transfers[id] = nil
            self.finish(transfer, .failure(HTTPExchangeError.timedOut(transfer.request.timeout)))
        }
    }

    private func finish(_ transfer: HTTPTransfer, _ result: Result<HTTPReply, any Error>) {
        curl_multi_remove_handle(self.multi, transfer.handle)
        transfer.continuation.resume(with: result)
    }

    /// A service that closes its connection must not end the process.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
