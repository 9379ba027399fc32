#if DEBUG || FUZZING
import IntentLab
import NIOCore

@testable import EmbeddedBroker

/// A broker that is fed frames as a connection would feed them, without network, threads or clocks, and checked
/// meanwhile.
///
/// Every input begins with the same state: topics, a group with members, an open transaction. What an input writes is
/// rolled back afterwards, so that an input that breaks something breaks it again.
struct FuzzedBroker {
    /// The results of the frames so far.
    private(set) var tally = Tally()
    private let pristine: BrokerCore
    private var core: BrokerCore
    private var now = Self.start
    private var connection: UInt64 = 1
    private var sequence: UInt64 = 0
    /// Requests without an answer yet.
    private var open: [ReplyToken: RequestHeader] = [:]

    private static let start = BrokerTime(monotonic: 0, wall: 1_800_000_000_000)

    /// The results of frames.
    struct Tally: Equatable {
        /// All frames.
        var frames = 0
        /// Frames answered at once or later.
        var answered = 0
        /// Frames that closed their connection.
        var refused = 0
    }

    /// The first byte of an input.
    struct Options: OptionSet {
        var rawValue: UInt8
        /// Record batches get correct lengths and checksums; otherwise few would get any further.
        static let mendsBatches = Options(rawValue: 1)
        /// Time passes between the frames.
        static let timePasses = Options(rawValue: 2)
        /// All frames come in one round, as from a client that does not wait for answers.
        static let isOneRound = Options(rawValue: 4)
        /// Records are uncompressed in their batches and are compressed as the attributes say, so that changes get
        /// inside.
        static let compresses = Options(rawValue: 8)
    }

    /// A defect that was found.
    struct Defect: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs the body with a broker on a file that does not exist yet.
    static func run<Result>(path: String, _ body: (inout FuzzedBroker) throws -> Result) throws -> Result {
        var configuration = EmbeddedBroker.Configuration(path: path)
        configuration.defaultPartitions = 2
        return try LogStore.open(path: path, synchronous: .normal, logger: LogLines().logger()) { store in
            let core = try BrokerCore(
                store: store,
                configuration: configuration,
                address: .init(host: "localhost", port: 9_092),
                at: Self.start
            )
            var broker = try FuzzedBroker(core)
            return try body(&broker)
        }
    }

    private init(_ empty: BrokerCore) throws {
        var core = empty
        try FuzzedState.prepare(&core, at: Self.start)
        self.pristine = core
        self.core = core
    }

    /// Feeds one input: options, then frames, each after two bytes of length.
    mutating func play(_ input: ByteBuffer) throws {
        var input = input
        self.core = self.pristine
        self.now = Self.start
        self.open = [:]
        defer { self.core.store.rollback() }
        let options = Options(rawValue: input.readInteger() ?? 0)
        while let length = input.readInteger(as: UInt16.self) {
            let count = min(Int(length), input.readableBytes)
            guard let frame = input.readSlice(length: count) else { break }
            try self.receive(frame, options)
            if options.contains(.timePasses) { try self.pass(700) }
            if !options.contains(.isOneRound) { try self.finishRound() }
        }
        try self.finishRound()
        try self.checkInvariants()
        // Every wait of a client ends: the longest time that a request can name is 25 days.
        for _ in 0..<4 where !self.open.isEmpty { try self.pass(Int64(Int32.max) + 1) }
        if let (token, header) = self.open.first {
            throw Defect(description: "request \(token.sequence), \(header.api) v\(header.version), is never answered")
        }
        try self.checkInvariants()
        try self.readBack()
    }

    /// Fetches all records: a consumer can read everything that was accepted, and the log does not end before its end.
    private mutating func readBack() throws {
        for topic in self.core.topics.values {
            for (number, log) in topic.partitions.enumerated() {
                var offset = log.startOffset
                while offset < log.endOffset {
                    let next = try self.readBack(topic.name, Int32(number), from: offset)
                    guard next > offset else {
                        throw Defect(description: "\(topic.name)-\(number): nothing is served at \(offset)")
                    }
                    offset = next
                }
            }
        }
    }

    private mutating func readBack(_ topic: Name, _ partition: Int32, from offset: Int64) throws -> Int64 {
        let wanted = FetchRequest.Topic.Partition(
            partition: partition,
            fetchOffset: offset,
            partitionMaxBytes: 1 << 20
        )
        let request = FetchRequest(maxBytes: 1 << 20, topics: [.init(topic: topic, partitions: [wanted])])
        let token = ReplyToken(connection: 0, sequence: 0)
        let context = RequestContext(token: token, version: 11, clientID: "", clientHost: "")
        try self.core.fetch(request, context, at: self.now)
        let response = self.core.outbox.answers.removeLast().response as? FetchResponse
        var next = offset
        for bytes in response?.responses.first?.partitions.first?.records ?? [] {
            if let problem = ServedBatch.problem(of: bytes) {
                throw Defect(description: "\(topic)-\(partition): the batch at \(next) is served, but \(problem)")
            }
            next = RecordBatch(stored: bytes).map { $0.header.lastOffset + 1 } ?? next
        }
        return next
    }

