import IntentKit

/// One conversation of the demo: what the user wants, and what they say to each prompt.
struct DemoStory: Sendable {
    /// Something that the user says.
    struct Reply: Sendable {
        /// The words.
        var words: String
        /// What they mean: the data of `prompt.answered`, without the prompt's id.
        var data: [String: JSONValue]
    }

    /// What the story shows.
    var title: String
    /// The user who speaks.
    var user: String
    /// What the user says first.
    var words: String
    /// The intent that this means.
    var intent: IntentSnapshot
    /// The answers to the prompts, in order.
    var replies: [Reply]
    /// Whether the user's session with the chat service has lapsed when the story begins.
    var sessionHasLapsed = false
}
