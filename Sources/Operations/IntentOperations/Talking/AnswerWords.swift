package import IntentKit

/// The texts about answers at a prompt: in German for German users, in English for all others.
package struct AnswerWords: Sendable {
    let isGerman: Bool

    /// Creates the texts in a user's language.
    init(locale: String = "en") { self.isGerman = locale.prefix { $0 != "-" && $0 != "_" }.lowercased() == "de" }

    var yes: String { self.isGerman ? "ja" : "yes" }
    var no: String { self.isGerman ? "nein" : "no" }
    /// The word that ends the interaction.
    var cancel: String { self.isGerman ? "abbrechen" : "cancel" }

    /// The accepted input where something is to be confirmed.
    var confirmation: String {
        self.isGerman
            ? "ja, nein, abbrechen, oder parameter=wert zum Ändern" : "yes, no, cancel, or parameter=value to correct"
    }
    /// The accepted input where one of several is to be chosen, or something else said.
    var choice: String {
        self.isGerman ? "eine Nummer, ein anderer Wert, oder abbrechen" : "a number, another value, or cancel"
    }
    /// The accepted input where values are offered.
    var offer: String { self.isGerman ? "eine Nummer, ein Wert, oder abbrechen" : "a number, a value, or cancel" }
    /// The accepted input where the device is locked.
    var unlock: String { self.isGerman ? "entsperren, oder abbrechen" : "unlock, or cancel" }
    /// The accepted input where the user must sign in.
    var signIn: String { self.isGerman ? "anmelden, oder abbrechen" : "sign in, or cancel" }
    /// The accepted input for the app.
    var appCode: String {
        self.isGerman
            ? "der Code, mit dem die App antwortet: success, failure, …"
            : "the code that the app answers: success, failure, …"
    }

    /// The accepted input, or the end of the interaction.
    func orCancel(_ expectation: String) -> String { "\(expectation), \(self.isGerman ? "oder" : "or") \(self.cancel)" }

    /// The accepted input where nothing is known about the value.
    func value(isList: Bool) -> String {
        switch (self.isGerman, isList) {
        case (false, false): "a value"
        case (false, true): "values, separated by commas"
        case (true, false): "ein Wert"
        case (true, true): "Werte, durch Kommas getrennt"
        }
    }

    /// Several accepted inputs.
    func several(_ one: String) -> String {
        self.isGerman ? "\(one); mehrere durch Kommas getrennt" : "\(one); several separated by commas"
    }

    func oneOf(_ values: [String]) -> String {
        (self.isGerman ? "eines von " : "one of ") + values.joined(separator: ", ")
    }

    /// The bounds of values; empty where none are declared.
    func bounds(_ least: String?, _ most: String?) -> String {
        switch (least, most) {
        case (let least?, let most?): self.isGerman ? ", von \(least) bis \(most)" : ", from \(least) to \(most)"
        case (let least?, nil): self.isGerman ? ", mindestens \(least)" : ", at least \(least)"
        case (nil, let most?): self.isGerman ? ", höchstens \(most)" : ", at most \(most)"
        case (nil, nil): ""
        }
    }

    /// The accepted input for a value of a type; nil for types whose values are plain text.
    func expectation(_ typeName: String) -> String? {
        switch typeName {
        case Bool.typeName: self.isGerman ? "ja oder nein" : "yes or no"
        case Int.typeName: self.isGerman ? "eine ganze Zahl" : "a whole number"
        case Double.typeName: self.isGerman ? "eine Zahl" : "a number"
        case CalendarDate.typeName:
            self.isGerman ? "ein Tag wie 3.12., morgen oder Freitag" : "a day, such as 2026-12-03, tomorrow or Friday"
        case TimeOfDay.typeName:
            self.isGerman ? "eine Uhrzeit wie 19:30 oder 7 Uhr" : "a time, such as 19:30 or 7pm"
        case OffsetDateTime.typeName:
            self.isGerman
                ? "ein Tag und eine Uhrzeit wie 3.12. 19:30 oder morgen um 19 Uhr"
                : "a day and a time, such as 2026-12-03 19:30 or tomorrow at 7pm"
        case TimeSpan.typeName:
            self.isGerman ? "eine Dauer wie 20 min oder 1 h 30 min" : "a duration, such as 20 min or 1 h 30 min"
        case INCurrencyAmount.typeName:
            self.isGerman ? "ein Betrag mit Währung wie 12,50 €" : "an amount with its currency, such as 12.50 EUR"
        default: nil
        }
    }

    /// Frequent values of a type, for the tab key.
    func usual(_ typeName: String) -> [String] {
        switch typeName {
        case Bool.typeName: [self.yes, self.no]
        case CalendarDate.typeName: self.isGerman ? ["heute", "morgen", "übermorgen"] : ["today", "tomorrow"]
        default: []
        }
    }

    /// The reason why a word confirms nothing.
    func notYesOrNo(_ word: String) -> String {
        self.isGerman ? "'\(word)' ist weder ja noch nein" : "'\(word)' is neither yes nor no"
    }

    /// The reason why a number chooses nothing.
    func noChoice(_ number: Int, of count: Int) -> String {
        self.isGerman
            ? "die Nummer \(number) gibt es nicht: 1 bis \(count)"
            : "there is no choice \(number): choose 1 to \(count)"
    }

    /// The reason why a correction corrects nothing.
    func noParameter(_ name: String, _ hint: String) -> String {
        self.isGerman ? "es gibt keinen Parameter \(name)\(hint)" : "unknown parameter \(name)\(hint)"
    }

    package static func words(_ value: JSONValue) -> String {
        if let text = value.string { return text }
        if let elements = value.array { return elements.map(Self.words).joined(separator: ", ") }
        for key in ["displayName", "spokenPhrase", "name", "content"] {
            if let text = value[key]?.string { return text }
        }
        if let amount = value["amount"]?.string, let code = value["currencyCode"]?.string { return "\(amount) \(code)" }
        if let members = value.object {
            return members.sorted { $0.key < $1.key }.map { "\($0.key) \(Self.words($0.value))" }
                .joined(separator: ", ")
        }
        return value.description
    }
}
