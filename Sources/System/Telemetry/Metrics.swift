/// The metrics of intentd.
///
/// A metric is defined here, and recorded where its value arises.
// A table, two lines a metric:
// swift-format-ignore
package struct Metrics: Sendable {
    package static let catalog = Metrics()

    /// All metrics, in the order of their definitions.
    package static let all = Mirror(reflecting: Metrics.catalog).children.compactMap { $0.value as? Metric }

    /// Those with the labels of one client of a lane.
    package static let ofClient = Metrics.all.filter { $0.labels == clientLabels }

    /// The descriptions by names, also by former names, for a backend that shows them.
    package static let help = Dictionary(
        uniqueKeysWithValues: (Metrics.all + Metrics.all.compactMap(\.former)).map { ($0.name, $0.help) }
    )

    // MARK: Stages

    package let turns = Metric(.counter, "intentd.turns", [Key.stage, Key.intent, Key.outcome],
        "Committed turns, by intent and outcome.")
    package let turnDuration = Metric(.timer, "intentd.turn.duration", [Key.stage, Key.intent, Key.outcome],
        "Duration of turns from reading the event to its result, including the time parked.")
    package let started = Metric(.counter, "intentd.interactions.started", [Key.stage, Key.intent],
        "Started interactions.")
    package let ended = Metric(.counter, "intentd.interactions.ended", [Key.stage, Key.intent, Key.code, Key.endReason],
        "Ended interactions, by the intent's code and the end reason.")
    package let interactionDuration = Metric(.timer, "intentd.interaction.duration", [Key.stage, Key.intent],
        "Duration of interactions, from the writing of the request to the end.")
    package let interactionTime = Metric(.timer, "intentd.interaction.time", [Key.stage, Key.part],
        "Parts of the time of interactions, as list and show name them: queued, running, retrying (until the next "
            + "attempt), awaitingUser, awaitingApp, awaitingUnlock, awaitingSignIn, committing.")
    package let prompts = Metric(.recorder, "intentd.interaction.prompts", [Key.stage, Key.intent], "Prompts issued.")
    package let handlerDuration = Metric(.timer, "intentd.handler.duration", [Key.stage, Key.intent],
        "Duration of handler calls in a turn.")
    package let failures = Metric(.counter, "intentd.handler.failures", [Key.stage, Key.intent, Key.isFinal],
        "Failed turns; final: true if the turn is not retried.")
    package let activeHandlers = Metric(.gauge, "intentd.handler.active", [Key.stage, Key.intent, Key.state],
        "Handler calls in flight; state: running while the batch waits for the turn, otherwise parked.")
    package let effects = Metric(.counter, "intentd.effects", [Key.stage, Key.intent],
        "Effects performed, or found already performed.")
    package let vocabularyAnswers = Metric(.counter, "intentd.vocabulary.answers", [Key.stage, Key.kind, Key.result],
        "Vocabulary lookups by handlers; kind: matches of words, or a whole list; result: the vocabulary "
            + "that answered, user or global, or none.")
    package let clientMistakes = Metric(.counter, "intentd.client.mistakes", [Key.stage, Key.problem, Key.intent],
        "Members of clients' events that are not read or have no effect, by what is wrong with them.")
    package let operatorWaits = Metric(.counter, "intentd.operator.waits", [Key.stage, Key.intent],
        "Interactions that began to wait for an operator, who decides what became of a post.")
    package let deadLetters = Metric(.counter, "intentd.dead_letters", [Key.stage, Key.errorType],
        "Dead letters, by error.")
    package let transactions = Metric(.counter, "intentd.transactions", [Key.stage, Key.result],
        "Transactions of lanes, by result.")
    package let transactionDuration = Metric(.timer, "intentd.transaction.duration", [Key.stage],
        "Duration of commits.")
    package let transactionRecords = Metric(.recorder, "intentd.transaction.records", [Key.stage],
        "Records in a transaction.")
    package let transactionPartitions = Metric(.recorder, "intentd.transaction.partitions", [Key.stage],
        "Partitions written in a transaction.")
    package let consumed = Metric(.counter, "messaging.client.consumed.messages", [Key.stage, Key.topic],
        "Records consumed.")
    package let sent = Metric(.counter, "messaging.client.sent.messages", [Key.stage, Key.topic],
        "Records produced and committed.")
    package let parked = Metric(.gauge, "intentd.turns.parked", [Key.stage, Key.lane],
        "Parked turns: their handlers run longer than a batch, or they wait for their next attempt.")
    package let queued = Metric(.gauge, "intentd.events.queued", [Key.stage, Key.lane],
        "Events queued behind a parked turn of their user.")
    package let pauses = Metric(.gauge, "intentd.pauses", [Key.stage, Key.lane],
        "Intents and apps that operators have paused, as a lane's partitions have them.")
    package let held = Metric(.gauge, "intentd.interactions.held", [Key.stage, Key.lane],
        "Interactions that wait for the end of a pause.")
    package let partitions = Metric(.gauge, "intentd.lane.partitions", [Key.stage, Key.lane],
        "Partitions assigned to a lane.")
    package let stateEntries = Metric(.gauge, "intentd.state.entries", [Key.stage, Key.lane],
        "State entries of a lane in memory.")
    package let stateBytes = Metric(.gauge, "intentd.state.memory", [Key.stage, Key.lane],
        "Approximate size of a lane's state in memory, in bytes.")
    package let restore = Metric(.timer, "intentd.state.restore.duration", [Key.stage],
        "Duration of restoring the state of assigned partitions.")

    // MARK: Recorders

    package let recordedRows = Metric(.counter, "intentd.recorder.records", [],
        "Records written to the record database.")
    package let recordingDuration = Metric(.timer, "intentd.recorder.transaction.duration", [],
        "Duration of recording a batch.")

    // MARK: Kafka clients of lanes, from the client library's statistics

    package let clientQueuedRecords = Metric(.gauge, "intentd.kafka.client.queue.records", clientLabels,
        "Records in the client's queues: fetched and not consumed, or produced and not acknowledged.")
    package let clientQueuedBytes = Metric(.gauge, "intentd.kafka.client.queue.bytes", clientLabels,
        "Bytes in the client's queues.")
    package let clientWaiting = Metric(.gauge, "intentd.kafka.client.requests.waiting", clientLabels,
        "Requests waiting to be sent to a broker.")
    package let clientInFlight = Metric(.gauge, "intentd.kafka.client.requests.in_flight", clientLabels,
        "Requests awaiting a response from a broker; a consumer has one fetch open at each broker.")
    package let clientUsualRoundTrip = Metric(.gauge, "intentd.kafka.client.round_trip.p50.seconds", clientLabels,
        "Median round-trip time of requests in the last seconds, of the slowest broker; includes the time "
            + "that fetches wait for records.")
    package let clientSlowRoundTrip = Metric(.gauge, "intentd.kafka.client.round_trip.p99.seconds", clientLabels,
        "The 99th percentile of the same round-trip time.")
    package let clientThrottle = Metric(.gauge, "intentd.kafka.client.throttle.seconds", clientLabels,
        "Average throttle time of the broker that throttled most.")
    package let clientConnected = Metric(.gauge, "intentd.kafka.client.connected", clientLabels + [Key.address],
        "1 if a client is connected to the broker; clients connect only to brokers that they need.")
    package let clientSentRecords = Metric(.counter, "intentd.kafka.client.sent.records", clientLabels,
        "Records sent to brokers.")
    package let clientSentBytes = Metric(.counter, "intentd.kafka.client.sent.bytes", clientLabels,
        "Bytes sent to brokers.")
    package let clientReceivedRecords = Metric(.counter, "intentd.kafka.client.received.records", clientLabels,
        "Records received from brokers, without records of aborted transactions.")
    package let clientReceivedBytes = Metric(.counter, "intentd.kafka.client.received.bytes", clientLabels,
        "Bytes received from brokers.")
    package let clientRetries = Metric(.counter, "intentd.kafka.client.retries", clientLabels, "Requests retried.")
    package let clientTimeouts = Metric(.counter, "intentd.kafka.client.timeouts", clientLabels,
        "Requests that timed out.")
    package let clientErrors = Metric(.counter, "intentd.kafka.client.errors", clientLabels,
        "Requests that could not be sent, and responses that could not be read.")
    package let clientDisconnects = Metric(.counter, "intentd.kafka.client.disconnects", clientLabels,
        "Connections lost or closed.")
    package let clientRebalances = Metric(.counter, "intentd.kafka.client.rebalances", clientLabels,
        "Rebalances of a consumer.")

    // MARK: Processes

    package let lag = Metric(.gauge, "intentd.consumer.lag", [Key.group, Key.topic],
        "Offsets between a group's committed and the last stable offset; transaction markers count.")
    package let members = Metric(.gauge, "intentd.consumer.members", [Key.group],
        "Members of a consumer group; 0 if nobody reads its topics.")
    package let groupsAge = Metric(.gauge, "intentd.consumer.age.seconds", [],
        "Time since lag and members of the groups were measured.")
    package let openInteractions = Metric(.gauge, "intentd.interactions.open", [],
        "Recorded interactions that have started and not ended.")
    package let queuedInteractions = Metric(.gauge, "intentd.interactions.queued", [],
        "Open interactions whose first turn has not begun, in the record database.")
    package let laneReady = Metric(.gauge, "intentd.lane.ready", laneLabels,
        "1 if a lane is ready: it processes events, or is a standby.")
    package let laneStalled = Metric(.gauge, "intentd.lane.stalled", laneLabels, formerly: "intentd.lane.standing",
        "Partitions of a lane whose consumer does not advance although there are more records.")
    package let laneStallDuration = Metric(.gauge, "intentd.lane.stall.duration.seconds", laneLabels,
        formerly: "intentd.lane.standstill.seconds",
        "Time since the consumer last advanced in the lane's partition that has been stalled longest; 0 if "
            + "none is stalled.")
    package let laneRoundAge = Metric(.gauge, "intentd.lane.round.age.seconds", laneLabels,
        "Time since a lane's last poll; an idle lane polls every second.")
    package let parkedAge = Metric(.gauge, "intentd.turns.parked.age.seconds", laneLabels,
        "Time since the first attempt of the lane's oldest parked turn began.")
    package let brokerAnswers = Metric(.gauge, "intentd.broker.answers", [], "1 if the broker responds.")
    package let storeAnswers = Metric(.gauge, "intentd.store.answers", [],
        "1 if the store accepts writes; absent without a store.")
    package let suspectedTurns = Metric(.gauge, "intentd.turns.suspected", [],
        "Turns that were running when an earlier process crashed, and have not completed.")
    package let crashTime = Metric(.gauge, "intentd.crash.timestamp.seconds", [],
        "When the worker's previous process was found to have crashed, in seconds since 1970; absent if it did not.")
    package let buildInfo = Metric(.gauge, "intentd.build.info", [Key.version, Key.commit],
        "Always 1; the labels name the version.")

    // MARK: Spans

    package let spansExported = Metric(.counter, "intentd.spans.exported", [], "Spans accepted by the collector.")
    package let spansDropped = Metric(.counter, "intentd.spans.dropped", [],
        "Spans dropped: the queue was full, or the collector rejected them.")

    // MARK: The gateway

    package let gatewayRequests = Metric(.counter, "intentd.gateway.requests",
        [Key.httpRoute, Key.httpMethod, Key.httpStatus], "Requests that the gateway has answered.")
    package let gatewayDuration = Metric(.timer, "intentd.gateway.request.duration", [Key.httpRoute],
        "Duration of requests until their answer is complete or its stream begins; includes the time that Prefer asks to wait.")
    package let gatewayActive = Metric(.gauge, "intentd.gateway.requests.active", [],
        "Requests that are being answered, including open streams.")
    package let gatewayConnections = Metric(.gauge, "intentd.gateway.connections", [],
        "Open connections of the gateway.")
    package let gatewayRefusedTokens = Metric(.counter, "intentd.gateway.tokens.refused", [Key.refusal],
        "Tokens that were refused, by the reason.")
    package let gatewayLimited = Metric(.counter, "intentd.gateway.requests.limited", [Key.limitName],
        "Requests that were refused because a limit of their user or client was reached.")
    package let gatewayKeys = Metric(.gauge, "intentd.gateway.keys", [],
        "Usable public keys of the issuer; 0 until they have been read.")
    package let gatewayLag = Metric(.gauge, "intentd.gateway.view.lag", [],
        "Offsets that the gateway's view has not read yet; missing while the brokers do not answer.")

    package let webhookPosts = Metric(.counter, "intentd.gateway.webhooks.posts", [Key.result],
        "Posts to the webhook, by result: delivered, retried, or deadLettered.")
    package let webhookDuration = Metric(.timer, "intentd.gateway.webhooks.post.duration", [],
        "Duration of posts to the webhook.")
    package let webhookReady = Metric(.gauge, "intentd.gateway.webhooks.ready", [],
        "1 if this gateway can post the events of its partitions, 0 if it cannot read or commit them.")
    package let webhookLag = Metric(.gauge, "intentd.gateway.webhooks.lag", [],
        "Offsets between what this gateway has delivered of its partitions and their last stable offsets; missing "
            + "while they are not known.")
    package let webhookOldest = Metric(.gauge, "intentd.gateway.webhooks.oldest.age.seconds", [],
        "Age of the oldest event that this gateway has read and not delivered; 0 if there is none, missing while the "
            + "gateway has no partitions to read.")

    // MARK: The embedded broker

    package let brokerConnections = Metric(.gauge, "intentd.broker.connections", [],
        "Open connections of the embedded broker.")
    package let brokerRequests = Metric(.counter, "intentd.broker.requests", [],
        "Requests received by the embedded broker.")
    package let brokerReceivedBytes = Metric(.counter, "intentd.broker.received.bytes", [],
        "Bytes of requests that the embedded broker has read.")
    package let brokerSentBytes = Metric(.counter, "intentd.broker.sent.bytes", [],
        "Bytes of answers that the embedded broker has written.")
    package let brokerCommits = Metric(.counter, "intentd.broker.transactions.committed", [],
        "Transactions that the embedded broker has committed.")
    package let brokerAborts = Metric(.counter, "intentd.broker.transactions.aborted", [],
        "Transactions that the embedded broker has aborted.")
}

private typealias Key = TelemetryKey
private let clientLabels = [Key.lane, Key.clientID]
private let laneLabels = [Key.role, Key.lane]
