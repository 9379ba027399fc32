/// The response to a request.
package struct HTTPServerResponse: Sendable {
    package enum Body: Sendable {
        /// A complete text.
        case text(String)
        /// One part after the other as it comes: events until the reader disconnects, or a page that takes longer.
        case parts(AsyncStream<String>)
        /// Server-sent events, until the function returns; comments keep the connection alive meanwhile.
        ///
        /// The function's task is cancelled when the client disconnects, and when the server drains: then it returns.
        case events(@Sendable (HTTPBodyWriter) async throws -> Void)
    }

    package var status: Int
    /// The media type.
    package var type: String
    /// Headers besides those that every response has; one of the same name takes the place of the server's.
    package var headers: [(name: String, value: String)] = []
    package var body: Body
    /// After how many seconds a stream ends; nil for the server's limit.
    package var maximumSeconds: Int64?

    package init(status: Int = 200, type: String = "text/plain; charset=utf-8", text: String) {
        self.status = status
        self.type = type
        self.body = .text(text)
    }

    package init(type: String, parts: AsyncStream<String>) {
        self.status = 200
        self.type = type
        self.body = .parts(parts)
    }

    /// Server-sent events, which the function sends at its reader's speed.
    package init(events: @escaping @Sendable (HTTPBodyWriter) async throws -> Void) {
        self.status = 200
        self.type = "text/event-stream"
        // Without it, nginx collects events before it passes them on.
        self.headers = [(name: "X-Accel-Buffering", value: "no")]
        self.body = .events(events)
    }

    /// A text whose rest takes longer: its beginning is sent at once.
    package init(type: String, beginning: String, rest: @escaping @Sendable () async -> String) {
        let (parts, continuation) = AsyncStream.makeStream(of: String.self)
        continuation.yield(beginning)
        let task = Task {
            continuation.yield(await rest())
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        self.init(type: type, parts: parts)
    }

    /// Redirects a browser, after a form, to its result.
    package static func seeOther(_ location: String) -> Self {
        var response = Self(status: 303, text: "See \(location)\n")
        response.headers.append((name: "Location", value: location))
        return response
    }

    /// The text; nil for parts.
    package var text: String? { if case .text(let text) = self.body { text } else { nil } }
}
