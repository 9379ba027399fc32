import IntentEvents
import IntentRuntime
import Testing

@testable import KafkaLog

/// Listing and creating ACLs.
struct AccessTests {
    @Test func embeddedBrokerReportsNoAuthorizer() async throws {
        try await TestBroker.with { broker in
            let log = KafkaLog(broker.configuration)
            let asked = await #expect(throws: LogError.self) { try await log.checkAuthorizer() }
            #expect(asked?.code == .noAuthorizer, "\(String(describing: asked))")
            let told = await #expect(throws: LogError.self) { _ = try await log.accessRules() }
            #expect(told?.code == .noAuthorizer, "\(String(describing: told))")
            let rule = AccessRule("User:x", .write, .topic, "t")
            let made = await #expect(throws: LogError.self) { _ = try await log.createAccessRules([rule]) }
            #expect(made?.code == .noAuthorizer, "\(String(describing: made))")
            #expect(made?.message.contains("authorizer.class.name") == true)
            await log.close()
        }
    }

    @Test(.enabled(if: TestBroker.external != nil && TestBroker.properties.isEmpty, "needs a plaintext Kafka"))
    func kafkaWithoutAuthorizerReportsSo() async throws {
        let log = KafkaLog(TestBroker.configuration(TestBroker.external ?? ""))
        let asked = await #expect(throws: LogError.self) { try await log.checkAuthorizer() }
        #expect(asked?.code == .noAuthorizer, "\(String(describing: asked))")
        let rule = AccessRule("User:x", .write, .topic, "t")
        let made = await #expect(throws: LogError.self) { _ = try await log.createAccessRules([rule]) }
        #expect(made?.code == .noAuthorizer, "\(String(describing: made))")
        await log.close()
    }

    @Test func accessRulesRoundTripThroughLibrary() throws {
        for resource in AccessRule.Resource.allCases {
            for operation in AccessRule.Operation.allCases {
                for isPrefix in [false, true] {
                    let rule = AccessRule("User:CN=x,O=Y", operation, resource, "näme", isPrefix: isPrefix)
                    var message = ErrorText()
                    guard let binding = rule.makeBinding(&message) else {
                        // The only type that librdkafka before 2.6 refuses.
                        #expect(resource == .transactionalID)
                        continue
                    }
                    defer { AccessRule.free(binding) }
                    #expect(AccessRule(binding: binding) == rule)
                }
            }
        }
    }
}
