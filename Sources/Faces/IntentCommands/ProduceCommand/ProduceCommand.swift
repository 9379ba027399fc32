import ArgumentParser
import IntentEvents
import IntentOperations
import IntentRuntime
import KafkaLog

/// `intentd produce`: sends events from a file or standard input.
struct ProduceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "produce",
        abstract: "Send events: structured CloudEvents, one JSON object per line.",
        discussion: """
            Each line is validated before it is sent. At the first invalid line the command stops and reports the line \
            number (exit status 65).
            """
    )

    @Argument(help: ArgumentHelp("The file, or - for standard input.", valueName: "file"))
    var file = "-"

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption

    @Option(help: ArgumentHelp("Maximum number of events per second.", valueName: "n/s"), transform: Self.rate)
    var rate: Double?

    @Flag(help: "Check the events without sending them. Needs no broker.")
    var check = false

    /// The longest line that is read before it is refused.
    private static let maximumLineBytes = 4 << 20

    private static func rate(_ text: String) throws -> Double {
        let number = text.hasSuffix("/s") ? text.dropLast(2) : text[...]
        guard let rate = Double(number), rate > 0, rate.isFinite else {
            throw ValidationError("'\(text)' is not a rate, such as 500 or 500/s")
        }
        return rate
    }

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        var input = try LineReader(self.file, maximumLineBytes: Self.maximumLineBytes)
        let start = ContinuousClock.now
        if self.check {
            let anywhere = Deployment(id: "", prefix: configuration.prefix, partitions: 1)
            var feed = EventFeed(producer: nil, to: anywhere, rate: nil)
            try await feed.run(&input)
            StandardError.report("\(input.name): \(feed.read) events are valid")
            return
        }
        let access = try LogAccess.find(configuration)
        do {
            let deployment = try await Deployment.load(prefix: configuration.prefix, from: access.log)
            // It is known by now that a broker answers: a busy one gets the time that it needs.
            let patient = configuration.kafkaLog(brokers: access.brokers, requestTimeout: .seconds(60))
            let producer = try await patient.makeProducer()
            var feed = EventFeed(producer: producer, to: deployment, rate: self.rate)
            do {
                try await feed.run(&input)
            } catch {
                await producer.close()
                throw error
            }
            await producer.close()
            StandardError.report(Self.summary(feed.sent, to: configuration.prefix, in: start.duration(to: .now)))
        } catch {
            await access.close()
            throw error
        }
        await access.close()
    }

    /// The result in one line.
    static func summary(_ count: Int, to prefix: String, in time: Duration) -> String {
        let milliseconds = max(time.milliseconds, 1)
        let rate = count * 1_000 / Int(milliseconds)
        let seconds = "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100)"
        return "sent \(count) events to \(Topic.requests.name(prefix: prefix)) in \(seconds) s (\(rate) a second)"
    }
}
