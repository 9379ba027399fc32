internal import IntentAudit
internal import IntentEvents
internal import IntentRuntime

extension TestDeployment {
    /// Runs every turn so far again, from the journal alone, and compares the bytes.
    ///
    /// This shows that the handlers depend only on what their context gave them (R16, R42).
    /// - Returns: The number of turns.
    /// - Throws: ``TestError`` with the turns that produced something else, and the possible reason.
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
