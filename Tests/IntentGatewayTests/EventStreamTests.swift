import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@testable import IntentGateway

@Suite("Streams of a user's events")
struct EventStreamTests {
    private let ada = Caller(userID: "ada")

    private func record(_ number: Int, user: UserID = "ada", _ deployment: Deployment, _ topic: Topic = .responses)
        -> OutgoingRecord
    {
        let event = Event(
            id: "e\(number)",
            source: Stage.resolve.source,
            type: topic == .responses ? .userNotified : .userActivityCreated,
            time: Timestamp(milliseconds: Int64(number)),
            subject: "i1",
            userID: user,
            data: ["number": .integer(Int64(number))]
        )
        return OutgoingRecord(
            topicPartition: deployment.topicPartition(topic, deployment.home(of: user)),
            content: event.content
        )
    }

    private func next(_ stream: EventStream, _ count: Int) async throws -> [GatewayEvent] {
        var events: [GatewayEvent] = []
        while events.count < count, case .event(let event) = try await stream.next(within: .seconds(60)) {
            events.append(event)
        }
        return events
    }

    @Test("A stream without a position has the user's events from now on, and no other user's")
    func beginsNow() async throws {
        try await Replicas.run(hasStages: false) { replicas in
            let deployment = replicas.deployment
            try await replicas.log.write([self.record(1, deployment)])
            _ = await replicas.views[0].catchUp(deployment.home(of: "ada"), within: .seconds(30))
            let stream = try await replicas.desk.events(of: self.ada)
            try await replicas.log.write([
                self.record(2, user: "bob", deployment), self.record(3, deployment),
                self.record(4, deployment, .userActivities),
            ])
            #expect(Set(try await self.next(stream, 2).map(\.id)) == ["e3", "e4"])
        }
    }

    @Test(
        "Reading in pieces at changing replicas delivers each event exactly once, in the order of each topic",
        arguments: 0..<4
    )
    func continuesAnywhere(seed: UInt64) async throws {
        try await Replicas.run(2, hasStages: false) { replicas in
            var numbers = SeededNumbers(seed: seed)
            let deployment = replicas.deployment
            let first = try await replicas.desk.events(of: self.ada)
            guard case .idle(var position) = try await first.next(within: .milliseconds(1)) else {
                Issue.record("there is an event already")
                return
            }
            var sent = 0
            var seen: [String] = []
            while seen.count < 2_000 {
                // Often more than a stream holds, so that it has to read the topics.
                let records = (0..<numbers.below(700))
                    .map { index in
                        let topic: Topic = numbers.oneIn(5) ? .userActivities : .responses
                        let user: UserID = numbers.oneIn(3) ? "bob" : "ada"
                        if user == "ada" { sent += 1 }
                        return self.record(user == "ada" ? sent : 0, user: user, deployment, topic)
                    }
                try await replicas.log.write(records)
                let stream = try await numbers.pick(replicas.desks).events(of: self.ada, after: position)
                for event in try await self.next(stream, min(sent - seen.count, numbers.below(900))) {
                    seen.append(event.id)
                    position = try #require(EventPosition(event.position.description))
                }
            }
            #expect(Set(seen).count == seen.count)
            #expect(Set(seen).isSubset(of: Set((1...sent).map { "e\($0)" })))
            // Nothing was left out before the last place.
            let stream = try await replicas.desk.events(of: self.ada, after: position)
            seen += try await self.next(stream, sent - seen.count).map(\.id)
            #expect(Set(seen) == Set((1...sent).map { "e\($0)" }))
        }
    }

    @Test("A stream whose client does not read holds few events, and loses none")
    func holdsFew() async throws {
        try await Replicas.run(hasStages: false) { replicas in
            let deployment = replicas.deployment
            let stream = try await replicas.desk.events(of: self.ada)
            for batch in 0..<10 {
                try await replicas.log.write((1...200).map { self.record(batch * 200 + $0, deployment) })
            }
            _ = await replicas.views[0].catchUp(deployment.home(of: "ada"), within: .seconds(30))
            #expect(try await self.next(stream, 2_000).map(\.id) == (1...2_000).map { "e\($0)" })
        }
    }

    @Test("A position of other topics, beyond their end, or before what they hold is refused")
    func refusesPositions() async throws {
        try await Replicas.run(hasStages: false) { replicas in
            let deployment = replicas.deployment
            try await replicas.log.write((1...10).map { self.record($0, deployment) })
            let home = deployment.home(of: "ada")
            _ = await replicas.views[0].catchUp(home, within: .seconds(30))
            try replicas.log.trim(deployment.topicPartition(.responses, home), to: 5)
            let other = Deployment(id: "ffffffffffffffff", prefix: "intents", partitions: 2)
            for position in [
                EventPosition(deployment, responses: 4, activities: 0),
                EventPosition(deployment, responses: 11, activities: 0),
                EventPosition(other, responses: 10, activities: 0),
            ] {
                let code = await GatewayError.code {
                    _ = try await replicas.desk.events(of: self.ada, after: position)
                }
                #expect(code == .positionExpired, "\(position)")
            }
            let held = EventPosition(deployment, responses: 5, activities: 0)
            let stream = try await replicas.desk.events(of: self.ada, after: held)
            #expect(try await self.next(stream, 5).map(\.id) == (6...10).map { "e\($0)" })
        }
    }

    @Test(
        "The text of a position is read as it was written, and no other text is",
        arguments: ["", "a", "a.1", "a.1.2.3", "G.1.2", "a.-1.2", "a.1.99999999999999999999"]
    )
    func readsPositions(text: String) throws {
        #expect(EventPosition(text) == nil)
        let position = EventPosition(
            Deployment(id: "abcdef0123456789", prefix: "p", partitions: 1),
            responses: 3,
            activities: 4
        )
        #expect(EventPosition(position.description) == position)
    }
}
