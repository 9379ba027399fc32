import ArgumentParser
import Connections
import IntentKit
import IntentOperations

/// `intentd` itself: has subcommands, and does nothing else.
struct RootCommand: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        let demo: [any ParsableCommand.Type] = Demonstration.current == nil ? [] : [DemoCommand.self]
        return CommandConfiguration(
            commandName: ProgramName.current,
            abstract: "Runs intents through resolve, confirm and handle on Kafka.",
            discussion: """
                Start with `up`, which runs everything in one process until Ctrl-C.

                Exit status: 0 success; 1 a check failed; 64 usage error; 65 invalid data; 66 input not found; \
                69 a service is unavailable; 70 internal error; 78 invalid configuration; 130 Ctrl-C in `ask`.
                """,
            version: ProgramVersion.text,
            groupedSubcommands: [
                CommandGroup(
                    name: "Run:",
                    subcommands: demo + [
                        TestCommand.self, UpCommand.self, BrokerCommand.self, WorkCommand.self, GatewayCommand.self,
                        MCPCommand.self, LeaveCommand.self,
                    ]
                ),
                CommandGroup(
                    name: "Events:",
                    subcommands: [AskCommand.self, ProduceCommand.self, VocabularyCommand.self, TailCommand.self]
                ),
                CommandGroup(
                    name: "Look:",
                    subcommands: [
                        ConsoleCommand.self, IntentsCommand.self, ListCommand.self, ShowCommand.self,
                        QueriesCommand.self,
                        StatusCommand.self,
                        LagCommand.self, InsightCommand.self,
                        DeadLettersCommand.self, WaitingCommand.self, RecordsCommand.self, ExportCommand.self,
                    ]
                ),
                CommandGroup(
                    name: "Act:",
                    subcommands: [
                        CancelCommand.self, RetryCommand.self, PauseCommand.self, ResumeCommand.self,
                        PausesCommand.self, OperatorsCommand.self,
                    ]
                ),
                CommandGroup(name: "Prove:", subcommands: [ReplayCommand.self, AuditCommand.self]),
                CommandGroup(
                    name: "Set up:",
                    subcommands: [
                        InitCommand.self, TopicsCommand.self, ConfigCommand.self, SchemaCommand.self,
                        ServiceCommand.self,
                    ]
                ),
            ]
        )
    }

    /// Suggests a command when the name is unknown.
    /// - Throws: ``OperationError``.
    private static func checkName(_ arguments: [String]) throws(OperationError) {
        var commands = Self.configuration.subcommands
        var path = [ProgramName.current]
        for word in arguments {
            let names = commands.map { $0._commandName }
            guard !names.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
            guard let command = commands.first(where: { $0._commandName == word }) else {
                let hint = NearMiss.hint(word, among: names)
                throw OperationError(
                    .usage,
                    "unknown command '\((path + [SafeText.line(word)]).joined(separator: " "))'\(hint); known commands are "
                        + names.joined(separator: ", ")
                )
            }
            // A command with a default subcommand accepts arguments of its own.
            guard command.configuration.defaultSubcommand == nil else { return }
            path.append(word)
            commands = command.configuration.subcommands
        }
    }

    /// Runs the command in these arguments; reports failures on standard error.
    /// - Returns: The exit status.
    static func run(_ arguments: [String]) async -> Int32 {
        OpenFileLimit.raise()
        do {
            try Self.checkName(arguments)
            var command = try Self.parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitStatus.success.rawValue
        } catch {
            if let failure = OperationError(error) {
                StandardError.report(failure.message)
                return ExitStatus(failure.code).rawValue
            }
            // Help, a wrong command line, or a status that a command has chosen: argument-parser words them.
            let code = Self.exitCode(for: error)
            let isOwn = code == .success || code == .validationFailure || error is ExitCode
            guard isOwn else {
                StandardError.report("internal error: \(error)")
                return ExitStatus.internalError.rawValue
            }
            let text = Self.fullMessage(for: error)
            if !text.isEmpty {
                if code == .success {
                    StandardOutput.print(text)
                } else {
                    // It repeats what was wrong on the command line.
                    StandardError.write(SafeText.lines(text).joined(separator: "\n") + "\n")
                }
            }
            return code.rawValue
        }
    }
}
