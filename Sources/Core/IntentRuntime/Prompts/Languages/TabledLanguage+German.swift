internal import IntentKit

extension TabledLanguage {
    static let german = Self(
        sentences: [
            .confirmationRequired: "Ist {item} gemeint?", .intentConfirmation: "{title}: soll ich das tun?",
            .unlockRequired: "Entsperre dein Gerät, damit es weitergeht.",
            .authenticationRequired: "Melde dich an, damit es weitergeht.",
            .retrying: "{title}: das klappt noch nicht. Ich versuche es weiter und sage dir, wie es ausgeht.",
            .gaveUp: "{title}: ich habe es mehrmals versucht, und es hat nicht geklappt.",
            .undoing: "{title}: ich mache rückgängig, was schon getan ist.",
            .undone: "{title}: was schon getan war, ist rückgängig gemacht.",
            .undoFailed: "{title}: nicht alles, was schon getan war, ließ sich rückgängig machen.",
            .checking: "{title}: ob das geklappt hat, ist noch nicht sicher. Es wird geprüft, und ich sage es dir.",
            .paused: "{title}: das geht gerade nicht. Ich mache weiter, sobald es geht, und sage Bescheid.",
            .undecided: "{title}: ich konnte nicht herausfinden, ob das geklappt hat.",
            .or: "oder",
        ],
        yesAndNo: ("ja", "nein"),
        questions: [
            .yesOrNo: "„{parameter}“, ja oder nein?", .count: "Welche Zahl möchtest du für „{parameter}“?",
            .number: "Welche Zahl möchtest du für „{parameter}“?", .day: "Welchen Tag möchtest du für „{parameter}“?",
            .time: "Welche Uhrzeit möchtest du für „{parameter}“?",
            .dayAndTime: "Welchen Tag und welche Uhrzeit möchtest du für „{parameter}“?",
            .period: "Welchen Zeitraum möchtest du für „{parameter}“?",
            .duration: "Welche Dauer möchtest du für „{parameter}“?",
            .amount: "Welchen Betrag möchtest du für „{parameter}“?", .person: "Wen möchtest du für „{parameter}“?",
            .place: "Welchen Ort möchtest du für „{parameter}“?",
            .choice: "Was möchtest du für „{parameter}“: {options}?", .anything: "Was möchtest du für „{parameter}“?",
        ],
        anyChoice: "Was möchtest du für „{parameter}“?",
        choice: "Was meinst du bei „{parameter}“: {options}?",
        asking: (
            [
                "wann", "warum", "was", "welche", "welchem", "welchen", "welcher", "welches", "wem", "wen", "wer",
                "wessen",
                "wie", "wo", "woher", "wohin", "ob",
            ],
            "Sagst du mir, {parameter}?"
        ),
        kinds: [
            .yesOrNo: "Ja oder Nein", .count: "ganze Zahl", .number: "Zahl", .day: "Tag", .time: "Uhrzeit",
            .dayAndTime: "Tag mit Uhrzeit", .period: "Zeitraum", .duration: "Dauer", .amount: "Betrag mit Währung",
            .person: "Person", .place: "Ort", .choice: "Auswahl", .anything: "Antwort",
        ],
        refusals: [
            .wrongType: "Mit {item} als {kind} kann ich nichts anfangen.", .notAmongValues: "{item} kenne ich nicht.",
            .tooLittle: "{item} ist zu wenig: mindestens {minimum}.",
            .tooMuch: "{item} ist zu viel: höchstens {maximum}.",
            .tooEarly: "{item} ist zu früh: frühestens {minimum}.",
            .tooLate: "{item} ist zu spät: spätestens {maximum}.",
            .patternMismatch: "{item} ist nicht so geschrieben, wie es sein muss.",
            .currencyNotSupported: "{item} ist die falsche Währung.", .other: "{item} geht nicht{reason}.",
        ],
        that: "das"
    )
}
