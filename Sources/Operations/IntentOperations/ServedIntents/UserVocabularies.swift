package import IntentEvents
package import IntentKit
package import IntentRuntime

/// A user's current vocabularies.
package enum UserVocabularies {
    /// Reads them from the state of the stage that receives them first.
    package static func read(
        _ user: UserID,
        of deployment: Deployment,
        from log: any EventLog
    ) async throws -> [VocabularyStringType: UserVocabulary] {
        let topicPartition = deployment.topicPartition(.state, deployment.home(of: user))
        var texts: [StateName: [UInt8]] = [:]
        try await StateReader.read([topicPartition], of: log, stage: .resolve) { entries in
            for entry in entries where entry.key.user == user {
                texts[entry.key.name] = entry.value
            }
            return true
        }
        var found: [VocabularyStringType: UserVocabulary] = [:]
        for type in VocabularyStringType.allCases {
            guard let text = texts[StateName.vocabulary(type)] else { continue }
            found[type] = try UserVocabulary(json: JSONValue(parsing: text))
        }
        return found
    }
}
