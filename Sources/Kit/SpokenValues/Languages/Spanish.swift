extension Language {
    static let spanish = Self(
        code: "es",
        phrases: Self.spanishNumbers + Self.spanishOrdinals + Self.spanishCalendar + Self.spanishClock
            + Self.spanishMoney + Self.spanishHolidays,
        yes: """






            sí|si|s|claro|claro que sí|vale|ok
            okay
            por supuesto
            de acuerdo
            desde luego
            sí por favor
            por favor
            seguro
            cierto
            verdadero
            correcto
            exacto|adelante|bueno
            está bien






            """,
        no: """






            no|n|no gracias|para nada|nunca
            jamás
            falso
            en absoluto
            mejor no
            claro que no






            """,
        habits: Habits(
            saysSums: true,
            nextWeekdayIsInNextWeek: true,
            saysMinutesAfterHour: true,
            saysSelectionAfterName: true,
            marks: NumberMarks(decimal: ",", groups: [".", " "])
        ),
        parts: [
            .morning: PartHours(4, 12), .forenoon: PartHours(9, 12), .lunch: PartHours(12, 15),
            .afternoon: PartHours(12, 21), .evening: PartHours(18, 24), .night: PartHours(18, 24),
            .day: PartHours(8, 18), .beforeLunch: PartHours(10, 13), .afterLunch: PartHours(15, 18),
            .afterWork: PartHours(17, 21),
        ],
        sayings: .spanish
    )

    private static let spanishNumbers: [(Meaning, String)] = [
        (.number(0), "cero|zero"), (.number(1), "uno|un|una"), (.number(2), "dos"), (.vague(2), "par de|un par de"),
        (.number(3), "tres|trés"), (.number(4), "cuatro"), (.number(5), "cinco"), (.number(6), "seis|séis"),
        (.number(7), "siete"), (.number(8), "ocho"), (.number(9), "nueve"), (.number(10), "diez"),
        (.number(11), "once"), (.number(12), "doce"), (.number(13), "trece"), (.number(14), "catorce"),
        (.number(15), "quince"), (.number(16), "dieciséis|diesiséis"), (.number(17), "diecisiete"),
        (.number(18), "dieciocho"), (.number(19), "diecinueve"), (.number(20), "veinte"),
        (.number(21), "veintiuno|veintiún|veintiuna"), (.number(22), "veintidós"), (.number(23), "veintitrés"),
        (.number(24), "veinticuatro"), (.number(25), "veinticinco"), (.number(26), "veintiséis"),
        (.number(27), "veintisiete"), (.number(28), "veintiocho"), (.number(29), "veintinueve"),
        (.number(30), "treinta"), (.number(40), "cuarenta"), (.number(50), "cincuenta"), (.number(60), "sesenta"),
        (.number(70), "setenta"), (.number(80), "ochenta"), (.number(90), "noventa"), (.number(100), "cien|ciento"),
        (.number(200), "doscientos|doscientas|dos cientos"), (.number(300), "trescientos|trescientas"),
        (.number(400), "cuatrocientos|cuatrocientas"), (.number(500), "quinientos|quinientas"),
        (.number(600), "seiscientos|seiscientas"), (.number(700), "setecientos|setecientas"),
        (.number(800), "ochocientos|ochocientas"), (.number(900), "novecientos|novecientas"),
        (.scale(12), "docena|docenas"), (.scale(1_000), "mil"),
        (.scale(1_000_000), "millón|millones|millón de|millones de"), (.scale(1_000_000_000_000), "billón|billones"),
        (.ordinalMark, "º|ª|o|a|er|ero|do|da|ra|ro"), (.fraction(2), "medio|media"),
        (.fraction(4), "cuarto|cuartos|un cuarto"), (.fraction(3), "tercio|tercios"), (.fraction(5), "quintos"),
        (.fraction(8), "octavos"), (.decimalPoint, "punto|coma|con"), (.minus, "menos|negativo"), (.and, "y|e"),
    ]

    private static let spanishOrdinals: [(Meaning, String)] = {
        let stems = [
            "primer", "segund", "tercer", "cuart", "quint", "sext", "séptim", "octav", "noven", "décim", "undécim",
            "duodécim",
        ]
        let endings = stems.enumerated()
            .map { index, stem -> (Meaning, String) in
                (.ordinal(index + 1), ["o", "a", "os", "as"].map { stem + $0 }.joined(separator: "|"))
            }
        return endings + [(.ordinal(1), "primer"), (.ordinal(3), "tercer"), (.ordinal(20), "vigésimo|vigésima")]
    }()

    private static let spanishCalendar: [(Meaning, String)] = [
        (.weekdays(6), "sábados"), (.weekdays(7), "domingos"), (.lasting, "durante|por"), (.weekday(1), "lunes|lun|lu"),
        (.weekday(2), "martes|mar|ma"), (.weekday(3), "miércoles|mié|mier|mx|mie"), (.weekday(4), "jueves|jue"),
        (.weekday(5), "viernes|vie"), (.weekday(6), "sábado|sáb"), (.weekday(7), "domingo|dom"),
        (.month(1), "enero|ene"), (.month(2), "febrero|feb"), (.month(3), "marzo|mar"), (.month(4), "abril|abr"),
        (.month(5), "mayo|may"), (.month(6), "junio|jun"), (.month(7), "julio|jul"), (.month(8), "agosto|ago"),
        (.month(9), "septiembre|setiembre|sept|sep|set"), (.month(10), "octubre|oct"), (.month(11), "noviembre|nov"),
        (.month(12), "diciembre|dic"), (.season(.any), "temporada|estación"), (.season(.spring), "primavera"),
        (.season(.summer), "verano"), (.season(.autumn), "otoño"), (.season(.winter), "invierno"),
        (.unit(.second), "segundo|segundos|seg"), (.unit(.minute), "minuto|minutos|mins"),
        (.unit(.hour), "hora|horas|hs"), (.unit(.day), "día|días"), (.unit(.week), "semana|semanas"),
        (.unit(.fortnight), "quincena"), (.unit(.month), "mes|meses"), (.unit(.quarter), "trimestre|trimestres"),
        (.unit(.year), "año|años|ano|anos"), (.weekend, "fin de semana|weekend|finde"),
        (.relativeDay(0), "hoy|en este momento"), (.relativeDay(1), "mañana"), (.relativeDay(2), "pasado mañana"),
        (.relativeDay(-1), "ayer"), (.relativeDay(-2), "anteayer|antier|antes de ayer"),
        (.now, "ahora|ya|ahorita|cuanto antes|ahora mismo|justo ahora"), (.select(.this), "este|esta|estos|estas"),
        (.select(.next), "próximo|próxima|próximos|próximas|que viene|que vienen|siguiente|siguientes|entrante"),
        (.select(.last), "pasado|pasada|pasados|pasadas|último|última|últimos|últimas|anterior"),
        (.edge(.early), "principio|principios|principio de|principios de|comienzo de|inicio de|temprano"),
        (.edge(.early), "a principios de"), (.edge(.middle), "mediados|mediados de|a mediados de"),
        (.edge(.late), "fin de|final|final de|finales|finales de|fines de|a finales de"), (.ago, "hace"),
        (.fromNow, "después|más tarde"), (.within, "dentro de los próximos|en los próximos"),
        (.inside, "en|durante|dentro de|de aquí a"), (.at, "a las|a la|las|la|al las|para las|a"),
        (.on, "el|al|para el|día|el día"), (.the, "el|los|lo"), (.of, "de|del|de la"),
        (.about, "sobre|aproximadamente|alrededor de|cerca de|hacia|más o menos|casi|exactamente|en punto|pero"),
        (.from, "de|del|desde|a partir de|a partir del"), (.between, "entre"),
        (.to, "a|al|hasta|hasta el|y|a las|hasta las"),
        (.after, "después de|a partir de|desde|tras|a partir del|después del"), (.before, "antes de|antes del"),
        (.until, "hasta|hasta el|hasta las"), (.latest, "como muy tarde|a más tardar"),
    ]

    private static let spanishClock: [(Meaning, String)] = [
        (.part(.morning), "mañana|mañanas|de la mañana|en la mañana|por la mañana|de la madrugada|madrugada"),
        (.part(.lunch), "mediodía|del mediodía"),
        (.part(.afternoon), "tarde|tardes|de la tarde|en la tarde|por la tarde"),
        (.part(.night), "noche|noches|de la noche|en la noche|por la noche"), (.part(.afterLunch), "después de comer"),
        (.part(.afterWork), "después del trabajo"), (.hourMark, "hora|horas|h|hs"), (.noon, "mediodía|medio día"),
        (.midnight, "medianoche|media noche"), (.past, "y|con"), (.upTo, "menos"), (.half(.morning), "am|a m"),
        (.half(.afternoon), "pm|p m"),
    ]

    private static let spanishMoney: [(Meaning, String)] = [
        (.dollar, "dólar|dólares|dollars|dollar"), (.currency("USD"), "dólares americanos|dólares estadounidenses"),
        (.currency("EUR"), "euro|euros"), (.currency("GBP"), "libra|libras|libras esterlinas|pound|pounds"),
        (.currency("CHF"), "franco|francos|francos suizos"), (.currency("JPY"), "yen|yenes"),
        (.currency("CNY"), "yuan|yuanes"), (.currency("MXN"), "peso|pesos|pesos mexicanos"),
        (.currency("ARS"), "pesos argentinos"), (.currency("CLP"), "pesos chilenos"),
        (.currency("COP"), "pesos colombianos"), (.currency("PEN"), "soles|sol"), (.currency("BRL"), "reales"),
        (.cents(nil), "céntimo|céntimos|centavo|centavos|cent|cents"),
    ]

    private static let spanishHolidays: [(Meaning, String)] = [
        (.holiday(.fixed(month: 12, day: 25)), "navidad|día de navidad"),
        (.holiday(.fixed(month: 12, day: 24)), "nochebuena"),
        (.holiday(.fixed(month: 12, day: 31)), "nochevieja|noche vieja|fin de año"),
        (.holiday(.fixed(month: 1, day: 1)), "año nuevo|ano nuevo|día de año nuevo"),
        (.holiday(.fixed(month: 1, day: 6)), "reyes|día de reyes|epifanía"),
        (.holiday(.fixed(month: 2, day: 14)), "san valentín|día de san valentín"),
        (.holiday(.fixed(month: 5, day: 1)), "día del trabajo|día del trabajador"),
        (.holiday(.fixed(month: 8, day: 15)), "asunción"),
        (.holiday(.fixed(month: 10, day: 12)), "día de la hispanidad"),
        (.holiday(.fixed(month: 10, day: 31)), "halloween"),
        (.holiday(.fixed(month: 11, day: 1)), "todos los santos|día de todos los santos"),
        (.holiday(.fixed(month: 12, day: 6)), "día de la constitución"),
        (.regionalHoliday(.mothersDay), "día de la madre"), (.regionalHoliday(.fathersDay), "día del padre"),
        (.regionalHoliday(.independenceDay), "día de la independencia"),
        (.regionalHoliday(.nationalDay), "fiesta nacional"),
        (.holiday(.fixed(month: 12, day: 28)), "día de los inocentes|santos inocentes"),
        (.holiday(.easter(0)), "pascua|domingo de pascua|domingo de resurrección"),
        (.holiday(.easter(1)), "lunes de pascua"), (.holiday(.easter(-2)), "viernes santo"),
        (.holiday(.easter(-3)), "jueves santo"), (.holiday(.easter(-7)), "domingo de ramos"),
        (.holiday(.easter(-46)), "miércoles de ceniza"), (.holiday(.easter(49)), "pentecostés"),
    ]
}
