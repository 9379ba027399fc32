import Foundation
import IntentEvents
import IntentLab
import IntentRuntime
import Testing

@testable import IntentGateway
@testable import IntentOperations

@Suite("The webhook's settings, signatures and results (R88)")
struct WebhookTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func read(_ text: String, _ environment: [String: String] = [:]) throws -> Webhook? {
        let directory = try TemporaryDirectory()
        let file = try directory.write(text, to: "c.yaml")
        let configuration = try ConfigurationReader.read(file: file, environment: environment, options: [])
        try configuration.check()
        return try Webhook(configuration, environment: environment)
    }

    @Test("A signature is that of the example of Standard Webhooks")
    func signs() throws {
        let secret = try #require(WebhookSecret(Self.secret))
        let deployment = Deployment(id: "0123456789abcdef", prefix: "p", partitions: 2)
        let event = UserEvent(type: .userNotified, id: "e", interaction: nil, time: .init(milliseconds: 0), body: [])
        var message = WebhookMessage(event, at: RecordPosition(.userActivities, 1, 17), of: deployment)
        #expect(message.id == "evt_0123456789ab_user-activities_1_17")
        message.id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
        message.body = Array(#"{"test": 2432232314}"#.utf8)
        let signature = secret.signature(of: message, at: 1_614_265_330)
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test("Each secret makes a signature, from the environment and from files, and none is shown")
    func readsSecrets() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("whsec_" + Data(repeating: 7, count: 32).base64EncodedString() + "\n", to: "s")
        let text = """
            gateway:
              webhooks:
                url: https://app.example/intents
                secrets: [{env: HOOK}, "file:\(file)"]
                events: [prompt.issued]
                timeout: 3s
            """
        let webhook = try #require(try self.read(text, ["HOOK": " \(Self.secret)\n"]))
        #expect(webhook.secrets.count == 2)
        #expect(webhook.types == [.promptIssued])
        #expect(webhook.timeout == .seconds(3))
        #expect(webhook.retryFor == .seconds(86_400))
        let event = UserEvent(type: .userNotified, id: "e", interaction: nil, time: .init(milliseconds: 0), body: [])
        let deployment = Deployment(id: "0123456789abcdef", prefix: "p", partitions: 2)
        let message = WebhookMessage(event, at: RecordPosition(.responses, 0, 0), of: deployment)
        let headers = webhook.headers(of: message, at: Timestamp(milliseconds: 1_614_265_330_999))
        #expect(headers["webhook-timestamp"] == "1614265330")
        #expect(headers["webhook-signature"]?.split(separator: " ").count == 2)
    }

    @Test(
        "A secret that is missing or has another form is refused, and not repeated",
        arguments: [[:], ["HOOK": "hunter2"], ["HOOK": "whsec_aHVudGVyMg=="], ["HOOK": "whsec_hunter2!"]]
    )
    func refusesSecrets(environment: [String: String]) throws {
        let text = "gateway: {webhooks: {url: 'https://app.example', secrets: [env:HOOK]}}"
        let error = #expect(throws: OperationError.self) { try self.read(text, environment) }
        #expect(error?.code == .configuration)
        #expect(error?.message.contains("HOOK") == true)
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test("A secret in the place of its source is not repeated")
    func hidesSecretInConfiguration() throws {
        let text = "gateway: {webhooks: {url: 'https://app.example', secrets: [\(Self.secret)]}}"
        let error = #expect(throws: OperationError.self) { try self.read(text) }
        #expect(error?.message.contains("MfKQ9") == false)
    }

    @Test("Every error of a post is a result, so that the user's next event is posted; only a cancelled task has none")
    func everyErrorIsResult() async throws {
        struct Unforeseen: Error {}
        #expect(try Webhook.result(of: Unforeseen()) == .unanswered("Unforeseen()"))
        guard case .unanswered = try Webhook.result(of: CancellationError()) else {
            Issue.record("an error that nobody has asked for leaves the post without a result")
            return
        }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return Result { try Webhook.result(of: Unforeseen()) }
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value.get() }
    }

    @Test("Only statuses about the event itself give it up")
    func classifiesStatuses() {
        for status in [200, 201, 204] { #expect(Webhook.result(of: status, retryAfter: nil) == .delivered) }
        for status in [400, 410, 413, 415, 422] {
            guard case .refused = Webhook.result(of: status, retryAfter: nil) else {
                Issue.record("\(status) is not refused")
                continue
            }
        }
        for status in [301, 302, 401, 403, 404, 408, 409, 425, 429, 500, 502, 503] {
            guard case .failed(_, .seconds(3)) = Webhook.result(of: status, retryAfter: .seconds(3)) else {
                Issue.record("\(status) is not retried")
                continue
            }
        }
    }
}
