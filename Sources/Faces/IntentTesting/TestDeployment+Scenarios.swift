public import Foundation
internal import IntentScenarios

extension TestDeployment {
    /// Plays the scenarios of a file.
    ///
    /// The file has a JSON object a line, as `intentd test` reads it, and as `intentd audit export` writes it from a
    /// recorded conversation. Users have the demo data of the extensions only if the test puts it into ``store``.
    /// - Parameter file: The file.
    /// - Throws: ``TestError`` with every difference, or with what is wrong with the file; an error of the file system.
    public func play(scenarios file: URL) async throws {
        let scenarios = ScenarioFile(parsing: Array(try Data(contentsOf: file)))
        let name = file.lastPathComponent
        guard scenarios.problems.isEmpty else {
            throw TestError(scenarios.problems.map { "\(name):\($0)" }.joined(separator: "\n"))
        }
        guard !scenarios.entries.isEmpty else { throw TestError("\(name) holds no scenario.") }
        var configuration = ScenarioPlayer.Configuration()
        configuration.timeout = self.configuration.patience
        let player = ScenarioPlayer(self.client, configuration, clock: WorkerClock(clock: self.clock))
        let report = ScenarioReport(
            await player.play(scenarios.entries.map(\.scenario)),
            locations: scenarios.entries.map { "\(name):\($0.line)" },
            duration: .zero
        )
        guard report.isMatched else { throw TestError(report.summary) }
    }
}
