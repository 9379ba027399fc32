package import IntentEvents
package import IntentKit
internal import IntentRuntime

/// Decides who may say yes to what (R89).
///
/// Every event that a door sends for a caller passes it.
package struct ConfirmingRule: Sendable {
    let registry: IntentRegistry
    /// The address of the gateway's pages, without a slash at the end.
    let publicURL: String

    package init(registry: IntentRegistry, publicURL: String) {
        self.registry = registry
        self.publicURL = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
    }

    /// Whether only the user may say yes to the intent, as for every intent that this gateway does not know.
    package func isReservedForUser(_ intent: String?) -> Bool {
        intent.flatMap { self.registry[$0]?.registration }?.effectiveConfirmingParty != .agent
    }

    /// Whether only the user may answer a prompt: a question whether to do what is reserved for the user, or one that
    /// an unlocked device or a sign-in answers.
    package func isForUser(_ prompt: JSONValue, of intent: String?) -> Bool {
        switch prompt["kind"]?.string {
        case PromptKind.unlockRequired.rawValue, PromptKind.authenticationRequired.rawValue: true
        case PromptKind.intentConfirmation.rawValue: self.isReservedForUser(intent)
        default: false
        }
    }

    /// The page at which the user answers the open prompt of an interaction.
    package func page(of id: InteractionID) -> String { "\(self.publicURL)/confirm/\(Self.escaped(id.text))" }

    /// Checks an event that a caller sends about an interaction.
    ///
    /// The prompt's id decides, not the prompt that the view has as the open one: the view may be behind the log. The
    /// stage `confirm` asks for nothing but a yes, so every answer to one of its prompts counts as one, except a no and
    /// giving up. Changes come with a no, which has the changed intent confirmed (R22b).
    /// - Throws: ``GatewayError`` `userMustConfirm`, `superseded`.
    package func check(
        _ type: EventType,
        _ data: JSONObject,
        to id: InteractionID?,
        intent: String?,
        by caller: Caller
    ) throws(GatewayError) {
        switch type {
        case .deviceUnlocked, .userAuthenticated: try Self.checkReport(by: caller)
        case .promptAnswered:
            guard let prompt = data["promptId"]?.string.flatMap({ PromptID($0) }) else { return }
            guard prompt.interaction == id else {
                throw GatewayError(.superseded, "The prompt belongs to another interaction: answer the open prompt.")
            }
            guard caller.isAgent, prompt.stage == .confirm, self.isReservedForUser(intent),
                data["action"] != "decline", data["action"] != "cancel"
            else { return }
            throw GatewayError(
                .userMustConfirm,
                "Only the user can say yes to \(intent ?? "this intent"), at \(self.page(of: prompt.interaction)). "
                    + "An agent may decline, with corrections or without, or cancel."
            )
        default: return
        }
    }

    /// Checks that a caller may report that the user has unlocked a device or signed in, for all interactions that wait.
    /// - Throws: ``GatewayError`` `userMustConfirm`.
    static func checkReport(by caller: Caller) throws(GatewayError) {
        guard caller.isAgent else { return }
        throw GatewayError(
            .userMustConfirm,
            "An agent cannot report that the user has unlocked a device or signed in: the user does so at the page "
                + "of the interaction, /confirm/{interaction}."
        )
    }

    /// An id as one part of a path (RFC 3986).
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || "-._~".contains(character) {
                escaped.append(character)
            } else {
                escaped +=
                    "%" + String(byte >> 4, radix: 16, uppercase: true)
                    + String(byte & 15, radix: 16, uppercase: true)
            }
        }
        return escaped
    }
}
