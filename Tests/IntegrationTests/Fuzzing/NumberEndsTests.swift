import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import SampleApps
import Testing

@Suite("Extreme numbers in every parameter of the sample apps")
struct NumberEndsTests {
    private static let extensions = [
        MessagesExtension.make(), CallsExtension.make(), PaymentsExtension.make(), WorkoutsExtension.make(),
        RidesExtension.make(),
    ]
    private static let partitions = 4
    private static let users = (0..<16).map { UserID("ends-\($0)") }

    /// An interaction that has not ended, and the events sent for it.
    private struct Open {
        var request: NumberEnds.Request
        var user: UserID
        var prompts = 0
    }

    @Test("Each ends with a response or a dead letter, nothing traps, and nothing is left to read")
    func everyParameterTakesExtremeNumbers() async throws {
        let registrations = Self.extensions.flatMap(\.registrations)
        let requests = NumberEnds().requests(registrations)
        let described = registrations.flatMap { registration in
            registration.parameters.map { "\(registration.intentName).\($0.name)" }
        }
        #expect(Set(requests.map { "\($0.intent).\($0.parameter)" }) == Set(described))
        var configuration = Pipeline.Configuration(extensions: Self.extensions, partitions: Self.partitions)
        // Turns are not parked on a busy machine: a full queue would refuse the tested requests.
        configuration.settings.parkAfter = .seconds(3_600)
        configuration.settings.batchMaxDelay = .seconds(3_600)
        try await Pipeline.run(on: .memory, configuration) { pipeline in
            let users = Set(Self.users.map(\.text))
            try await pipeline.ledger.addDemoData(of: Self.extensions, for: users, run: "test")
            let (reasons, letters) = try await Self.play(requests, registrations, on: pipeline.log)
            // Some are refused, some asked about until the user gives up, and some done.
            #expect(reasons["nominal", default: 0] > 0 && letters > 0, "\(reasons), \(letters) dead letters")
            try await pipeline.settle()
        }
    }

    /// Sends all of them, and answers the prompts.
    ///
    /// - Returns: The number of each end reason, and of dead letters.
    private static func play(
        _ requests: [NumberEnds.Request],
        _ registrations: [IntentRegistration],
        on log: any EventLog
    ) async throws -> (reasons: [String: Int], letters: Int) {
        let parameters = Dictionary(uniqueKeysWithValues: registrations.map { ($0.intentName, $0.parameters) })
        let producer = try await log.makeProducer()
        let topicPartitions = ["responses", "dead-letters"]
            .flatMap { topic in (0..<Self.partitions).map { TopicPartition("intents.\(topic)", $0) } }
        let reader = try await log.makeReader(from: Dictionary(uniqueKeysWithValues: topicPartitions.map { ($0, 0) }))
        var open: [String: Open] = [:]
        var records: [OutgoingRecord] = []
        for (number, request) in requests.enumerated() {
            let user = Self.users[number % Self.users.count]
            open["s\(number)"] = Open(request: request, user: user)
            records.append(
                Self.record("intent.requested", user, "s\(number)", "{\"intent\":\(request.intentJSON)}")
            )
        }
        _ = try await producer.send(records)
        var reasons: [String: Int] = [:]
        var letters = 0
        let deadline = ContinuousClock.now + .seconds(120)
        while !open.isEmpty {
            try #require(.now < deadline, "\(open.count) have no end: \(open.values.first?.request.intentJSON ?? "")")
            var answers: [OutgoingRecord] = []
            for record in try await reader.next(maxRecords: 1_000, timeout: .seconds(1)).records {
                guard let subject = record.header(EventHeaderName.subject), var waiting = open[subject] else {
                    continue
                }
                if record.topicPartition.topic == "intents.dead-letters" {
                    letters += 1
                    open[subject] = nil
                    continue
                }
                let data = try JSONValue(parsing: try #require(record.value))
                if data["terminal"] == true {
                    reasons[data["endReason"]?.string ?? "", default: 0] += 1
                    open[subject] = nil
                } else if let answer = Self.answer(to: data, waiting, parameters[waiting.request.intent] ?? [], subject)
                {
                    waiting.prompts += 1
                    open[subject] = waiting
                    answers.append(answer)
                }
            }
            if !answers.isEmpty { _ = try await producer.send(answers) }
        }
        await reader.close()
        await producer.close()
        return (reasons, letters)
    }

    /// The user's answer: a valid value, the first choice, yes; after some prompts the user gives up.
    ///
    /// The app does what is handed to it.
    private static func answer(
        to event: JSONValue,
        _ waiting: Open,
        _ parameters: [ParameterDescription],
        _ subject: String
    ) -> OutgoingRecord? {
        if event["code"] == "handleInApp" {
            return Self.record("app.responded", waiting.user, subject, #"{"code":"success"}"#)
        }
        guard let id = event["promptId"]?.string else { return nil }
        guard waiting.prompts < 4 else {
            return Self.record("interaction.cancelled", waiting.user, subject, #"{"reason":"enough"}"#)
        }
        let parameter = event["parameter"]?.string.flatMap { name in parameters.first { $0.name == name } }
        let answer =
            switch event["kind"]?.string {
            case "disambiguation": #""choice":0"#
            case "needsValue", "unsupported":
                "\"value\":\(parameter.flatMap { NumberEnds.sample(of: $0, waiting.prompts) } ?? "\"x\"")"
            default: #""corrections":{}"#
            }
        let prompt = String(decoding: JSONValue.string(id).utf8, as: UTF8.self)
        return Self.record(
            "prompt.answered",
            waiting.user,
            subject,
            "{\"promptId\":\(prompt),\"action\":\"accept\",\(answer)}"
        )
    }

    private static func record(_ type: String, _ user: UserID, _ subject: String, _ json: String) -> OutgoingRecord {
        OutgoingRecord(
            topicPartition: TopicPartition("intents.requests", HomePartition.of(user: user, count: Self.partitions)),
            key: Array(user.utf8),
            value: Array(json.utf8),
            headers: [
                LogHeader(EventHeaderName.type, type), LogHeader(EventHeaderName.userID, user.text),
                LogHeader(EventHeaderName.subject, subject),
            ]
        )
    }
}
