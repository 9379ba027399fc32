import IntentKit

/// One conversation of the demo: what the user wants, and what they say to each prompt.
struct DemoStory: Sendable {
    /// Something that the user says.
    struct Reply: Sendable {
        /// The words.
        var words: String
        /// What they mean: the data of `prompt.answered`, without the prompt's id.
        var data: JSONObject
        /// What happens in the world while the user thinks.
        var meanwhile: (@Sendable (any StoreTransaction) throws -> Void)?
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
    /// Whether the request says that the device is unlocked, as payments need it.
    var isUnlocked = false
    /// Puts the stores in the state in which the story begins, after the demo data.
    var prepare: @Sendable (any StoreTransaction) throws -> Void = { _ in }
    /// What the app reports about what it was handed: the data of `app.responded`.
    var report: JSONObject?
    /// Whether the story goes on after its end, until the ride that it is about is over.
    var isFollowed = false
}
