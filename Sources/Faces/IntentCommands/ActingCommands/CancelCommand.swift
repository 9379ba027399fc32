import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRecords
import IntentRuntime

/// `intentd cancel`: cancels an interaction (R82b), or all that a query selects (R82g).
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel interactions: they end as if their users had given up.",
        discussion: """
            Effects that can be undone are undone first. Once something has been done that cannot be undone, an interaction \
            is not cancelled: `show` lists the rejection of the act. With filters instead of an id, all open interactions \
            that are recorded and match are cancelled, each once, so an interrupted command can be repeated.
            """
    )

    @Argument(help: "The interaction's id (ce_subject).", transform: IdentityArgument.read)
    var interaction: String?

    @OptionGroup var query: InteractionQueryOptions

    @Option(help: ArgumentHelp("A saved query; other options override it.", valueName: "name"))
    var saved: String?

    @Flag(help: "Print what would be cancelled, and cancel nothing.")
    var dryRun = false

    @Option(help: ArgumentHelp("How long to wait for the ends of many.", valueName: "seconds"))
    var wait = 30

    @OptionGroup var acting: ActingOptions

    func validate() throws {
        var query = try self.query.value
        guard (0...86_400).contains(self.wait) else { throw ValidationError("--wait must be 0 to 86400 seconds") }
        guard query[.columns] == nil else { throw ValidationError("--columns is an option of `intentd list`") }
        if !self.dryRun { try self.acting.operator.requireReason() }
        guard self.interaction != nil else {
            guard self.acting.request == nil else { throw ValidationError("--request needs an interaction's id") }
            guard self.saved != nil || !query.isEmpty else {
                throw ValidationError("name an interaction, or select some with filters such as --intent")
            }
            return
        }
        // With an id, the user says whose it is.
        query[.user] = nil
        guard query.isEmpty, self.saved == nil, !self.dryRun else {
            throw ValidationError("an interaction is named by its id and --user: leave out other filters and --dry-run")
        }
    }

    func run() async throws {
        if let interaction {
            try await self.acting.run("cancel", on: interaction, of: self.query.user) { try await $0.cancel($1) }
        } else {
            try await self.cancelMany()
        }
    }

    private func cancelMany() async throws {
        let configuration = try self.acting.common.load(brokers: self.acting.brokers)
        var query = try self.query.value
        if let saved { query = try await SavedQueries(configuration.data).query(saved).overridden(by: query) }
        let intents = try? IntentSet(configuration)
        let matches = try await BulkCancel.matches(
            query,
            in: RecordArchive.open(at: configuration.data.records),
            KnownNames(intents),
            intents.map(Masking.init) ?? .everything,
            now: SystemRuntimeClock().now
        )
        let access = try LogAccess.find(configuration)
        let progress = WorkProgress("interactions")
        defer { progress.finish() }
        let cancel = try await access.use { log in
            let deployment = try await Deployment.load(prefix: configuration.prefix, from: log)
            let desk = OperatorDesk(deployment, log: log, by: self.acting.operator.value)
            var cancel = try await BulkCancel(matches, at: desk)
            if !self.dryRun {
                try await cancel.run(
                    wait: .seconds(self.wait),
                    writer: configuration.kafkaLog(brokers: access.brokers, requestTimeout: .seconds(60))
                ) { progress.update(Int64($0), of: Int64($1)) }
            }
            return cancel
        }
        progress.finish()
        for item in cancel.items { self.report(item) }
        try self.summarize(cancel.items)
    }

    private func report(_ item: BulkCancel.Item) {
        let (action, text): (String, String) =
            switch item.outcome {
            case .cancelled: ("cancelled", "cancelled")
            case .ended: ("ended", "had ended already")
            case .refused(let reason): ("refused", "not cancelled: \(reason)")
            case .open where item.isPending: ("wouldCancel", "would be cancelled: \(item.running?.summary ?? "")")
            case .open where item.act == nil: ("open", "not cancelled: its first turn has not begun")
            case .open: ("open", "still open: \(item.running?.summary ?? "it has not ended")")
            }
        let interaction = item.interaction
        guard self.acting.output.json else {
            let about = [interaction.interactionID?.text, interaction.userID?.text].compactMap(\.self)
            StandardOutput.print(SafeText.line("\(about.joined(separator: "  "))  \(text)"))
            return
        }
        StandardOutput.print(
            .members([
                "interaction": interaction.interactionID?.json, "user": interaction.userID?.json,
                "request": interaction.request.json, "action": .string(action), "text": .string(text),
            ])
        )
    }

    private func summarize(_ items: [BulkCancel.Item]) throws {
        func count(_ outcome: BulkCancel.Outcome) -> Int { items.count { $0.outcome == outcome } }
        guard !self.dryRun else {
            let pending = items.count(where: \.isPending)
            StandardError.report("would cancel \(pending) of \(items.count) interactions that match")
            return
        }
        let (cancelled, ended, open) = (count(.cancelled), count(.ended), count(.open))
        let refused = items.count - cancelled - ended - open
        StandardError.report("cancelled \(cancelled), already ended \(ended), refused \(refused), still open \(open)")
        guard refused + open == 0 else { throw ExitCode(ExitStatus.checkFailed.rawValue) }
    }
}
