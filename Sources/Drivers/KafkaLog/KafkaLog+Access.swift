package import IntentRuntime

extension KafkaLog: AccessControlledLog {
    package func checkAuthorizer() async throws(LogError) {
        try await self.admin.checkAuthorizer()
    }

    package func accessRules() async throws(LogError) -> Set<AccessRule> { try await self.admin.accessRules() }

    package func createAccessRules(_ rules: [AccessRule]) async throws(LogError) -> [AccessRule] {
        try await self.admin.createAccessRules(rules)
    }
}
