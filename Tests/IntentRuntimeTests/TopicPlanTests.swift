import IntentEvents
import IntentRuntime
import Testing

@Suite("Settings of created topics")
struct TopicPlanTests {
    @Test(
        "Replicas and min.insync.replicas by default, by the number of brokers",
        arguments: [(1, 1, 1), (2, 2, 2), (3, 3, 2), (7, 3, 2)]
    )
    func defaultReplicationFollowsBrokerCount(brokers: Int, copies: Int, needed: Int) {
        for topic in TopicPlan().topics(brokers: brokers) {
            #expect(topic.replicationFactor == copies)
            // One copy is what brokers do by themselves.
            #expect(topic.configuration["min.insync.replicas"] == (needed > 1 ? "\(needed)" : nil))
        }
    }

    @Test("Configured values override the defaults")
    func configuredReplicationCounts() {
        let plan = TopicPlan(replicationFactor: 5, minInsyncReplicas: 3)
        #expect(plan.copies(brokers: 7) == 5)
        #expect(plan.topics(brokers: 7).allSatisfy { $0.configuration["min.insync.replicas"] == "3" })
    }

    @Test("The usual choices need no warning, poor ones do")
    func warnsOfPoorReplication() {
        #expect(TopicPlan().warnings(brokers: 1) == [])
        #expect(TopicPlan(partitions: 64).warnings(brokers: 3) == [])
        func warning(_ plan: TopicPlan, brokers: Int) -> String {
            plan.warnings(brokers: brokers).joined(separator: "\n")
        }
        #expect(warning(TopicPlan(replicationFactor: 1), brokers: 3).contains("replication factor is 1 with 3 brokers"))
        #expect(warning(TopicPlan(minInsyncReplicas: 1), brokers: 3).contains("min.insync.replicas is 1 of 3"))
        #expect(warning(TopicPlan(), brokers: 2).contains("min.insync.replicas is 2 of 2"))
        #expect(warning(TopicPlan(partitions: 65), brokers: 1).contains("65 partitions: each costs"))
        #expect(warning(TopicPlan(partitions: 3), brokers: 1).contains("3 partitions: a stage can never have more"))
    }
}
