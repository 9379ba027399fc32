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
            number (exit status 65). Members that intentd does not read are named, and the event is sent; with --strict, \
            or the setting requests.unknownMembers: reject, nothing of a file that has one is sent (exit status 65).
            """
    )

    @Argument(help: ArgumentHelp("The file, or - for standard input.", valueName: "file"))
    var file = "-"

    @Option(help: ArgumentHelp("Maximum number of events per second.", valueName: "n/s"), transform: Self.rate)
    var rate: Double?

    @Flag(help: "Check the events without sending them. Needs no broker.")
    var check = false

    @Flag(help: "Send nothing if an event has a member that intentd does not read.")
    var strict = false

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

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
        let strictness: RuntimeSettings.UnknownMembers = self.strict ? .reject : configuration.unknownMembers
        let start = ContinuousClock.now
        if self.check {
            let checked = try await Self.readAll(&input, configuration, strictness)
            StandardError.report("\(input.name): \(Self.counts("\(checked.read) events are valid", checked.unknown))")
            return
        }
        // What is read from a pipe cannot be read again: there, the events before the first mistake are sent.
        if strictness == .reject, input.totalBytes != nil {
            var first = try LineReader(self.file, maximumLineBytes: Self.maximumLineBytes)
            _ = try await Self.readAll(&first, configuration, strictness)
        }
        let access = try LogAccess.find(configuration)
        do {
            let deployment = try await Deployment.load(prefix: configuration.prefix, from: access.log)
            // It is known by now that a broker answers: a busy one gets the time that it needs.
            let patient = configuration.kafkaLog(brokers: access.brokers, requestTimeout: .seconds(60))
            let producer = try await patient.makeProducer()
            var feed = EventFeed(producer: producer, to: deployment, rate: self.rate, strictness: strictness)
            do {
                try await feed.run(&input)
            } catch {
                await producer.close()
                throw error
            }
            await producer.close()
            let summary = Self.summary(feed.sent, to: configuration.prefix, in: start.duration(to: .now))
            StandardError.report(Self.counts(summary, feed.unknown))
        } catch {
            await access.close()
            throw error
        }
        await access.close()
    }

    /// Checks the lines of an input without sending them.
    private static func readAll(
        _ input: inout LineReader,
        _ configuration: Configuration,
        _ strictness: RuntimeSettings.UnknownMembers
    ) async throws -> EventFeed {
        let anywhere = Deployment(id: "", prefix: configuration.prefix, partitions: 1)
        var feed = EventFeed(producer: nil, to: anywhere, rate: nil, strictness: strictness)
        try await feed.run(&input)
        return feed
    }

    private static func counts(_ result: String, _ unknown: Int) -> String {
        unknown == 0 ? result : "\(result); \(EventFeed.count(unknown))"
    }

    /// The result in one line.
    static func summary(_ count: Int, to prefix: String, in time: Duration) -> String {
        let milliseconds = max(time.milliseconds, 1)
        let rate = count * 1_000 / Int(milliseconds)
        let seconds = "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100)"
        return "sent \(count) events to \(Topic.requests.name(prefix: prefix)) in \(seconds) s (\(rate) a second)"
    }
}
