import ArgumentParser
import IntentOperations

/// `intentd dead-letters show`: a dead letter with all details.
struct DeadLettersShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show dead letters: the event, the error, and its origin."
    )

    @Argument(help: "The ids of dead letters, as `list` shows them.", transform: DeadLetterName.argument)
    var letters: [DeadLetterName]

    @OptionGroup var common: CommonOptions
    @OptionGroup var brokers: BrokersOption
    @OptionGroup var output: JSONOption
    @OptionGroup var masking: RevealOption

    func run() async throws {
        let configuration = try self.common.load(brokers: self.brokers)
        let masking = self.masking.masking(configuration)
        let letters = try await LogAccess.find(configuration)
            .use { log in
                try await DeadLetterBox(prefix: configuration.prefix, log: log).letters(named: self.letters)
            }
        for (index, letter) in letters.map({ MaskedLetter($0, masking) }).enumerated() {
            if self.output.json {
                StandardOutput.print(letter.whole)
            } else {
                if index > 0 { StandardOutput.print("") }
                for line in letter.lines { StandardOutput.print(line) }
            }
        }
    }
}
