import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// Selects dead letters.
struct DeadLetterFilterOption: ParsableArguments {
    @Option(help: "Only letters with this error, such as handlerFailed.")
    var error: String?

    @Option(help: "Only letters of interactions for this intent.", transform: IdentityArgument.read)
    var intent: String?

    @Option(help: "Only letters of this stage: resolve, confirm or handle; or of the gateway: webhooks.")
    var stage: String?

    @Option(
        help: ArgumentHelp("Only letters since a time, or a duration ago such as 1h.", valueName: "time")
    )
    var since: String?

    @Option(help: ArgumentHelp("Only letters until a time, or a duration ago.", valueName: "time"))
    var until: String?

    /// Whether letters are marked as handled.
    enum Mark: EnumerableFlag {
        case handled
        case unhandled

        static func help(for value: Self) -> ArgumentHelp? {
            switch value {
            case .handled: "Only letters that are marked as handled."
            case .unhandled: "Only letters that are not marked as handled."
            }
        }
    }

    @Flag
    var mark: Mark?

    @Option(
        name: .customLong("filter"),
        help: ArgumentHelp(
            "Filter by field: error, detail (a substring), type, user, interaction, intent, stage, topic, "
                + "since, until, or handled (yes or no). Can be repeated.",
            valueName: "field=value"
        )
    )
    private var texts: [String] = []

    /// The conditions; `validate` has checked them.
    var value: DeadLetterFilter { get throws { try Self.read(self.conditions) } }

    private var conditions: [String] {
        let named: [(DeadLetterFilter.Field, String?)] = [
            (.error, self.error), (.intent, self.intent), (.stage, self.stage), (.since, self.since),
            (.until, self.until), (.handled, self.mark.map { $0 == .handled ? "yes" : "no" }),
        ]
        return self.texts + named.compactMap { field, text in text.map { "\(field.rawValue)=\($0)" } }
    }

    func validate() throws { _ = try self.value }

    /// Reads conditions, each `field=value`.
    /// - Throws: `ValidationError`.
    static func read(_ texts: [String]) throws -> DeadLetterFilter {
        var filter = DeadLetterFilter()
        var seen: Set<DeadLetterFilter.Field> = []
        let now = SystemRuntimeClock().now
        for text in texts {
            let (field, value) = try Self.condition(text)
            guard seen.insert(field).inserted else {
                throw ValidationError("\(field.rawValue) is given twice: name each field once")
            }
            let isID = field == .user || field == .interaction
            do {
                try filter.set(field, isID ? IdentityArgument.read(value) : value, now: now)
            } catch let error as OperationError {
                throw ValidationError(error.message)
            }
        }
        return filter
    }

    private static func condition(_ text: String) throws -> (DeadLetterFilter.Field, String) {
        guard let equals = text.firstIndex(of: "=") else {
            throw ValidationError("--filter: '\(text)' is not a condition, such as error=handlerFailed")
        }
        let name = String(text[..<equals])
        guard let field = DeadLetterFilter.Field(rawValue: name) else {
            let names = DeadLetterFilter.Field.allCases.map(\.rawValue)
            throw ValidationError(
                "--filter: unknown field '\(name)'\(NearMiss.hint(name, among: names)); known fields are "
                    + names.joined(separator: ", ")
            )
        }
        return (field, String(text[text.index(after: equals)...]))
    }
}
