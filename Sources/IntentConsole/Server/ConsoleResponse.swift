/// What a browser is answered.
package struct ConsoleResponse: Sendable {
    /// What is sent after the head.
    package enum Body: Sendable {
        /// All of it.
        case text(String)
        /// One event after the other, until the reader has gone.
        case events(AsyncStream<String>)
    }

    /// The status.
    package var status: Int
    /// The media type.
    package var type: String
    /// Headers besides those that every answer has.
    package var headers: [(name: String, value: String)] = []
    /// What may be shown and loaded.
    package var policy = Self.policy
    /// What is sent.
    package var body: Body

    /// Nothing from elsewhere, nothing written into the page, no forms to elsewhere, in nobody's frame.
    package static let policy =
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

    /// A page.
    package init(_ page: HTML, status: Int = 200) {
        self.init(status: status, type: "text/html; charset=utf-8", text: page.text)
    }

    /// A text of some type.
    package init(status: Int = 200, type: String, text: String) {
        self.status = status
        self.type = type
        self.body = .text(text)
    }

    /// Events, as they come.
    package init(events: AsyncStream<String>) {
        self.status = 200
        self.type = "text/event-stream"
        self.body = .events(events)
    }

    /// Sends the browser on; after a form, to what came of it.
    package static func seeOther(_ place: String) -> Self {
        var response = Self(status: 303, type: "text/plain; charset=utf-8", text: "See \(place)\n")
        response.headers.append((name: "Location", value: place))
        return response
    }

    /// The text; nil for events.
    package var text: String? { if case .text(let text) = self.body { text } else { nil } }
}
