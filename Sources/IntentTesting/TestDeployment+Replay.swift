internal import IntentAudit
internal import IntentEvents
internal import IntentRuntime

extension TestDeployment {
    /// Runs every turn so far again, from the journal alone, and compares the bytes: shows that the handlers depend on
    /// nothing but what their context gave them (R16, R42).
    ///
    /// - Returns: How many turns there were.
    /// - Throws: ``TestError`` with the turns that came to something else, and what could have been the reason.
    @discardableResult
    public func replay() async throws -> Int {
        let environment = StageEnvironment(
            stage: .resolve,
            registry: self.registry,
            deployment: self.deployment.id,
            prefix: self.deployment.prefix,
            partitions: self.deployment.partitions,
            worker: "replay",
            isScripted: true,
            clock: WorkerClock(clock: self.clock),
            globalVocabularies: self.configuration.vocabularies
        )
        let report = try await Replayer(
            log: self.log,
            environment: environment,
            configuration: Replayer.Configuration(parallelism: 1)
        )
        .run()
        guard report.isMatched else {
            let verdicts = report.verdicts.prefix(20).map { "\($0.json)" }
            throw TestError(([report.summary] + verdicts).joined(separator: "\n"))
        }
        return report.turns
    }
}
