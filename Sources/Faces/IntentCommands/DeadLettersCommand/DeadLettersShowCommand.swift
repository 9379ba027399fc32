import ArgumentParser
import IntentOperations
import IntentRuntime

/// `intentd dead-letters show`: a dead letter with all details.
struct DeadLettersShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show dead letters: the event, the error, and its origin."
    )

    @Argument(help: "The ids of dead letters, as `list` shows them.", transform: DeadLetterName.argument)
    var letters: [DeadLetterName]

    @OptionGroup var output: JSONOption
    @OptionGroup var masking: RevealOption

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let masking = self.masking.masking(configuration)
        let letters = try await LogAccess.find(configuration)
            .use { log in
                let box = DeadLetterBox(prefix: configuration.prefix, log: log)
                let letters = try await box.letters(named: self.letters)
                let handled = try await box.handled(letters)
                return letters.map { letter in
                    var masked = MaskedLetter(letter, masking)
                    masked.handled = handled[letter.name]
                    return masked
                }
            }
        for (index, letter) in letters.enumerated() {
            if self.output.json {
                StandardOutput.print(letter.whole)
            } else {
                if index > 0 { StandardOutput.print("") }
                for line in letter.lines { StandardOutput.print(line) }
            }
        }
    }
}
