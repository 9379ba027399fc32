import ArgumentParser
import IntentAudit
import IntentOperations
import IntentScenarios

/// `intentd audit export`: an interaction as a scenario.
struct AuditExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print an interaction as a scenario for `intentd test`.",
        discussion:
            "A line of JSON. Sensitive values are masked unless --reveal is given; a masked scenario cannot be run."
    )

    @OptionGroup var selection: InteractionOptions
    @OptionGroup var masking: RevealOption

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load()
        let story = try await self.selection.story(configuration)
        guard let export = ScenarioExport(story) else {
            throw OperationError(
                .noInput,
                "the request of \(self.selection.interaction) is not recorded: nothing to export"
            )
        }
        for warning in export.warnings { StandardError.report(warning) }
        let json = export.scenario.json
        let shown = self.masking.masking(configuration).masked(json)
        if shown != json {
            StandardError.report("sensitive values are masked: add --reveal for a scenario that can be run")
        }
        StandardOutput.print(shown)
    }
}
