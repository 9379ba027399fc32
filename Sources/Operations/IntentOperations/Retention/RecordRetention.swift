internal import IntentEvents
internal import IntentRuntime

/// The time for which records and effects are kept, and the reason why it cannot be shorter (`records.retentionDays`).
struct RecordRetention: Sendable {
    /// Kafka's default for topics without a setting, in days: dead letters are such a topic.
    private static let defaultTopicDays = 7

    /// The shortest time for which effects must be kept, in days, whatever the request.
    let minimumDays: Int
    /// The configured number of days; nil when everything is kept.
    let days: Int?
    private let explanation: String

    init(_ configuration: Configuration) {
        let plan = configuration.topicPlan
        let settings = configuration.runtimeSettings
        let topics = max(plan.retentionDays, Self.defaultTopicDays)
        let open = max(settings.parkedMaxAge, settings.maxAge, settings.dedupeWindow)
        let last = settings.handlerTimeout + settings.appTimeout
        let openDays = Int(((open + last) / .seconds(86_400)).rounded(.up))
        self.minimumDays = topics + openDays
        self.explanation =
            "a request or dead letter may be sent again while a topic holds it (\(topics) days: topics.retentionDays), and its "
            + "interaction may stay open for \(openDays) more days (interactions.parkedMaxAge, interactions.maxAge, "
            + "requests.dedupeWindow, handlers.timeout, app.timeout); without the records of its effects it would make "
            + "them twice"
        if case .integer(let days) = configuration.entry(.recordsRetentionDays)?.value {
            self.days = days
        } else {
            self.days = nil
        }
    }

    /// Checks the setting.
    /// - Throws: ``OperationError`` (78) when it is shorter than the bound.
    func check(_ configuration: Configuration) throws(OperationError) {
        guard let days, days < self.minimumDays else { return }
        let origin = configuration.entry(.recordsRetentionDays)?.origin.description ?? ""
        throw OperationError(
            .configuration,
            "\(origin): records.retentionDays is \(days), but must be at least \(self.minimumDays): \(self.explanation)"
        )
    }

    /// Checks a time before which everything is to be removed.
    /// - Throws: ``OperationError`` (78) when it is later than the bound.
    func check(before: Timestamp, at now: Timestamp) throws(OperationError) {
        guard now - before < Int64(self.minimumDays) * 86_400_000 else { return }
        throw OperationError(
            .configuration,
            "records younger than \(self.minimumDays) days must be kept: \(self.explanation)"
        )
    }
}
