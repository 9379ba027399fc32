import InMemoryLog
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Logging

@testable import IntentGateway

/// Replicas of a gateway's desk on one log in memory, with the stages.
struct Replicas {
    let pipeline: Pipeline
    let views: [InteractionView]
    let desks: [InteractionDesk]
    let registry: IntentRegistry

    var log: InMemoryLog { self.pipeline.memory }
    var deployment: Deployment { self.pipeline.deployment }
    var desk: InteractionDesk { self.desks[0] }

    /// A logger that says nothing.
    static let logger = Logger(label: "intentd.tests") { _ in SwiftLogNoOpLogHandler() }

    /// Runs replicas while the body runs; the stages run unless `hasStages` is false, and handle lunch unless another
    /// registration is given.
    static func run(
        _ count: Int = 1,
        hasStages: Bool = true,
        confirmation: ConfirmationPolicy = .always,
        registration: IntentRegistration? = nil,
        _ body: (Replicas) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let log = InMemoryLog()
        let registry = try Self.registry(confirmation, registration)
        let (deployment, _) = try await Deployment.create(TopicPlan(partitions: 2), on: log)
        let pipeline = try await Pipeline(StageWiring(deployment, on: log, registry: registry))
        let views = (0..<count)
            .map { number in
                InteractionView(
                    log: log,
                    deployment: deployment,
                    configuration: .init(path: directory.file("view-\(number).sqlite")),
                    logger: Self.logger
                )
            }
        let desks = views.map { view in
            InteractionDesk(
                view: view,
                writer: RequestWriter(log),
                registry: registry
            )
        }
        if hasStages { pipeline.startWorkers() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for view in views { group.addTask { try await view.run() } }
            try await eventually { views.allSatisfy(\.isReady) }
            try await body(Replicas(pipeline: pipeline, views: views, desks: desks, registry: registry))
            group.cancelAll()
            try await group.waitForAll()
        }
        await pipeline.stopWorkers()
        await log.close()
    }

    /// The intents that are served.
    static func registry(
        _ confirmation: ConfirmationPolicy,
        _ registration: IntentRegistration? = nil
    ) throws -> IntentRegistry {
        try IntentRegistry([
            IntentExtension("Tests") {
                [registration ?? IntentRegistration(confirmation: confirmation) { LunchHandler() }]
            }
        ])
    }

    /// A request for lunch.
    static func lunch(_ dish: String? = nil, id: InteractionID? = nil) -> InteractionDesk.Request {
        let parameters: JSONValue = dish.map { ["dish": .string($0)] } ?? [:]
        return InteractionDesk.Request(id: id, data: ["intent": ["name": "LunchIntent", "parameters": parameters]])
    }
}
