import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The posts that are under way in a session, by task: gathers each answer and hands it to whoever waits.
///
/// Foundation calls it on a queue of its own; each continuation is taken out of the table before it is resumed, so that
/// it is resumed once.
final class HTTPExchanges: NSObject, URLSessionDataDelegate, Sendable {
    private struct Exchange {
        var status = 0
        var body: [UInt8] = []
        var maximumBytes: Int
        var continuation: CheckedContinuation<HTTPReply, any Error>
    }

    private let state = Mutex<[Int: Exchange]>([:])

    /// Runs a task to its answer.
    func run(_ task: URLSessionDataTask, maximumBytes: Int) async throws -> HTTPReply {
        let id = task.taskIdentifier
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.state.withLock { state in
                    state[id] = Exchange(maximumBytes: maximumBytes, continuation: continuation)
                }
                // Cancelled before it was in the table: nobody else would tell.
                if Task.isCancelled { return self.finish(id, .failure(CancellationError())) }
                task.resume()
            }
        } onCancel: {
            self.finish(id, .failure(CancellationError()))
            task.cancel()
        }
    }

    private func finish(_ id: Int, _ result: Result<HTTPReply, any Error>) {
        self.state.withLock { $0.removeValue(forKey: id) }?.continuation.resume(with: result)
    }

    /// Notes the status, and gives up on a body that says it is too large.
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let id = dataTask.taskIdentifier
        let limit = self.state.withLock { state -> Int? in
            state[id]?.status = (response as? HTTPURLResponse)?.statusCode ?? 0
            return state[id]?.maximumBytes
        }
        guard let limit, response.expectedContentLength <= Int64(limit) else {
            if let limit { self.finish(id, .failure(HTTPExchangeError.tooLarge(maximum: limit))) }
            completionHandler(.cancel)
            return
        }
        completionHandler(.allow)
    }

    /// Gathers the body, and gives up when it gets too large.
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let id = dataTask.taskIdentifier
        let exceeded = self.state.withLock { state -> Int? in
            guard let exchange = state[id] else { return nil }
            guard exchange.body.count + data.count <= exchange.maximumBytes else { return exchange.maximumBytes }
            state[id]?.body.append(contentsOf: data)
            return nil
        }
        guard let exceeded else { return }
        self.finish(id, .failure(HTTPExchangeError.tooLarge(maximum: exceeded)))
        dataTask.cancel()
    }

    /// Hands over the answer, or the error.
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = self.state.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if let error {
            exchange.continuation.resume(throwing: HTTPExchangeError.failed(error.localizedDescription))
        } else {
            exchange.continuation.resume(returning: HTTPReply(status: exchange.status, body: exchange.body))
        }
    }

    /// Does not follow: a post is not to be repeated where nobody configured it.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        self.state.withLock { $0[task.taskIdentifier]?.status = response.statusCode }
        completionHandler(nil)
    }
}
