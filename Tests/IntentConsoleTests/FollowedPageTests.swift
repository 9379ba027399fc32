import IntentEvents
import IntentRuntime
import LocalHTTP
import Testing

@testable import IntentConsole
@testable import IntentOperations

@Suite("Pages with live updates", .timeLimit(.minutes(1)))
struct FollowedPageTests {
    /// A clock that tells when nobody has it any more.
    private final class TellingClock: RuntimeClock {
        private let end: AsyncStream<Void>.Continuation

        init(_ end: AsyncStream<Void>.Continuation) { self.end = end }

        deinit { self.end.finish() }

        var now: Timestamp { Samples.start }

        func sleep(for duration: Duration) async throws {}
    }

    /// Follows a page of a console with that clock until the first event.
    private static func follow(_ clock: TellingClock) async throws {
        let console = Console(
            try await Samples.operations(),
            gate: ConsoleGate(token: nil, host: "localhost"),
            clock: clock
        )
        let response = try #require(try await console.live(["overview"], Fields()))
        guard case .parts(let events) = response.body else {
            Issue.record("It is no page that is followed: \(response)")
            return
        }
        for await event in events {
            #expect(event.hasPrefix("event: page\n"))
            break
        }
    }

    @Test("A page is no longer made when its reader has left, and then nothing retains the console")
    func stopsMakingPageWhenReaderLeaves() async throws {
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        try await Self.follow(TellingClock(end))
        for await _ in ending {}
    }
}
