import Foundation
import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Logging
import SQLiteStore
import Testing

/// A worker of the first stage, whose interactions wait for an answer.
enum WaitingWorker {
    /// Runs a worker of the first stage for as long as the body takes; it keeps almost nothing in memory.
    static func run(
        _ deployment: Deployment,
        _ log: any EventLog,
        _ clock: ShiftedClock,
        _ directory: TemporaryDirectory,
        lanes: Int = 1,
        lag: Int = 10,
        reading: ReadingOptions = ReadingOptions(),
        logger: Logger = Self.quietLogger,
        _ body: () async throws -> Void
    ) async throws {
        let worker = try Self.make(
            deployment,
            log,
            clock,
            directory,
            lanes: lanes,
            lag: lag,
            reading: reading,
            logger: logger
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await worker.run() }
            try await body()
            worker.stop()
            try await group.waitForAll()
        }
    }

    /// Copies the file of the worker's lane in its current state.
    static func copyFile(from directory: TemporaryDirectory, to other: TemporaryDirectory) throws {
        for end in ["", "-wal"] {
            let name = "worker-0.sqlite\(end)"
            try FileManager.default.copyItem(atPath: directory.file(name), toPath: other.file(name))
        }
    }

    /// Logs only errors.
    static var quietLogger: Logger {
        var logger = Logger(label: "intentd.test")
        logger.logLevel = .warning
        return logger
    }

    /// Creates a worker of the first stage.
    static func make(
        _ deployment: Deployment,
        _ log: any EventLog,
        _ clock: ShiftedClock,
        _ directory: TemporaryDirectory,
        lanes: Int = 1,
        lag: Int = 10,
        reading: ReadingOptions = ReadingOptions(),
        logger: Logger = Self.quietLogger
    ) throws -> StageWorker {
        let registry = try IntentRegistry([IntentExtension("Waiting") { IntentRegistration { AskingHandler() } }])
        var wiring = StageWiring(deployment, on: log, registry: registry)
        wiring.clock = clock
        wiring.logger = logger
        wiring.configure = { configuration in
            configuration.lanes = lanes
            configuration.reading = reading
            configuration.settings.stateMemory = 64 << 10
            configuration.settings.stateRetention = .zero
            configuration.settings.stateLag = lag
            configuration.makeSpill = { lane in
                try await SQLiteStateSpill.open(at: directory.file("\(lane).sqlite"), deployment: deployment.id)
            }
        }
        return wiring.worker(.resolve)
    }

    /// Requests this many intents, each for a user of its own.
    static func request(
        _ count: Int,
        from first: Int = 0,
        of partitions: Int,
        on log: any EventLog
    ) async throws {
        let producer = try await log.makeProducer()
        let records = (first..<first + count)
            .map { number in
                let user: UserID = "user \(number)"
                let event = Event(
                    id: "e\(number)",
                    source: "/tests",
                    type: .intentRequested,
                    time: Timestamp(milliseconds: 0),
                    subject: "i\(number)",
                    userID: user,
                    data: ["intent": ["name": "AskingIntent"], "user": ["id": user.json]]
                )
                let partition = HomePartition.of(user: user, count: partitions)
                return OutgoingRecord(
                    topicPartition: TopicPartition(Topic.requests.name(prefix: "intents"), partition),
                    key: Array(user.utf8),
                    value: event.data.utf8,
                    headers: event.headers.map { LogHeader($0.name, bytes: $0.value) }
                )
            }
        _ = try await producer.send(records)
        await producer.close()
    }
}
