import Foundation
import IntentLab
import Logging
import NIOCore
import Testing

@testable import EmbeddedBroker
@testable import IntentFuzzing

struct WireFuzzTests {
    /// The inputs that fuzzing found and that are kept, and the seeds.
    private static func inputs() throws -> [[UInt8]] {
        let corpus = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Tests/Fuzzing/Corpus/wire")
        return try ByteMutator.corpus(corpus.path).map(\.bytes)
            + WireSeeds.all.sorted { $0.key < $1.key }.map { Array($0.value.readableBytesView) }
    }

    @Test("Every frame is answered or closes its connection (R55)")
    func answersFrameOrClosesConnection() throws {
        let inputs = try Self.inputs()
        var mutator = ByteMutator(seed: 1)
        try withTemporaryFile { path in
            try FuzzedBroker.run(path: path) { broker in
                for input in inputs { try broker.play(ByteBuffer(bytes: input)) }
                for _ in 0..<2_000 {
                    let input = inputs[mutator.below(inputs.count)]
                    let changed = mutator.mutated(input, with: inputs[mutator.below(inputs.count)])
                    try broker.play(ByteBuffer(bytes: changed))
                }
                #expect(broker.tally.frames > 5_000)
                #expect(broker.tally.answered + broker.tally.refused >= broker.tally.frames / 2)
            }
        }
    }

    @Test("Bad frames on the wire close their own connection only (R55)")
    func badFramesCloseOwnConnectionOnly() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "broker-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var configuration = EmbeddedBroker.Configuration(path: directory.appending(path: "broker.sqlite").path)
        configuration.maxFrameBytes = 1 << 20
        let broker = try await EmbeddedBroker.start(configuration, logger: logger)
        let steady = try await WireClient.connect(host: "127.0.0.1", port: broker.port)
        let frames: [[UInt8]] = [
            [0, 0, 0, 0], [0xff, 0xff, 0xff, 0xff], [0x7f, 0xff, 0xff, 0xff], [0, 0, 0, 8, 0, 99, 0, 0, 0, 0, 0, 1],
            [0, 0, 0, 8, 0, 0, 0, 99, 0, 0, 0, 1], [0, 0, 0, 10, 0, 3, 0, 0, 0, 0, 0, 1, 0, 9],
            [0, 0, 0, 14, 0, 3, 0, 0, 0, 0, 0, 1, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff],
            Array("GET / HTTP/1.1\r\n\r\n".utf8),
        ]
        for frame in frames {
            let bad = try await WireClient.connect(host: "127.0.0.1", port: broker.port)
            try? await bad.send(raw: ByteBuffer(bytes: frame))
            try await bad.waitUntilClosed()
            let request = FindCoordinatorRequest(key: "g", keyType: 0)
            let answer = try await steady.ask(.findCoordinator, request, FindCoordinatorResponse.self)
            #expect(answer.errorCode == .none)
        }
        await steady.close()
        await broker.shutdown()
    }
}
