import Foundation
import Logging
import Testing

@testable import EmbeddedBroker

/// The broker, over TCP, compared with a model of what Kafka documents; with `INTENTD_TEST_BROKERS`, Kafka itself is
/// compared with it.
///
/// `INTENTD_MODEL_STEPS` sets the number of steps (100), `INTENTD_MODEL_SEED` the first seed.
@Suite(.serialized) struct ModelTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let steps = Self.environment["INTENTD_MODEL_STEPS"].flatMap(Int.init) ?? 100
    private static let firstSeed = Self.environment["INTENTD_MODEL_SEED"].flatMap(UInt64.init) ?? 1

    private static func withBroker(_ body: (String, Int) async throws -> Void) async throws {
        if let address = Self.environment["INTENTD_TEST_BROKERS"]?.split(separator: ",").first?.split(separator: ":"),
            address.count == 2, let port = Int(address[1])
        {
            return try await body(String(address[0]), port)
        }
        let directory = FileManager.default.temporaryDirectory.appending(path: "broker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = EmbeddedBroker.Configuration(path: directory.appending(path: "broker.sqlite").path)
        // The model has no clock: a transaction that it leaves open stays open, however slow the machine is.
        configuration.maxTransactionTimeout = .seconds(900)
        // The cleaning runs many times within a seed: it must change nothing that the model sees.
        configuration.cleaningInterval = .milliseconds(50)
        configuration.cleaningStepBytes = 200
        let broker = try await EmbeddedBroker.start(configuration, logger: logger)
        do {
            try await body("127.0.0.1", broker.port)
        } catch {
            await broker.shutdown()
            throw error
        }
        await broker.shutdown()
    }

    private static func withClients(
        _ count: Int,
        _ host: String,
        _ port: Int,
        _ body: ([WireClient]) async throws -> Void
    ) async throws {
        var clients: [WireClient] = []
        for _ in 0..<count { clients.append(try await WireClient.connect(host: host, port: port)) }
        do {
            try await body(clients)
        } catch {
            for client in clients { await client.close() }
            throw error
        }
        for client in clients { await client.close() }
    }

    @Test("Transactions, fencing, duplicates and pending offsets match Kafka's documentation (R54)")
    func transactionsMatchModelOfKafka() async throws {
        try await Self.withBroker { host, port in
            try await Self.withClients(1, host, port) { clients in
                for seed in Self.firstSeed..<Self.firstSeed + 3 {
                    let prefix = "model-\(UUID().uuidString)"
                    try await TransactionRun.compare(clients[0], prefix: prefix, seed: seed, steps: Self.steps)
                }
            }
        }
    }

    @Test("Members, generations and who may commit match Kafka's documentation (R54)")
    func groupsMatchModelOfKafka() async throws {
        try await Self.withBroker { host, port in
            try await Self.withClients(4, host, port) { clients in
                for seed in Self.firstSeed..<Self.firstSeed + 3 {
                    let prefix = "model-\(UUID().uuidString)"
                    try await GroupRun.compare(clients, prefix: prefix, seed: seed, steps: Self.steps / 2)
                }
            }
        }
    }
}
