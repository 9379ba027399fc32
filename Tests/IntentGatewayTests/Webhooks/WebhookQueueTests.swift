import IntentEvents
import IntentLab
import IntentOperations
import IntentRuntime
import Testing

@testable import IntentGateway

@Suite("What a gateway posts next (R88)")
struct WebhookQueueTests {
    private static let partition = TopicPartition("p.responses", 0)
    private static let time = Timestamp(milliseconds: 1_000_000)

    private var queue: WebhookQueue

    init() {
        self.queue = WebhookQueue(Self.configuration)
        self.queue.assign([Self.partition: 0])
    }

    private static var configuration: WebhookQueue.Configuration {
        var configuration = WebhookQueue.Configuration(retryFor: .seconds(60))
        configuration.window = 4
        configuration.concurrency = 3
        return configuration
    }

    private static func item(
        _ offset: Int64,
        _ user: UserID,
        in partition: TopicPartition = Self.partition
    ) -> WebhookQueue.Item {
        let deployment = Deployment(id: "0123456789abcdef", prefix: "p", partitions: 2)
        let event = UserEvent(
            type: .userNotified,
            id: "e\(offset)",
            interaction: nil,
            time: Self.time,
            body: Array("{}".utf8)
        )
        return WebhookQueue.Item(
            key: WebhookQueue.Key(partition: partition, offset: offset),
            user: user,
            writtenAt: Self.time,
            message: WebhookMessage(
                event,
                at: RecordPosition(.responses, partition.partition, offset),
                of: deployment
            ),
            record: LogRecord(
                topicPartition: partition,
                offset: offset,
                timestamp: Self.time.milliseconds,
                content: RecordContent(key: nil, value: Array("{}".utf8), headers: [])
            )
        )
    }

    private mutating func add(_ offset: Int64, _ user: UserID?) {
        let key = WebhookQueue.Key(partition: Self.partition, offset: offset)
        self.queue.add(key, user.map { Self.item(offset, $0) })
    }

    private mutating func settle(
        _ result: Webhook.Result,
        _ post: WebhookQueue.Post,
        at now: Duration = .zero,
        after age: Int64 = 0
    ) -> WebhookQueue.Verdict? {
        self.queue.settle(result, of: post, at: now, time: Self.time + age, jitter: 1)
    }

    private static func offsets(_ posts: [WebhookQueue.Post]) -> [Int64] { posts.map(\.item.key.offset) }

    @Test("A user's next event waits for the one before; other users' events do not")
    mutating func postsInOrderByUser() throws {
        for (offset, user) in ["ada", "ada", "bob", "ada"].enumerated() { self.add(Int64(offset), UserID(user)) }
        let first = self.queue.next(at: .zero)
        #expect(Self.offsets(first) == [0, 2])
        #expect(self.queue.next(at: .zero).isEmpty)
        guard case .delivered = self.settle(.delivered, first[1]) else { throw Unexpected() }
        #expect(self.queue.next(at: .zero).isEmpty)
        _ = self.settle(.delivered, first[0])
        #expect(Self.offsets(self.queue.next(at: .zero)) == [1])
    }

    @Test("An offset is committed when all events before it are settled")
    mutating func commitsOnlyBehindWhatIsSettled() {
        for (offset, user) in ["ada", "bob", "cleo"].enumerated() { self.add(Int64(offset), UserID(user)) }
        self.add(3, nil)
        let posts = self.queue.next(at: .zero)
        _ = self.settle(.delivered, posts[1])
        #expect(self.queue.progress.isEmpty)
        _ = self.settle(.delivered, posts[0])
        #expect(self.queue.progress == [Self.partition: 2])
        self.queue.commit([Self.partition: 2])
        #expect(self.queue.progress.isEmpty)
        _ = self.settle(.refused("no"), posts[2])
        #expect(self.queue.progress == [Self.partition: 4])
        self.queue.reach([Self.partition: 6])
        #expect(self.queue.progress == [Self.partition: 6])
    }

    @Test("A failed post is repeated later and later, and not before the receiver wants it")
    mutating func backsOff() throws {
        self.add(0, "ada")
        var now = Duration.zero
        for expected in [Duration.milliseconds(500), .seconds(1), .seconds(2)] {
            let post = try #require(self.queue.next(at: now).first)
            guard case .again(let delay) = self.settle(.failed("500", retryAfter: nil), post, at: now) else {
                throw Unexpected()
            }
            #expect(delay == expected)
            #expect(self.queue.due == now + expected)
            #expect(self.queue.next(at: now + expected - .milliseconds(1)).isEmpty)
            now += expected
        }
        for (asked, expected) in [(Duration.seconds(30), Duration.seconds(30)), (.seconds(86_400), .seconds(3_600))] {
            let post = try #require(self.queue.next(at: now).first)
            guard case .again(let delay) = self.settle(.failed("503", retryAfter: asked), post, at: now) else {
                throw Unexpected()
            }
            #expect(delay == expected)
            now += delay
        }
    }

