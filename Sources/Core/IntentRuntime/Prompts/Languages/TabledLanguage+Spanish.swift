internal import IntentKit

extension TabledLanguage {
    static let spanish = Self(
        sentences: [
            .confirmationRequired: "¿Te refieres a {item}?", .intentConfirmation: "{title}: ¿sigo adelante?",
            .unlockRequired: "Desbloquea tu dispositivo para continuar.",
            .authenticationRequired: "Inicia sesión para continuar.",
            .retrying: "{title}: todavía no funciona. Sigo intentándolo y te diré cómo acaba.",
            .gaveUp: "{title}: lo he intentado varias veces y no ha funcionado.",
            .undoing: "{title}: estoy deshaciendo lo que ya estaba hecho.",
            .undone: "{title}: lo que ya estaba hecho se ha deshecho.",
            .undoFailed: "{title}: no se ha podido deshacer todo lo que ya estaba hecho.",
            .checking: "{title}: todavía no sé si ha funcionado. Se está comprobando y te lo diré.",
            .paused: "{title}: ahora mismo no es posible. Seguiré en cuanto lo sea y te avisaré.",
            .undecided: "{title}: no he podido averiguar si ha funcionado.", .or: "o",
        ],
        yesAndNo: ("sí", "no"),
        questions: [
            .yesOrNo: "«{parameter}», ¿sí o no?", .count: "¿Qué número quieres para «{parameter}»?",
            .number: "¿Qué número quieres para «{parameter}»?", .day: "¿Qué día quieres para «{parameter}»?",
            .time: "¿Qué hora quieres para «{parameter}»?",
            .dayAndTime: "¿Qué día y qué hora quieres para «{parameter}»?",
            .period: "¿Qué período quieres para «{parameter}»?",
            .duration: "¿Qué duración quieres para «{parameter}»?",
            .amount: "¿Qué importe quieres para «{parameter}»?", .person: "¿A quién quieres para «{parameter}»?",
            .place: "¿Qué lugar quieres para «{parameter}»?", .choice: "¿Qué quieres para «{parameter}»: {options}?",
            .anything: "¿Qué quieres para «{parameter}»?",
        ],
        anyChoice: "¿Qué quieres para «{parameter}»?",
        choice: "En «{parameter}», ¿te refieres a {options}?",
        asking: (
            [
                "adónde", "cuál", "cuáles", "cuándo", "cuánta", "cuántas", "cuánto", "cuántos", "cómo", "dónde", "qué",
                "quién", "quiénes", "si",
            ],
            "¿Me puedes decir {parameter}?"
        ),
        kinds: [
            .yesOrNo: "un sí o un no", .count: "un número entero", .number: "un número", .day: "un día",
            .time: "una hora",
            .dayAndTime: "un día con hora", .period: "un período", .duration: "una duración",
            .amount: "un importe con su moneda", .person: "una persona", .place: "un lugar",
            .choice: "una de las opciones",
            .anything: "una respuesta",
        ],
        refusals: [
            .wrongType: "No entiendo {item} como {kind}.", .notAmongValues: "No conozco {item}.",
            .tooLittle: "{item} es muy poco: {minimum} como mínimo.",
            .tooMuch: "{item} es demasiado: {maximum} como máximo.",
            .tooEarly: "{item} es demasiado pronto: {minimum} como muy pronto.",
            .tooLate: "{item} es demasiado tarde: {maximum} como muy tarde.",
            .patternMismatch: "{item} no se escribe así.",
            .currencyNotSupported: "{item} no está en la moneda correcta.",
            .other: "{item} no sirve{reason}.",
        ],
        that: "eso"
    )
}
