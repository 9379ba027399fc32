import ArgumentParser
import IntentOperations

/// Whether a command shows sensitive values (R40).
struct RevealOption: ParsableArguments {
    @Flag(help: "Show the values of sensitive parameters, which are masked by default.")
    var reveal = false

    /// The masking for reading records: a definition that cannot be read must not prevent that.
    ///
    /// The problem is then reported on standard error, and everything is masked.
    func masking(_ configuration: Configuration) -> Masking {
        guard !self.reveal else { return .revealed }
        do throws(OperationError) {
            return Masking(try IntentSet(configuration))
        } catch {
            StandardError.report("\(error.message)\nuntil this is fixed, all values are masked (--reveal shows them)")
            return .everything
        }
    }
}
