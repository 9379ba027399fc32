import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("An interaction that a turn acts on")
struct ActingTests {
    private struct TestFailure: Error {}

    private func turn() throws -> Turn {
        let environment = try StageEnvironment.tests(.resolve)
        let event = Event(
            id: "e1",
            source: "/tests",
            type: .intentRequested,
            time: Timestamp(milliseconds: 0),
            subject: "i1",
            userID: "u1",
            data: ["intent": ["name": "GreetIntent"], "user": ["id": "u1"]]
        )
        let input = TurnInput(event.stored(on: .requests, offset: 7))
        return Turn(input, environment, StateTable().source(user: "u1"))
    }

    @Test(
        "The turn keeps the interaction as it was left, whether acting on it returns or throws",
        arguments: [false, true]
    )
    func turnKeepsInteractionAsLeft(throwing: Bool) async throws {
        let turn = try self.turn()
        try? turn.act(on: .greeting()) { interaction in
            interaction.settle("first")
            if throwing { throw TestFailure() }
        }
        #expect(turn.interaction?.settled == ["first"])
        let again = try #require(turn.interaction)
        try? await turn.act(on: again) { interaction in
            interaction.settle("second")
            await Task.yield()
            interaction.intent.parameters["name"] = "Jeff"
            if throwing { throw TestFailure() }
        }
        #expect(turn.interaction?.settled == ["first", "second"])
        #expect(turn.interaction?.intent.parameters["name"] == "Jeff")
    }

    @Test("The interaction is hidden while it is acted on, and no longer reported once the turn has let it go")
    func interactionIsHiddenWhileActedOn() throws {
        let turn = try self.turn()
        turn.act(on: .greeting()) { _ in #expect(turn.interaction == nil) }
        #expect(turn.result().record.interactionID == "i1")
        let other = try self.turn()
        other.act(on: .greeting()) { $0.turns += 1 }
        other.detachInteraction()
        #expect(other.result().record.interactionID == nil)
    }

    @Test("Acting on a second interaction at the same time ends the process")
    func actingOnSecondInteractionTraps() async {
        await #expect(processExitsWith: .failure) {
            let turn = try ActingTests().turn()
            turn.act(on: .greeting()) { first in
                turn.act(on: first) { $0.turns += 1 }
            }
        }
    }
}
