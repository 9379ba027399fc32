import ArgumentParser
import IntentKit
import IntentOperations
import IntentRuntime

/// `intentd queries`: the saved queries of a data directory (R90).
struct QueriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queries",
        abstract: "Save, list or remove queries for `list` and the console.",
        discussion: "They are kept in the data directory, which terminal and console share.",
        subcommands: [Save.self, List.self, Remove.self]
    )

    struct Save: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "save",
            abstract: "Save a query under a name, in place of an earlier one."
        )

        @Argument(help: "The name.")
        var name: String

        @OptionGroup var query: InteractionQueryOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let configuration = try self.common.load()
            let query = try self.query.value
            let known = KnownNames(try? IntentSet(configuration))
            _ = try query.search(known, now: SystemRuntimeClock().now)
            _ = try query.columns(known)
            try await SavedQueries(configuration.data).save(query, as: self.name)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the saved queries.")

        @OptionGroup var common: CommonOptions
        @OptionGroup var output: JSONOption

        func run() async throws {
            let queries = try await SavedQueries(try self.common.load().data).all()
            if self.output.json {
                for (name, query) in queries {
                    StandardOutput.print(["name": .string(name), "query": query.json])
                }
            } else if queries.isEmpty {
                StandardError.report("no saved queries")
            } else {
                var table = Table("NAME", "QUERY")
                for (name, query) in queries { table.add(name, query.options) }
                table.show()
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a saved query.")

        @Argument(help: "The name.")
        var name: String

        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await SavedQueries(try self.common.load().data).remove(self.name)
        }
    }
}