    @Test("An event is given up after its time, and not before its third post")
    mutating func givesUp() throws {
        self.add(0, "ada")
        self.add(1, "ada")
        var now = Duration.zero
        for attempt in 1...3 {
            let post = try #require(self.queue.next(at: now).first)
            let result: Webhook.Result = attempt == 2 ? .unanswered("no") : .failed("500", retryAfter: nil)
            let verdict = self.settle(result, post, at: now, after: 60_000)
            switch verdict {
            case .again(let delay) where attempt < 3: now += delay
            case .dead(let item, let reason) where attempt == 3:
                #expect(item.key.offset == 0)
                #expect(reason == "500 (attempt 3 of this gateway; given up after 1m)")
            default: throw Unexpected()
            }
        }
        #expect(self.queue.progress == [Self.partition: 1])
        #expect(Self.offsets(self.queue.next(at: now)) == [1])
    }

    @Test("Reading a partition pauses when its window is full, and resumes when half of it is settled")
    mutating func pausesReading() {
        for offset in 0..<4 { self.add(Int64(offset), UserID("u\(offset)")) }
        #expect(self.queue.flow().pause == [Self.partition])
        // What was fetched already still comes.
        self.add(4, "u4")
        #expect(self.queue.flow().pause.isEmpty)
        for count in 1...3 {
            #expect(self.queue.flow().resume.isEmpty)
            let post = self.queue.next(at: .zero)
            for one in post { _ = self.settle(.delivered, one) }
            if count == 1 { break }
        }
        #expect(self.queue.flow().resume == [Self.partition])
    }

    @Test("A result of an earlier assignment changes nothing")
    mutating func ignoresEarlierAssignments() {
        self.add(0, "ada")
        let post = self.queue.next(at: .zero)[0]
        self.queue.assign([Self.partition: 0])
        self.add(0, "ada")
        #expect(self.settle(.delivered, post) == nil)
        #expect(self.queue.progress.isEmpty)
        #expect(Self.offsets(self.queue.next(at: .zero)) == [0])
    }

    @Test(
        "With failures and takeovers no event is lost, users' order is kept, and no offset passes an unsettled event",
        arguments: 0..<64
    )
    func keepsOrderThroughRandomHistories(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let partitions = (0..<2).map { TopicPartition("p.responses", $0) }
        // What is on the log: the user of each event, or nil for a record that is not posted.
        let log = partitions.map { partition in
            (0..<120).map { _ in numbers.oneIn(8) ? nil : UserID("u\(partition.partition)-\(numbers.below(5))") }
        }
        var committed = Dictionary(uniqueKeysWithValues: partitions.map { ($0, Int64(0)) })
        var first: [WebhookQueue.Key: Int] = [:]
        var settled: Set<WebhookQueue.Key> = []
        var queue = WebhookQueue(Self.configuration)
        queue.assign(committed)
        var read = committed
        var posts: [WebhookQueue.Post] = []
        var paused: Set<TopicPartition> = []
        var now = Duration.zero
        var steps = 0
        while committed.contains(where: { $0.value < 120 }) {
            steps += 1
            try #require(steps < 100_000)
            switch numbers.below(100) {
            case 0:
                // Another gateway continues where this one has committed.
                queue.assign(committed)
                read = committed
                paused = []
                if numbers.coin() { posts = [] }
            case 1..<40:
                let partition = numbers.pick(partitions)
                guard !paused.contains(partition), let offset = read[partition], offset < 120 else { continue }
                let key = WebhookQueue.Key(partition: partition, offset: offset)
                queue.add(
                    key,
                    log[partition.partition][Int(offset)].map { Self.item(offset, $0, in: partition) }
                )
                read[partition] = offset + 1
            case 40..<60:
                now += .milliseconds(numbers.below(2_000))
                for post in queue.next(at: now) {
                    posts.append(post)
                    // The receiver sees an event for the first time after all earlier ones of its user.
                    if first[post.item.key] == nil { first[post.item.key] = first.count }
                    let earlier = (0..<post.item.key.offset)
                        .filter { log[post.item.key.partition.partition][Int($0)] == post.item.user }
                    #expect(
                        earlier.allSatisfy {
                            settled.contains(.init(partition: post.item.key.partition, offset: $0))
                        }
                    )
                }
                #expect(queue.posting <= 3)
            case 60..<90 where !posts.isEmpty:
                let post = posts.remove(at: numbers.below(posts.count))
                let result: Webhook.Result =
                    numbers.oneIn(3)
                    ? .failed("500", retryAfter: numbers.coin() ? .seconds(1) : nil)
                    : numbers.oneIn(10) ? .refused("410") : .delivered
                let age = Int64(numbers.below(120_000))
                switch queue.settle(result, of: post, at: now, time: Self.time + age, jitter: 0.5) {
                case .delivered, .dead: settled.insert(post.item.key)
                case .again, nil: break
                }
            default:
                let flow = queue.flow()
                paused.formUnion(flow.pause)
                paused.subtract(flow.resume)
                let progress = queue.progress
                for (partition, offset) in progress {
                    let before = (0..<offset).filter { log[partition.partition][Int($0)] != nil }
                    #expect(before.allSatisfy { settled.contains(.init(partition: partition, offset: $0)) })
                }
                queue.commit(progress)
                committed.merge(progress) { $1 }
            }
        }
        let posted = log.joined().count { $0 != nil }
        #expect(settled.count == posted)
        #expect(queue.count == 0)
    }

    /// A verdict that must not be.
    private struct Unexpected: Error {}
}
