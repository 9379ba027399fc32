package import IntentKit

/// One conversation of the demo: what the user wants, and what they answer to each prompt.
package struct DemoStory: Sendable {
    package typealias Change = @Sendable (any StoreTransaction) throws -> Void

    package struct Reply: Sendable {
        package var words: String
        /// The words' meaning: the data of `prompt.answered`, without the prompt's id.
        package var data: JSONObject
        /// A change that happens while the user thinks.
        package var meanwhile: Change?

        package init(words: String, data: JSONObject, meanwhile: Change? = nil) {
            self.words = words
            self.data = data
            self.meanwhile = meanwhile
        }
    }

    /// What is reported after the end.
    package struct Update: Sendable {
        package var phase: String
        package var words: String
        /// Whether this is the last update.
        package var isLast: Bool

        package init(phase: String, words: String, isLast: Bool) {
            self.phase = phase
            self.words = words
            self.isLast = isLast
        }
    }

    package var title: String
    package var user: String
    /// The user's first words.
    package var words: String
    /// The intent that they mean.
    package var intent: IntentSnapshot
    /// The answers to the prompts, in order.
    package var replies: [Reply]
    /// Whether the request states that the device is unlocked, as payments require.
    package var isUnlocked: Bool
    /// Prepares the stores for the story, after the demo data.
    package var prepare: Change
    /// The app's report: the data of `app.responded`.
    package var report: JSONObject?
    /// Reads the data of `status.updated`; nil for a story that ends with its interaction.
    package var update: (@Sendable (JSONValue) -> Update?)?

    package init(
        title: String,
        user: String,
        words: String,
        intent: IntentSnapshot,
        replies: [Reply],
        isUnlocked: Bool = false,
        prepare: @escaping Change = { _ in },
        report: JSONObject? = nil,
        update: (@Sendable (JSONValue) -> Update?)? = nil
    ) {
        self.title = title
        self.user = user
        self.words = words
        self.intent = intent
        self.replies = replies
        self.isUnlocked = isUnlocked
        self.prepare = prepare
        self.report = report
        self.update = update
    }
}