    private mutating func receive(_ frame: ByteBuffer, _ options: Options) throws {
        self.tally.frames += 1
        let header: RequestHeader
        var request: Request
        do {
            guard let read = try Self.read(frame) else {
                self.tally.answered += 1
                return
            }
            (header, request) = read
        } catch {
            self.refuse()
            return
        }
        if options.contains(.mendsBatches), case .produce(let produced) = request {
            request = .produce(produced.mended(compressing: options.contains(.compresses)))
        }
        self.sequence += 1
        let token = ReplyToken(connection: self.connection, sequence: self.sequence)
        self.open[token] = header
        let context = RequestContext(
            token: token,
            version: header.version,
            clientID: header.clientID ?? "",
            clientHost: "/127.0.0.1"
        )
        do {
            try self.core.handle(request, context, at: self.now)
        } catch {
            throw Failure(api: header.api, version: header.version, error: error)
        }
    }

    /// Decodes as a connection does; nil is a version of ApiVersions that is answered without the core.
    private static func read(_ frame: ByteBuffer) throws(WireError) -> (RequestHeader, Request)? {
        guard frame.readableBytes >= 8 else { throw .invalidLength }
        var reader = WireReader(frame, isFlexible: false)
        let header = try RequestHeader(from: &reader)
        guard header.api.versions.contains(header.version) else { return nil }
        return (header, try Request(header.api, from: &reader, version: header.version))
    }

    /// Closes the connection together with its waiting requests.
    private mutating func refuse() {
        self.tally.refused += 1
        let polls = self.core.longPolls.byToken.keys.filter { $0.connection == self.connection }
        self.core.close(connection: self.connection)
        for token in polls { self.open[token] = nil }
        self.connection += 1
    }

    private mutating func pass(_ milliseconds: Int64) throws {
        self.now.monotonic += milliseconds
        self.now.wall += milliseconds
        let now = self.now
        try self.core.tick(at: now) { now.monotonic * 1_000 }
        try self.finishRound()
    }

    private mutating func finishRound() throws {
        try self.core.finishRound()
        for (token, response) in self.core.outbox.answers {
            guard let header = self.open.removeValue(forKey: token) else {
                throw Defect(
                    description: "request \(token) is answered twice, or never came: \(String(describing: response))"
                )
            }
            self.tally.answered += 1
            guard let response else { continue }
            let envelope = ResponseEnvelope(
                api: header.api,
                version: header.version,
                correlationID: header.correlationID,
                body: response
            )
            var frame = ByteBuffer()
            envelope.write(to: &frame)
            guard frame.getInteger(at: 0, as: Int32.self) == Int32(frame.readableBytes - 4),
                frame.getInteger(at: 4, as: Int32.self) == header.correlationID
            else { throw Defect(description: "the answer to \(header.api) v\(header.version) is no frame") }
        }
        self.core.outbox.answers.removeAll(keepingCapacity: true)
    }

    private func checkInvariants() throws {
        for topic in self.core.topics.values {
            for (number, log) in topic.partitions.enumerated() {
                let isOrdered = log.startOffset <= log.lastStableOffset && log.lastStableOffset <= log.endOffset
                guard isOrdered else {
                    throw Defect(
                        description: "\(topic.name)-\(number): start \(log.startOffset), stable "
                            + "\(log.lastStableOffset), end \(log.endOffset)"
                    )
                }
            }
        }
        let polls = Set(self.core.longPolls.waiting.values.joined().map(\.key))
        guard polls.isSubset(of: self.core.longPolls.byToken.keys) else {
            throw Defect(description: "partitions remember long polls that have ended")
        }
        for group in self.core.groups.values {
            if group.members.isEmpty != (group.phase == .empty), group.pendingMembers.isEmpty {
                throw Defect(description: "group \(group.id) is \(group.stateName) with \(group.members.count) members")
            }
            for (instance, member) in group.staticMembers where group.members[member]?.instanceID != instance {
                throw Defect(description: "group \(group.id) knows static member \(instance) that is none")
            }
        }
    }

    /// The broker's thread would start over: a frame has caused an error that no answer reports.
    struct Failure: Error, CustomStringConvertible {
        var api: ApiKey
        var version: Int16
        var error: any Error
        var description: String { "\(self.api) v\(self.version) threw \(self.error)" }
    }
}

extension ProduceRequest {
    /// The same with a correct format, length and checksum in every batch.
    fileprivate func mended(compressing: Bool) -> ProduceRequest {
        var mended = self
        for topic in mended.topics.indices {
            for partition in mended.topics[topic].partitions.indices {
                guard let records = mended.topics[topic].partitions[partition].records,
                    records.readableBytes >= RecordBatchHeader.size
                else { continue }
                var bytes = ByteBuffer(buffer: records)
                bytes.setInteger(Int8(2), at: 16)
                let number = (bytes.getInteger(at: 22, as: UInt8.self) ?? 0) & 7
                let codec = MadeCompression.allCases.first { $0.number == Int16(number) }
                if compressing, let codec {
                    bytes = RecordBatch.compressed(bytes, codec)
                } else {
                    bytes = RecordBatch.mended(bytes)
                }
                mended.topics[topic].partitions[partition].records = bytes
            }
        }
        return mended
    }
}
#endif
