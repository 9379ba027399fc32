import ArgumentParser
import IntentOperations
import IntentRuntime

/// Who acts, for the operators' log (R93).
struct OperatorNameOption: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Your name, for the operators' log. (default: the name of the system's user)",
            valueName: "name"
        ),
        transform: { try Self.checked($0, "the name", OperatorAct.Operator.longestName) }
    )
    var name: String?

    /// The operator, who acts for a reason.
    func value(_ reason: String?) -> OperatorAct.Operator {
        OperatorAct.Operator(self.name ?? OperatorName.ofSystem, via: "terminal", reason: reason)
    }

    /// Checks a name or a reason.
    /// - Throws: `ValidationError`.
    static func checked(_ text: String, _ what: String, _ longest: Int) throws -> String {
        do throws(OperationError) {
            return try OperatorName.checked(text, what, longest: longest)
        } catch {
            throw ValidationError(error.message)
        }
    }
}

/// Who acts, and why.
struct OperatorOptions: ParsableArguments {
    @OptionGroup var name: OperatorNameOption

    @Option(
        help: ArgumentHelp("Why, for the operators' log.", valueName: "text"),
        transform: { try OperatorNameOption.checked($0, "the reason", OperatorAct.Operator.longestReason) }
    )
    var reason: String?

    /// The operator.
    var value: OperatorAct.Operator { self.name.value(self.reason) }

    /// Refuses an act on running work without a reason (R93b).
    func requireReason() throws {
        guard self.reason != nil else { throw ValidationError("\(OperatorName.missingReason) with --reason") }
    }
}
