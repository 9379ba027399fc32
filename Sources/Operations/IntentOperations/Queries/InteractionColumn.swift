internal import IntentEvents
internal import IntentKit
package import IntentRecords

/// A column of a list of interactions (R90).
package enum InteractionColumn: Hashable, Sendable {
    case requested
    case interaction
    case user
    case intent
    case status
    case code
    case end
    case stage
    case turns
    case prompts
    case milliseconds
    /// The value of a searchable parameter.
    case parameter(String)

    /// The columns with names of their own.
    package static let named: [Self] = [
        .requested, .interaction, .user, .intent, .status, .code, .end, .stage, .turns, .prompts, .milliseconds,
    ]
    /// The columns of `list` unless others are chosen.
    package static let standard: [Self] = [
        .requested, .interaction, .user, .intent, .status, .code, .end, .turns, .prompts, .milliseconds,
    ]
    /// What precedes the name of a parameter that has the name of another column.
    private static let prefix = "parameters."

    /// The name in queries.
    package var name: String {
        switch self {
        case .requested: "requested"
        case .interaction: "interaction"
        case .user: "user"
        case .intent: "intent"
        case .status: "status"
        case .code: "code"
        case .end: "end"
        case .stage: "stage"
        case .turns: "turns"
        case .prompts: "prompts"
        case .milliseconds: "ms"
        case .parameter(let name): Self.named.contains { $0.name == name } ? Self.prefix + name : name
        }
    }

    /// Whether its values are numbers, which are aligned to the right.
    package var isNumber: Bool {
        switch self {
        case .turns, .prompts, .milliseconds: true
        default: false
        }
    }

    /// Reads names that are separated by commas.
    /// - Throws: ``OperationError``, `usage`, for an unknown one.
    static func read(_ text: String, _ known: KnownNames) throws(OperationError) -> [Self] {
        var columns: [Self] = []
        for part in text.split(separator: ",") {
            let name = String(part.trimmingPrefix { $0 == " " }.prefix { $0 != " " })
            let column: Self
            if let named = Self.named.first(where: { $0.name == name }) {
                column = named
            } else {
                let parameter = String(name.trimmingPrefix(Self.prefix))
                do throws(OperationError) {
                    _ = try known.intents(searchableBy: parameter)
                } catch {
                    let names = Self.named.map(\.name) + known.searchable(of: nil)
                    throw OperationError(
                        .usage,
                        "unknown column '\(name)'\(NearMiss.hint(name, among: names)); use \(names.joined(separator: ", "))"
                    )
                }
                column = .parameter(parameter)
            }
            if !columns.contains(column) { columns.append(column) }
        }
        guard !columns.isEmpty else { throw OperationError(.usage, "name at least one column") }
        return columns
    }

    /// The value of an interaction; nil where it has none.
    ///
    /// - Parameters:
    ///   - interaction: The interaction.
    ///   - masking: Masks the values of parameters.
    ///   - progress: Where it is, if it is open.
    /// - Returns: The value as a text.
    package func text(
        of interaction: RecordedInteraction,
        _ masking: Masking,
        _ progress: InteractionTimes? = nil
    ) -> String? {
        switch self {
        case .requested: interaction.requestedAt.map { String($0.description.prefix(19)) }
        case .interaction: interaction.interactionID?.text
        case .user: interaction.userID?.text
        case .intent: interaction.intent
        case .status: progress?.text ?? interaction.status
        case .code: interaction.code
        case .end: interaction.endReason
        case .stage: interaction.phase
        case .turns: String(interaction.turns)
        case .prompts: String(interaction.prompts)
        case .milliseconds: interaction.duration.map { String($0) }
        case .parameter(let name):
            // Another intent's parameter of that name may be sensitive.
            masking.masked(parameters: interaction.parameters ?? .null, of: interaction.intent)[name]
                .flatMap { $0.isNull ? nil : ValueText.short($0) }
        }
    }
}
