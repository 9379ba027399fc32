package import IntentEvents
package import IntentKit

/// An event to be sent, where answers by name cannot express it.
///
/// The scenario's request is sent first, then its steps in order, each as soon as the events that it waits for have
/// come:
///
/// ```json
/// {"steps": [
///   {"type": "prompt.answered", "afterPrompt": 1, "data": {"value": "19:00"}, "repeat": 2},
///   {"type": "prompt.answered", "afterPrompt": 2, "prompt": 1, "data": {"value": "20:00"}},
///   {"type": "prompt.answered", "afterPrompt": 2, "data": {"action": "accept"}, "from": "somebody-else"},
///   {"type": "device.unlocked", "afterPrompt": 3, "data": {"device": {"id": "phone"}}},
///   {"type": "app.responded", "afterResponse": 1, "data": {"code": "success"}},
///   {"type": "intent.requested"},
///   {"type": "interaction.cancelled", "subject": "an-interaction-that-is-not-there"}
/// ]}
/// ```
/// `data.user.id` is filled in, `data.promptId` too where the type is `prompt.answered`. A repeated
/// `intent.requested` carries the request's data with `data` laid over it.
package struct ScenarioStep: Hashable, Sendable {
    /// `ce_type`.
    package var type: String
    /// The event's data, except for what is filled in.
    package var data: JSONObject = [:]
    /// The number of prompts that must have come before it is sent; `prompt.answered` always waits for the prompt that
    /// it answers.
    package var afterPrompt: Int?
    /// The number of `intent.responded` that must have come, including `inProgress` ones.
    package var afterResponse: Int?
    /// The number of `event.rejected` that must have come.
    package var afterRejection: Int?
    /// The number of the prompt that a `prompt.answered` answers, from 1; nil means the one of `afterPrompt`.
    package var prompt: Int?
    /// The number of times that it is sent, each time as an event of its own.
    package var repetitions = 1
    /// The user who sends it; nil means the scenario's.
    package var from: UserID?
    /// The interaction that it is about; nil means the scenario's.
    package var subject: InteractionID?

    /// Creates a step that only waits for the step before it.
    package init(type: String, data: JSONObject = [:]) {
        self.type = type
        self.data = data
    }

    /// The number of the prompt that it answers, if it answers one.
    package var answeredPrompt: Int? {
        guard self.type == EventType.promptAnswered.rawValue, self.data["promptId"] == nil else { return nil }
        return self.prompt ?? self.afterPrompt
    }

    /// The number of prompts that must have come before it is sent.
    package var requiredPrompts: Int { max(self.afterPrompt ?? 0, self.answeredPrompt ?? 0) }
}
