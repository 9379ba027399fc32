internal import IntentEvents
internal import LocalHTTP
internal import WireRules

/// The route of live events: server-sent events of one user.
package struct EventRoutes: Sendable {
    /// How often a stream without events sends its position, so that its client continues behind what it has skipped.
    private static let positionInterval = Duration.seconds(60)

    private let desk: InteractionDesk

    package init(_ desk: InteractionDesk) { self.desk = desk }

    package var all: [GatewayRoute] {
        let position = TextForm("the id of an event, as it was received", minimumLength: 1)
        return [
            GatewayRoute(
                .get,
                "/v1/events",
                APIOperation(
                    "followEvents",
                    "The user's events as they happen: `event` is the type, `id` the position, and `data` an object with "
                        + "type, id, interaction, time and data.",
                    parameters: [
                        APIOperation.Parameter(
                            .header,
                            "Last-Event-ID",
                            .text(position),
                            "Continues behind that event, on any replica; without it from now on."
                        ),
                        APIOperation.Parameter(.query, "after", .text(position), "The same, for the first connection."),
                    ],
                    responses: [
                        APIOperation.Response(
                            200,
                            "Server-sent events, until the client disconnects, its token expires, or an hour has passed.",
                            type: "text/event-stream",
                            body: .text(.any)
                        )
                    ],
                    errors: [.positionExpired]
                ),
                .authorized(.read) { request, caller throws(GatewayError) in
                    let text = request.http.headers["Last-Event-ID"] ?? request.http.query["after"]
                    let position = text.flatMap { EventPosition($0) }
                    guard text == nil || position != nil else {
                        throw GatewayError(
                            .invalidRequest,
                            "Last-Event-ID must be the id of an event, as it was received; without it events begin now."
                        )
                    }
                    let stream = try await self.desk.events(of: caller, after: position)
                    return HTTPServerResponse { writer in try await Self.send(stream, to: writer) }
                }
            )
        ]
    }

    private static func send(_ stream: EventStream, to writer: HTTPBodyWriter) async throws {
        // The position at the beginning comes at once: a client that is cut off before the first event misses nothing.
        var limit = Duration.zero
        while true {
            defer { limit = Self.positionInterval }
            switch try await stream.next(within: limit) {
            case .event(let event):
                let data = String(decoding: event.json, as: UTF8.self)
                try await writer.write("event: \(event.type.rawValue)\nid: \(event.position)\ndata: \(data)\n\n")
            // An id without data dispatches no event, and is sent by the client as the last one.
            case .idle(let position): try await writer.write("id: \(position)\n\n")
            case .ended: return
            }
        }
    }
}
