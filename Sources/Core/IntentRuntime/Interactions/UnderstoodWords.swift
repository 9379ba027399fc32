internal import IntentKit

/// Words that were read as a value (R73).
package struct UnderstoodWords: Hashable, Sendable {
    /// What the user said.
    package var said: String
    /// The value that was understood.
    package var meaning: SpokenMeaning

    init(_ said: String, _ meaning: SpokenMeaning) {
        self.said = said
        self.meaning = meaning
    }

    /// The form for clients.
    var shown: JSONValue {
        let display = OptionDisplay(title: self.meaning.words)
        return ["display": display.json, "said": .string(self.said), "value": self.meaning.value]
    }

    /// The form in state.
    var json: JSONValue {
        ["said": .string(self.said), "value": self.meaning.value, "words": .string(self.meaning.words)]
    }

    init?(json: JSONValue) {
        guard let said = json["said"]?.string, let meaning = SpokenMeaning(json: json) else { return nil }
        self.init(said, meaning)
    }
}
