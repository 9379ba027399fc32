import IntentConsole
import IntentEvents
import IntentKit
import IntentRuntime

extension ConsoleLetters {
    /// Dead letters of these topics.
    static func make(
        _ deployment: Deployment,
        on log: any EventLog,
        sensitive: SensitiveParameters,
        allowsSending: Bool
    ) -> ConsoleLetters {
        let text = DeadLetterText(sensitive: sensitive)
        return ConsoleLetters(
            allowsSending: allowsSending,
            show: { name in
                let letters = try await Self.letters([name], of: deployment, on: log)
                return letters.first.map(text.whole) ?? .null
            },
            redrive: { names, isDryRun in
                let letters = try await Self.letters(names, of: deployment, on: log)
                let redrive = try await Redrive(
                    letters,
                    of: deployment,
                    on: log,
                    key: try await Self.key(deployment, log, isDryRun: isDryRun || !allowsSending),
                    again: false,
                    now: SystemRuntimeClock().now
                )
                if !isDryRun, allowsSending, !redrive.records.isEmpty {
                    try await log.write(redrive.records)
                }
                return redrive.steps.map { Self.step($0.letter, $0.step, isDryRun: isDryRun) }
            }
        )
    }

    private static func letters(
        _ names: [String],
        of deployment: Deployment,
        on log: any EventLog
    ) async throws -> [DeadLetter] {
        try await DeadLetterBox(prefix: deployment.prefix, log: log).letters(named: names.map(DeadLetterName.read))
    }

    /// The deployment's key; a dry run does not write one.
    private static func key(_ deployment: Deployment, _ log: any EventLog, isDryRun: Bool) async throws -> RedriveKey {
        guard isDryRun else { return try await deployment.makeRedriveKey(on: log) }
        if let key = try await deployment.redriveKey(on: log) { return key }
        return try await deployment.draftRedriveKey(on: log)
    }

    private static func step(_ letter: DeadLetter, _ step: Redrive.Step, isDryRun: Bool) -> Step {
        switch step {
        case .send(_, let id):
            Step(
                letter: letter.name,
                interaction: id.text,
                words: isDryRun ? "would be sent again as \(id)" : "was sent again as \(id)",
                isPossible: true
            )
        case .alreadySent(let id):
            Step(letter: letter.name, interaction: id.text, words: "was sent again before, as \(id)", isPossible: false)
        case .impossible(let reason):
            Step(letter: letter.name, interaction: nil, words: "cannot be sent again: \(reason)", isPossible: false)
        }
    }
}
