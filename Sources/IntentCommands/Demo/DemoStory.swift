import IntentKit

/// One conversation of the demo: what the user wants, and what they answer to each prompt.
struct DemoStory: Sendable {
    /// A reply of the user.
    struct Reply: Sendable {
        /// The words.
        var words: String
        /// Their meaning: the data of `prompt.answered`, without the prompt's id.
        var data: JSONObject
        /// A change that happens while the user thinks.
        var meanwhile: (@Sendable (any StoreTransaction) throws -> Void)?
    }

    /// The story's title.
    var title: String
    /// The user.
    var user: String
    /// The user's first words.
    var words: String
    /// The intent that they mean.
    var intent: IntentSnapshot
    /// The answers to the prompts, in order.
    var replies: [Reply]
    /// Whether the request states that the device is unlocked, as payments require.
    var isUnlocked = false
    /// Prepares the stores for the story, after the demo data.
    var prepare: @Sendable (any StoreTransaction) throws -> Void = { _ in }
    /// The app's report: the data of `app.responded`.
    var report: JSONObject?
    /// Whether the story continues after its end, until its ride is over.
    var isFollowed = false
}
