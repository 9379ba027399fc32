import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRecords
import IntentRuntime

/// `intentd list`: recorded interactions.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List recorded interactions, the newest first.",
        discussion: "Columns and filters can be those of parameters that an intent declares as searchable."
    )

    @OptionGroup var output: JSONOption
    @OptionGroup var masking: RevealOption
    @OptionGroup var query: InteractionQueryOptions

    @Option(help: ArgumentHelp("A saved query; other options override it.", valueName: "name"))
    var saved: String?

    @Option(help: "Maximum number of interactions.")
    var limit = 50

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard self.limit > 0 else { throw ValidationError("--limit must be at least 1") }
    }

    func run() async throws {
        let configuration = try self.common.load()
        var query = try self.query.value
        if let saved { query = try await SavedQueries(configuration.data).query(saved).overridden(by: query) }
        let known = KnownNames(try? IntentSet(configuration))
        let search = try query.search(known, now: SystemRuntimeClock().now)
        let columns = try query.columns(known) ?? InteractionColumn.standard
        let masking = self.masking.masking(configuration)
        let archive = try await RecordArchive.open(at: configuration.data.records)
        var found = try await archive.interactions(search, limit: self.limit)
        if let text = search.text { found.removeAll { !masking.finds(text, in: $0) } }
        if found.isEmpty, let problem = known.problem(of: query) { throw OperationError(.usage, problem) }
        let progress = try await archive.progress(of: found, now: SystemRuntimeClock().now)
        if self.output.json {
            for interaction in found {
                StandardOutput.print(masking.masked(interaction, progress[interaction.request]))
            }
            return
        }
        var table = Table(columns.map { ($0.isNumber ? ">" : "") + $0.name.uppercased() })
        for interaction in found {
            let style = TextStyle.output.status(interaction.status)
            let styled = columns.indices.filter { [.status, .code].contains(columns[$0]) }
            table.add(
                columns.map { $0.text(of: interaction, masking, progress[interaction.request]) ?? "-" },
                styles: Dictionary(uniqueKeysWithValues: styled.map { ($0, style) })
            )
        }
        table.show()
    }
}
