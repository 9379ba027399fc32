@testable import DeclaredIntents
import Foundation
import IntentKit
import IntentLab
import Synchronization
import Testing
import WireRules

@Suite("R77: a service sends follow-ups")
struct FollowUpServiceTests {
    /// Records the follow-ups of a turn.
    private final class RecordingHost: StubTurnHost {
        private struct State {
            var sent: [FollowUp] = []
            var cancelled: [String] = []
        }

        private let state = Mutex(State())

        var sent: [FollowUp] { self.state.withLock(\.sent) }
        var cancelled: [String] { self.state.withLock(\.cancelled) }

        func send(_ followUp: FollowUp, of interactionID: String) throws(FollowUpError) -> String {
            self.state.withLock { $0.sent.append(followUp) }
            return followUp.id(of: interactionID, digits: "00000000")
        }

        func cancel(followUp interactionID: String) throws(FollowUpError) {
            self.state.withLock { $0.cancelled.append(interactionID) }
        }
    }

    private static let order = IntentSnapshot(name: "OrderLemonade", parameters: ["flavour": "lime"])

    /// The error of a `handle` that answers with these members beside its code; nil if it succeeds.
    private static func handle(_ members: String, _ host: RecordingHost) async throws -> String? {
        var problem: String?
        try await TestHTTPServer.run { _, _ in
            .init(body: #"{"code":"success",\#(members)}"#)
        } _: { server in
            let intent = try ServedIntent(server.url())
            do {
                _ = try await intent.registration.handle(Self.order, host.context())
            } catch {
                problem = "\(error)"
            }
        }
        return problem
    }

    @Test("A service starts intents, notifies users, and cancels follow-ups")
    func sendsFollowUps() async throws {
        let host = RecordingHost()
        let start = #"{"name":"taxi","intent":"BookTaxi","parameters":{"to":"Clinic"},"dialog":"Then:"}"#
        let later = #"{"name":"again","intent":"AskHowItWent","at":"1970-01-02T01:00:00+01:00","user":"anna"}"#
        let notify = #"{"name":"tell","user":"ada","dialog":"Done.","details":{"n":1}}"#
        let members = #""start":[\#(start),\#(later)],"notify":[\#(notify)],"cancel":["i0+a-00000000"]"#
        #expect(try await Self.handle(members, host) == nil)
        let taxi = IntentSnapshot(name: "BookTaxi", parameters: ["to": "Clinic"])
        #expect(
            host.sent == [
                FollowUp("taxi", .intent(taxi), dialog: "Then:"),
                FollowUp(
                    "again",
                    .intent(IntentSnapshot(name: "AskHowItWent")),
                    at: Date(timeIntervalSince1970: 86_400)
                ),
                FollowUp("tell", .notification(["n": 1]), dialog: "Done.", user: "ada"),
            ]
        )
        #expect(host.cancelled == ["i0+a-00000000"])
    }

    @Test(
        "An answer with an invalid follow-up is an error that names the path and the reason",
        arguments: [
            (#""start":[{"name":"taxi"}]"#, "start.0.intent is missing"),
            (#""start":[{"name":"taxi","intent":"BookTaxi","at":"tomorrow"}]"#, "start.0.at"),
            (#""notify":[{"name":"tell"}]"#, "notify.0.dialog is missing"),
            (#""notify":[{"name":"tell","dialog":"x","at":"1971-01-01T00:00:00Z"}]"#, "more than 90 days from now"),
            (#""cancel":[1]"#, "cancel.0"),
        ]
    )
    func unusableFollowUps(members: String, problem: String) async throws {
        let host = RecordingHost()
        let error = try await Self.handle(members, host)
        #expect(error?.contains(problem) == true, "\(error ?? "accepted")")
        #expect(host.sent.isEmpty && host.cancelled.isEmpty)
    }

    @Test("A service sees what the interaction follows from")
    func seesOrigin() async throws {
        try await TestHTTPServer.run { _, _ in
            .init(body: #"{"code":"success"}"#)
        } _: { server in
            let intent = try ServedIntent(server.url())
            let origin = FollowedFrom(name: "again", interactionID: "i0", depth: 1)
            let context = RecordingHost().context(followsFrom: origin)
            _ = try await intent.registration.handle(Self.order, context)
            let asked = try JSONValue(parsing: try #require(server.requests.first).body)
            #expect(asked["followsFrom"] == ["interaction": "i0", "name": "again"])
            #expect(ServiceCall.handle.request.problem(in: try #require(asked.object), .written) == nil)
        }
    }
}
