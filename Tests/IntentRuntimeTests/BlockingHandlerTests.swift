import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

/// Handlers that block their threads, more of them than threads work at once.
@Suite("Handlers that block their threads", .timeLimit(.minutes(1)))
struct BlockingHandlerTests {
    /// Blocks its thread when the name is `blocks`.
    private struct BlockingHandler: IntentHandler {
        let block: Block

        var handling: Handling<GreetIntent> {
            Handle { intent, _ in
                if intent.name == "blocks" { self.block.wait() }
                return self.greeting(intent)
            }
        }
    }

    @Test(
        "Others are answered, workers stop and start, and the blocked turns are answered once when they are released",
        arguments: [1, 2]
    )
    func blockedHandlersDelayNobodyElse(width: Int) async throws {
        let block = Block()
        let handler = BlockingHandler(block: block)
        try await Pipeline.with([IntentRegistration { handler }], threads: TurnThreads(width: width)) { pipeline in
            defer { block.release() }
            for number in 0..<8 {
                let user = UserID("blocked-\(number)")
                try await pipeline.request(
                    "GreetIntent",
                    ["name": "blocks"],
                    user: user,
                    subject: InteractionID("blocked-\(number)")
                )
            }
            await block.reaches(8)
            try await Self.serve("before", pipeline)
            #expect(block.blocked == 8)
            // The parked turns are run again by those that come: nobody waits for the first ones.
            await pipeline.restartWorkers()
            await block.reaches(16)
            try await Self.serve("after", pipeline)
            #expect(block.blocked == 16)
            block.release()
            for number in 0..<8 {
                #expect(try await pipeline.end(of: InteractionID("blocked-\(number)")).data["endReason"] == "nominal")
            }
            try await pipeline.settle()
        }
    }

    /// Has other users served.
    private static func serve(_ name: String, _ pipeline: Pipeline) async throws {
        for number in 0..<20 {
            let id = "\(name)-\(number)"
            try await pipeline.request("GreetIntent", ["name": "Anna"], user: UserID(id), subject: InteractionID(id))
        }
        for number in 0..<20 {
            #expect(try await pipeline.end(of: InteractionID("\(name)-\(number)")).data["endReason"] == "nominal")
        }
    }
}
