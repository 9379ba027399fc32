/// The response to a browser.
package struct ConsoleResponse: Sendable {
    /// The body after the head.
    package enum Body: Sendable {
        case text(String)
        /// Parts, each sent as it comes: events until the reader disconnects, or a page that takes longer.
        case parts(AsyncStream<String>)
    }

    package var status: Int
    /// The media type.
    package var type: String
    /// Headers besides those that every answer has.
    package var headers: [(name: String, value: String)] = []
    /// The content security policy.
    package var policy = Self.policy
    package var body: Body

    /// Nothing from other sites, no inline scripts, no forms to other sites, and no framing.
    package static let policy =
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

    package init(_ page: HTML, status: Int = 200) {
        self.init(status: status, type: "text/html; charset=utf-8", text: page.text)
    }

    package init(status: Int = 200, type: String, text: String) {
        self.status = status
        self.type = type
        self.body = .text(text)
    }

    /// Events, as they come.
    package init(events: AsyncStream<String>) {
        self.status = 200
        self.type = "text/event-stream"
        self.body = .parts(events)
    }

    /// A page whose rest takes longer: its beginning is sent at once.
    package init(_ beginning: HTML, rest: @escaping @Sendable () async -> HTML) {
        let (parts, continuation) = AsyncStream.makeStream(of: String.self)
        continuation.yield(beginning.text)
        let task = Task {
            continuation.yield(await rest().text)
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        self.status = 200
        self.type = "text/html; charset=utf-8"
        self.body = .parts(parts)
    }

    /// Redirects the browser, after a form, to its result.
    package static func seeOther(_ place: String) -> Self {
        var response = Self(status: 303, type: "text/plain; charset=utf-8", text: "See \(place)\n")
        response.headers.append((name: "Location", value: place))
        return response
    }

    /// The text; nil for parts.
    package var text: String? { if case .text(let text) = self.body { text } else { nil } }
}
