package import IntentKit

/// The expected result of a scenario; a property that is nil is not compared.
///
/// The contract names `code`, `status`, `endReason`, `parameters` and `prompts`. `rejections`, `effects`,
/// `started`, `ignoredParameters` and `warnings` are for scenarios with `steps`.
package struct ScenarioExpectation: Hashable, Sendable {
    /// A response code: one of the intent's, or none (JSON's `null`).
    package enum Code: Hashable, Sendable {
        case named(String)
        /// No code: the intent's list has none for the case.
        case none
    }

    /// The terminal response's code.
    package var code: Code?
    /// The terminal response's status.
    package var status: String?
    package var endReason: String?
    /// The values with which `handle` ran.
    package var parameters: JSONObject?
    /// The prompts in order: `kind:parameter`, or only the kind for a prompt about no parameter.
    package var prompts: [String]?
    /// The reasons of rejected events, in any order; the player waits until as many have come.
    package var rejections: [String]?
    /// The names of the effects that the terminal response reports, in order.
    package var effects: [String]?
    /// The handler's names for what it has started, in order (R77).
    package var started: [String]?
    /// The parameters that the intent does not have, in any order.
    package var ignoredParameters: [String]?
    /// The members that are named in warnings, by their paths, in any order; nil accepts any, which are noted (R79).
    package var warnings: [String]?

    /// Expects nothing.
    package init() {}
}
