internal import IntentKit
internal import IntentEvents
internal import IntentRecords
internal import LocalHTTP

extension Console {
    /// Pages that are updated while they are open.
    func live(_ path: [String], _ query: Fields) async throws -> HTTPServerResponse? {
        switch path.first {
        case "overview" where path.count == 1:
            let span = query["span"].flatMap(ActivitySeries.Span.init(rawValue:)) ?? .minutes
            return self.follow {
                (self.overview(span).body, .page)
            }
        case "interactions" where path.count == 3:
            guard let story = try await self.story(Array(path[1...2])) else { return nil }
            let position = story.interaction.position
            return self.follow {
                guard let now = try await self.records.archive().story(ofRequest: position) else { return nil }
                let page = self.page(of: now)
                let isAnother = now.interaction.endedAt != nil || Self.offer(page) != query
                return (page.body, isAnother ? .reload : .page)
            }
        case "audit" where path.count == 2:
            guard let number = Int(path[1]), self.jobs.job(number) != nil else { return nil }
            return self.follow {
                guard let job = self.jobs.job(number) else { return nil }
                return (self.auditPage.live(job), job.isRunning ? .page : .done)
            }
        default: return nil
        }
    }

    /// The kinds of events that are sent to an open page.
    private enum LiveEvent: String {
        /// The current version of the part; others follow.
        case page
        /// The final version of the part.
        case done
        /// The page must be reloaded: more of it changes than the part.
        case reload
    }

    /// Streams a part of a page; a slow reader only gets the newest version.
    private func follow(
        _ part: @escaping @Sendable () async throws -> (html: HTML, event: LiveEvent)?
    ) -> HTTPServerResponse {
        guard self.followers.enter() else {
            self.followers.leave()
            var response = HTTPServerResponse(
                status: 503,
                type: "text/plain; charset=utf-8",
                text: "Too many live pages are open: reload this page instead.\n"
            )
            response.headers.append((name: "Retry-After", value: "30"))
            return response
        }
        let (events, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            var last: HTML?
            let end = ContinuousClock.now + Self.followTime
            while !Task.isCancelled, .now < end {
                guard let (html, event) = try? await part() else { break }
                // Writing a comment shows whether the reader is still connected.
                continuation.yield(html == last && event == .page ? ":\n\n" : Self.event(event, html))
                last = html
                guard event == .page else { break }
                try? await Task.sleep(for: Self.followInterval)
            }
            continuation.finish()
        }
        let followers = self.followers
        continuation.onTermination = { _ in
            task.cancel()
            followers.leave()
        }
        return HTTPServerResponse(type: "text/event-stream", parts: events)
    }

    /// An event in the format of a stream: with a prefix on each line.
    private static func event(_ event: LiveEvent, _ html: HTML) -> String {
        let lines = html.text.split(separator: "\n", omittingEmptySubsequences: false)
        return "event: \(event.rawValue)\nretry: 1000\n" + lines.map { "data: \($0)\n" }.joined() + "\n"
    }
}
