internal import IntentKit

extension TabledLanguage {
    static let french = Self(
        sentences: [
            .confirmationRequired: "Est-ce bien {item} ?", .intentConfirmation: "{title} : on y va ?",
            .unlockRequired: "Déverrouillez votre appareil pour continuer.",
            .authenticationRequired: "Connectez-vous pour continuer.",
            .retrying: "{title} : cela ne marche pas encore. Je réessaie et je vous dirai ce qu’il en est.",
            .gaveUp: "{title} : j’ai essayé plusieurs fois, sans succès.",
            .undoing: "{title} : j’annule ce qui a déjà été fait.",
            .undone: "{title} : ce qui avait été fait est annulé.",
            .undoFailed: "{title} : tout ce qui avait été fait n’a pas pu être annulé.",
            .checking: "{title} : je ne sais pas encore si cela a réussi. On le vérifie, et je vous le dirai.",
            .paused: "{title} : ce n’est pas possible pour le moment. Je continue dès que possible, et vous le dirai.",
            .undecided: "{title} : je n’ai pas pu savoir si cela a réussi.",
            .or: "ou",
        ],
        yesAndNo: ("oui", "non"),
        questions: [
            .yesOrNo: "« {parameter} », oui ou non ?", .count: "Quel nombre pour « {parameter} » ?",
            .number: "Quel nombre pour « {parameter} » ?", .day: "Quel jour pour « {parameter} » ?",
            .time: "Quelle heure pour « {parameter} » ?",
            .dayAndTime: "Quel jour et quelle heure pour « {parameter} » ?",
            .period: "Quelle période pour « {parameter} » ?", .duration: "Quelle durée pour « {parameter} » ?",
            .amount: "Quel montant pour « {parameter} » ?", .person: "Qui voulez-vous pour « {parameter} » ?",
            .place: "Quel lieu pour « {parameter} » ?", .choice: "Que voulez-vous pour « {parameter} » : {options} ?",
            .anything: "Que voulez-vous pour « {parameter} » ?",
        ],
        anyChoice: "Que voulez-vous pour « {parameter} » ?",
        choice: "Pour « {parameter} », est-ce {options} ?",
        asking: (
            [
                "combien", "comment", "où", "pourquoi", "quand", "que", "quel", "quelle", "quelles", "quels", "qui",
                "quoi",
                "si",
            ],
            "Pouvez-vous me dire {parameter} ?"
        ),
        kinds: [
            .yesOrNo: "un oui ou un non", .count: "un nombre entier", .number: "un nombre", .day: "un jour",
            .time: "une heure", .dayAndTime: "un jour avec une heure", .period: "une période", .duration: "une durée",
            .amount: "un montant avec sa devise", .person: "une personne", .place: "un lieu",
            .choice: "un de ces choix",
            .anything: "une réponse",
        ],
        refusals: [
            .wrongType: "Je ne lis pas {item} comme {kind}.", .notAmongValues: "Je ne connais pas {item}.",
            .tooLittle: "{item}, c'est trop peu : {minimum} au moins.",
            .tooMuch: "{item}, c'est trop : {maximum} au plus.",
            .tooEarly: "{item}, c'est trop tôt : {minimum} au plus tôt.",
            .tooLate: "{item}, c'est trop tard : {maximum} au plus tard.",
            .patternMismatch: "{item} ne s'écrit pas ainsi.",
            .currencyNotSupported: "{item} n'est pas dans la bonne devise.",
            .other: "{item} ne va pas{reason}.",
        ],
        that: "cela"
    )
}
