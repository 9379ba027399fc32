package import IntentEvents
package import IntentKit
internal import SpokenValues

/// Words in place of a value, with all that their meaning depends on (R73).
package struct SpokenQuery: Hashable, Sendable {
    /// The words.
    package var text: String
    /// The parameter that they are a value of.
    package var parameter: String
    /// The type of its values.
    package var typeName: String
    /// The user's language.
    package var locale: String
    /// The name of the user's time zone, as the client sent it.
    package var timeZone: String
    /// The time zone that counts where this machine does not know the user's.
    package var defaultTimeZone: String
    /// The time at which they were said.
    package var now: Timestamp

    package init(
        _ text: String,
        parameter: String,
        typeName: String,
        locale: String,
        timeZone: String,
        defaultTimeZone: String = "UTC",
        now: Timestamp
    ) {
        self.text = text
        self.parameter = parameter
        self.typeName = typeName
        self.locale = locale
        self.timeZone = timeZone
        self.defaultTimeZone = defaultTimeZone
        self.now = now
    }

    /// What the words mean, the likeliest first.
    ///
    /// The zone database of the machine decides, so a turn keeps the answer in its journal.
    package func meanings() -> [SpokenMeaning] {
        let zone = [self.timeZone, self.defaultTimeZone].lazy.compactMap { ZoneRules(identifier: $0) }.first
        let reader = SpokenReader(
            locale: self.locale,
            now: Int(self.now.milliseconds / 1_000),
            zone: zone ?? ZoneRules(secondsFromUTC: 0)
        )
        return reader.read(self.text, as: self.typeName).candidates
            .map { SpokenMeaning(value: $0.value, words: $0.words) }
    }

    // MARK: In the journal

    /// The read in which the journal keeps the answer.
    ///
    /// It is in a member with the parameter's name, by which sensitive values are masked (R40).
    package func journaled(_ meanings: [SpokenMeaning]) -> JournalRead {
        let answer: JSONValue = [
            "meanings": .array(meanings.map(\.json)), "said": .string(self.text), "timeZone": .string(self.timeZone),
        ]
        return JournalRead(kind: .understood, name: self.parameter, result: .value([self.parameter: answer]))
    }

    /// The answer in a read; nil for a read that does not answer this question.
    package func meanings(in read: JournalRead) -> [SpokenMeaning]? {
        guard read.kind == .understood, read.name == self.parameter, case .value(let json) = read.result,
            let answer = json[self.parameter], answer["said"]?.string == self.text,
            answer["timeZone"]?.string == self.timeZone
        else { return nil }
        return (answer["meanings"]?.array ?? []).compactMap(SpokenMeaning.init(json:))
    }
}

/// A value that words mean.
package struct SpokenMeaning: Hashable, Sendable {
    /// The value in its form on the wire.
    package var value: JSONValue
    /// The value in the user's language.
    package var words: String

    package init(value: JSONValue, words: String) {
        self.value = value
        self.words = words
    }

    package var json: JSONValue { ["value": self.value, "words": .string(self.words)] }

    package init?(json: JSONValue) {
        guard let value = json["value"], let words = json["words"]?.string else { return nil }
        self.init(value: value, words: words)
    }
}
