public import IntentKit

/// An intent declared in a file, without Swift (R50).
///
/// ```json
/// {
///   "name": "BookTable", "title": "Book a table", "confirmation": "always",
///   "parameters": [
///     {"name": "city", "type": "string", "required": true, "prompt": {"en": "In which city?"}},
///     {"name": "people", "type": "integer", "minimum": 1, "maximum": 12, "default": 2}
///   ]
/// }
/// ```
public struct IntentDefinition: Sendable {
    /// The ways in which an intent is carried out (R51).
    public enum Handling: Hashable, Sendable {
        /// Not at all: the record of the interaction is the effect.
        case record
        /// A Swift handler of the same name.
        case swift
        /// A service to which the intent is posted.
        case http
        /// A service that may resolve, confirm and report status as well (R61).
        case service
    }

    /// The intent's name on the wire.
    public let name: String
    /// A title for people, in one language or in several.
    public let title: LocalizedText?
    /// The policy that decides whether the user is asked before it is done.
    public let confirmation: ConfirmationPolicy
    /// Whether it moves money or cannot be undone.
    public let isFinancial: Bool
    /// Who may say yes when it is to be confirmed; nil for the default.
    public let confirmedBy: ConfirmingParty?
    /// Whether it only looks something up.
    public let isReadOnly: Bool
    /// The parameters in the order in which they are resolved.
    public let parameters: [ParameterDefinition]
    /// The way in which it is carried out.
    public let handling: Handling
    /// The HTTP settings, if a service carries it out.
    let http: HTTPHandling?
    /// The service that resolves, confirms and handles it, if one does.
    let service: ServiceHandling?
    /// The definition as it was written.
    public let source: JSONValue

    /// The address of its service, if it has one.
    package var serviceAddress: String? { self.service?.endpoint.url }
    /// What is unwise about carrying it out: secrets that are sent over the network unencrypted.
    package var warnings: [String] { self.endpoint?.warnings ?? [] }
    /// What is missing for carrying it out in this process: secrets that are not where the definition says.
    package var missingSecrets: [DefinitionProblem] { self.endpoint?.problems ?? [] }

    /// The endpoint to which anything is posted.
    private var endpoint: HTTPEndpoint? { self.http?.endpoint ?? self.service?.endpoint }

    func parameter(_ name: String) -> ParameterDefinition? { self.parameters.first { $0.name == name } }
}
