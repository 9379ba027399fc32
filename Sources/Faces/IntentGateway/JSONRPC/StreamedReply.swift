package import IntentKit
package import LocalHTTP
internal import Synchronization

/// The reply to a request of JSON-RPC over HTTP: one JSON text if nothing else is sent before, else server-sent events.
package struct StreamedReply: Sendable {
    package typealias Body =
        @Sendable (_ send: @escaping @Sendable (String) -> Void) async
        -> Result<JSONValue, JSONRPCError>

    private enum Element: Sendable {
        case event(String)
        case end(Result<JSONValue, JSONRPCError>)
    }

    private let id: JSONRPCID
    private let isStream: Bool
    private let body: Body

    /// Makes a reply.
    ///
    /// - Parameters:
    ///   - id: The request's id.
    ///   - isStream: Whether it is a stream in any case.
    ///   - body: Makes it: sends events, and returns the last message.
    package init(to id: JSONRPCID, isStream: Bool = false, _ body: @escaping Body) {
        self.id = id
        self.isStream = isStream
        self.body = body
    }

    /// A message as an event.
    package static func event(_ message: JSONValue, id: String? = nil) -> String {
        (id.map { "id: \($0)\n" } ?? "") + "event: message\ndata: \(message)\n\n"
    }

    /// A message as an event without an id or a name.
    package static func data(_ message: JSONValue) -> String { "data: \(message)\n\n" }

    /// The response of HTTP, as soon as it is known which kind it is.
    ///
    /// What makes the reply is cancelled when the client disconnects.
    /// - Parameter failure: The response to an error before any event.
    /// - Returns: The response.
    package func response(_ failure: @Sendable (JSONRPCError) -> HTTPServerResponse) async -> HTTPServerResponse {
        let (elements, continuation) = AsyncStream.makeStream(of: Element.self)
        let body = self.body
        let task = Task {
            continuation.yield(.end(await body { continuation.yield(.event($0)) }))
            continuation.finish()
        }
        return await withTaskCancellationHandler {
            var iterator = elements.makeAsyncIterator()
            let first = self.isStream ? nil : await iterator.next()
            switch first {
            case .end(.success(let json)): return HTTPServerResponse(json: json)
            case .end(.failure(let error)): return failure(error)
            case .event, nil: return self.stream(first, elements, task)
            }
        } onCancel: {
            task.cancel()
        }
    }

    private func stream(
        _ first: Element?,
        _ rest: AsyncStream<Element>,
        _ task: Task<Void, Never>
    ) -> HTTPServerResponse {
        let (id, ended) = (self.id, EndedTask(task))
        return HTTPServerResponse(events: { writer in
            try await withTaskCancellationHandler {
                if case .event(let event)? = first { try await writer.write(event) }
                for await element in rest {
                    switch element {
                    case .event(let event): try await writer.write(event)
                    case .end(.success(let json)): try await writer.write(Self.event(json))
                    case .end(.failure(let error)):
                        try await writer.write(Self.event(error.response(to: id)))
                    }
                }
            } onCancel: {
                ended.task.cancel()
            }
            withExtendedLifetime(ended) {}
        })
    }

    /// Cancels its task when nobody reads its events any more.
    private final class EndedTask: Sendable {
        let task: Task<Void, Never>

        init(_ task: Task<Void, Never>) { self.task = task }

        deinit { self.task.cancel() }
    }
}
