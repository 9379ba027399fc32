import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import Testing

extension Pipeline {
    /// Waits until everything that was sent has passed through all stages: plays one more conversation in each
    /// partition.
    ///
    /// Each stage keeps the order of a partition, so all earlier events have been processed when the last stage
    /// answers.
    func passThrough() async throws {
        let partitions = self.deployment.partitions
        var users: [Int: UserID] = [:]
        var number = 0
        while users.count < partitions {
            let user: UserID = "last \(number)"
            users[HomePartition.of(user: user, count: partitions)] = user
            number += 1
        }
        for user in users.values.sorted() {
            // The interaction is unknown: the event passes through every stage, and the last one reports it.
            let conversation = self.client.open(id: "nothing of \(user)", userID: user)
            defer { conversation.close() }
            let data: JSONValue = ["user": ["id": user.json]]
            try await conversation.send([conversation.makeEvent("interaction.cancelled", data: data)])
            let event = try await conversation.next()
            #expect(event.knownType == .eventRejected)
        }
    }

    /// The number of times that each interaction's effect has happened.
    func deeds() async throws -> [String: Int] {
        let rows = try await self.ledger.read { store in
            .array(try store.query("SELECT interaction FROM deeds", []).map { $0["interaction"] ?? .null })
        }
        return (rows.array ?? []).reduce(into: [:]) { $0[$1.string ?? "", default: 0] += 1 }
    }
}
