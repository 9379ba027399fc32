internal import IntentKit

/// What intentd says when nobody has told it better.
enum BuiltInSentences {
    /// The languages that it speaks, by their tags.
    static let languages: [String: PromptTexts.Language] = [
        "en": Self.language([
            .needsValue: "What should the {parameter} be?",
            .needsTitled: "I still need: {parameter}.",
            .disambiguation: "Which {parameter} do you mean: {options}?",
            .confirmationRequired: "Do you mean {item}?",
            .unsupported: "{item} can't be used as {parameter}{reason}. What should it be?",
            .intentConfirmation: "{title}: shall I go on?",
            .unlockRequired: "Unlock your device to go on.",
            .authenticationRequired: "Sign in to go on.",
            .or: "or",
        ]),
        "de": Self.language(
            [
                .needsValue: "Welchen Wert soll „{parameter}“ haben?",
                .needsTitled: "Ich brauche noch: {parameter}.",
                .disambiguation: "Was ist bei „{parameter}“ gemeint: {options}?",
                .confirmationRequired: "Ist {item} gemeint?",
                .unsupported: "{item} geht bei „{parameter}“ nicht{reason}. Was soll es sein?",
                .intentConfirmation: "{title}: soll ich das tun?",
                .unlockRequired: "Entsperre dein Gerät, damit es weitergeht.",
                .authenticationRequired: "Melde dich an, damit es weitergeht.",
                .or: "oder",
            ],
            reasons: [
                "wrongType": "das ist etwas anderes",
                "notAmongValues": "das kenne ich nicht",
                "belowMinimum": "zu wenig",
                "aboveMaximum": "zu viel",
                "patternMismatch": "so wird es nicht geschrieben",
                "currencyNotSupported": "andere Währung",
            ]
        ),
        "fr": Self.language(
            [
                .needsValue: "Quelle valeur pour « {parameter} » ?",
                .needsTitled: "Il me manque : {parameter}.",
                .disambiguation: "Pour « {parameter} », est-ce {options} ?",
                .confirmationRequired: "Est-ce bien {item} ?",
                .unsupported: "{item} ne va pas pour « {parameter} »{reason}. Que faut-il mettre ?",
                .intentConfirmation: "{title} : on y va ?",
                .unlockRequired: "Déverrouillez votre appareil pour continuer.",
                .authenticationRequired: "Connectez-vous pour continuer.",
                .or: "ou",
            ],
            reasons: [
                "wrongType": "ce n'est pas du même genre",
                "notAmongValues": "je ne connais pas",
                "belowMinimum": "trop peu",
                "aboveMaximum": "trop",
                "patternMismatch": "cela ne s'écrit pas ainsi",
                "currencyNotSupported": "autre monnaie",
            ]
        ),
        "es": Self.language(
            [
                .needsValue: "¿Qué valor pongo en «{parameter}»?",
                .needsTitled: "Todavía me falta: {parameter}.",
                .disambiguation: "En «{parameter}», ¿te refieres a {options}?",
                .confirmationRequired: "¿Te refieres a {item}?",
                .unsupported: "{item} no sirve para «{parameter}»{reason}. ¿Qué pongo?",
                .intentConfirmation: "{title}: ¿sigo adelante?",
                .unlockRequired: "Desbloquea tu dispositivo para continuar.",
                .authenticationRequired: "Inicia sesión para continuar.",
                .or: "o",
            ],
            reasons: [
                "wrongType": "es otra cosa",
                "notAmongValues": "no lo conozco",
                "belowMinimum": "muy poco",
                "aboveMaximum": "demasiado",
                "patternMismatch": "no se escribe así",
                "currencyNotSupported": "otra moneda",
            ]
        ),
    ]

    /// What it says in a language; nil when it does not speak it.
    static func language(_ locale: String) -> PromptTexts.Language? {
        Self.languages[String(locale.prefix { $0 != "-" && $0 != "_" }).lowercased()]
    }

    /// What it says to everybody else.
    static let english = Self.languages["en"]!

    // Why declared parameters do not take a value: in English their names say it.
    private static func language(
        _ sentences: [PromptSentence: String],
        reasons: [String: String] = [:]
    ) -> PromptTexts.Language {
        var language = PromptTexts.Language()
        language.sentences = sentences
        language.reasons = reasons
        return language
    }
}
