extension Language {
    static let german = Self(
        code: "de",
        phrases: Self.germanNumbers + Self.germanOrdinals + Self.germanCalendar + Self.germanClock + Self.germanMoney
            + Self.germanHolidays,
        yes: """






            ja|j|jo|jep|jawohl|klar|na klar|gerne|gern|ja gerne
            ja bitte
            bitte
            ok
            okay
            in ordnung
            natürlich
            sicher
            stimmt
            richtig
            genau
            wahr
            an
            auf jeden fall
            selbstverständlich
            einverstanden
            passt
            mach das






            """,
        no: """






            nein|n|nee|ne|nö|nein danke|nicht
            auf keinen fall
            keinesfalls
            falsch
            aus
            lieber nicht
            bitte nicht
            niemals
            nie






            """,
        habits: Habits(saysUnitsBeforeTens: true, saysQuarterOfHour: true),
        parts: [
            .morning: PartHours(3, 12, early: (3, 9)), .forenoon: PartHours(8, 12), .lunch: PartHours(12, 14),
            .afternoon: PartHours(12, 19, early: (12, 15), late: (15, 19)),
            .evening: PartHours(18, 24, early: (18, 21), late: (21, 24)), .night: PartHours(22, 30),
            .day: PartHours(8, 18), .beforeLunch: PartHours(10, 12), .afterLunch: PartHours(13, 17),
            .afterWork: PartHours(17, 21),
        ],
        sayings: .german
    )

    private static let germanNumbers: [(Meaning, String)] = [
        (.number(0), "null|kein|keine|keiner|keinen"), (.number(1), "eins|ein|eine|einen|einer|einem|eines"),
        (.number(2), "zwei|zwo"), (.vague(2), "paar|ein paar|einem paar|einigen"), (.number(3), "drei"),
        (.number(4), "vier"), (.number(5), "fünf"), (.number(6), "sechs"), (.number(7), "sieben"), (.number(8), "acht"),
        (.number(9), "neun"), (.number(10), "zehn"), (.number(11), "elf"), (.number(12), "zwölf|dutzend|ein dutzend"),
        (.number(13), "dreizehn"), (.number(14), "vierzehn"), (.number(15), "fünfzehn"), (.number(16), "sechzehn"),
        (.number(17), "siebzehn"), (.number(18), "achtzehn"), (.number(19), "neunzehn"), (.number(20), "zwanzig"),
        (.number(30), "dreißig"), (.number(40), "vierzig"), (.number(50), "fünfzig"), (.number(60), "sechzig"),
        (.number(70), "siebzig"), (.number(80), "achtzig"), (.number(90), "neunzig"), (.scale(100), "hundert"),
        (.scale(1_000), "tausend"), (.scale(1_000_000), "million|millionen|mio"),
        (.scale(1_000_000_000), "milliarde|milliarden|mrd"), (.scale(1_000_000_000_000), "billion|billionen"),
        (.scale(1_000_000_000_000_000), "billiarde|billiarden"),
        (.scale(1_000_000_000_000_000_000), "trillion|trillionen"), (.ordinalMark, "ter|te|ten|tes|ster|ste|sten|stes"),
        (.fraction(2), "halb|halbe|halben|halber|halbes"), (.fraction(4), "viertel"), (.fraction(3), "drittel"),
        (.fraction(5), "fünftel"), (.fraction(8), "achtel"), (.fraction(10), "zehntel"),
        (.halves(3), "anderthalb|eineinhalb|ein einhalb"), (.halves(5), "zweieinhalb|zwei einhalb|zwei ein halb"),
        (.halves(7), "dreieinhalb"), (.halves(9), "viereinhalb"), (.halves(11), "fünfeinhalb"),
        (.decimalPoint, "komma"), (.minus, "minus|negativ"), (.and, "und"),
    ]

    private static let germanOrdinals: [(Meaning, String)] = {
        let stems = [
            "erst", "zweit", "dritt", "viert", "fünft", "sechst", "siebt", "acht", "neunt", "zehnt", "elft", "zwölft",
            "dreizehnt", "vierzehnt", "fünfzehnt", "sechzehnt", "siebzehnt", "achtzehnt", "neunzehnt", "zwanzigst",
        ]
        let all =
            stems.enumerated().map { ($0 + 1, $1) } + [
                (30, "dreißigst"), (40, "vierzigst"), (50, "fünfzigst"), (60, "sechzigst"), (70, "siebzigst"),
                (80, "achtzigst"), (90, "neunzigst"), (7, "siebent"), (100, "hundertst"),
            ]
        return all.map { value, stem in
            (.ordinal(value), ["e", "er", "en", "es", "em"].map { stem + $0 }.joined(separator: "|"))
        }
    }()

    private static let germanCalendar: [(Meaning, String)] = [
        (.weekdays(1), "montage"), (.weekdays(2), "dienstage"), (.weekdays(3), "mittwoche"),
        (.weekdays(4), "donnerstage"), (.weekdays(5), "freitage"), (.weekdays(6), "samstage"),
        (.weekdays(7), "sonntage"), (.lasting, "für"), (.weekday(1), "montag|mo"), (.weekday(2), "dienstag|di"),
        (.weekday(3), "mittwoch|mi"), (.weekday(4), "donnerstag|do"), (.weekday(5), "freitag|fr"),
        (.weekday(6), "samstag|sonnabend|sa"), (.weekday(7), "sonntag|so"), (.month(1), "januar|jänner|jan"),
        (.month(2), "februar|feber|feb"), (.month(3), "märz|mrz"), (.month(4), "april|apr"), (.month(5), "mai"),
        (.month(6), "juni|jun|juno"), (.month(7), "juli|jul"), (.month(8), "august|aug"),
        (.month(9), "september|sept|sep"), (.month(10), "oktober|okt|oct"), (.month(11), "november|nov"),
        (.month(12), "dezember|dez"), (.season(.any), "jahreszeit"), (.season(.spring), "frühling|frühjahr"),
        (.season(.summer), "sommer"), (.season(.autumn), "herbst"), (.season(.winter), "winter"),
        (.unit(.second), "sekunde|sekunden|sek"), (.unit(.minute), "minute|minuten"),
        (.unit(.hour), "stunde|stunden|std|stdn"), (.unit(.day), "tag|tage|tagen|tages|d"),
        (.unit(.week), "woche|wochen|w"), (.unit(.month), "monat|monate|monaten|monats"),
        (.unit(.quarter), "quartal|quartals|quartale|quartalen"), (.unit(.year), "jahr|jahre|jahren|jahres"),
        (.weekend, "wochenende|wochenendes|weekend"), (.relativeDay(0), "heute|heut|zu dieser zeit"),
        (.relativeDay(1), "morgen"), (.relativeDay(2), "übermorgen"), (.relativeDay(3), "überübermorgen"),
        (.relativeDay(-1), "gestern"), (.relativeDay(-2), "vorgestern"), (.relativeDay(-3), "vorvorgestern"),
        (.now, "jetzt|sofort|gleich jetzt|genau jetzt|gerade eben"),
        (.select(.this), "diese|dieser|diesen|dieses|diesem"),
        (.select(.next), "nächste|nächster|nächsten|nächstes|nächstem|kommende|kommenden|kommender|kommendes"),
        (.select(.last), "letzte|letzter|letzten|letztes|letztem|vergangene|vergangenen|vergangener|vergangenes"),
        (.select(.last), "vorige|vorigen|voriges|voriger"),
        (.select(.afterNext), "übernächste|übernächster|übernächsten|übernächstes|nach dem nächsten"),
        (.edge(.early), "anfang|beginn|früh|früher|frühen|anfang des|anfang der"),
        (.edge(.middle), "mitte|mitte des|mitte der"), (.edge(.late), "ende|später|späten|spät|ende des|ende der"),
        (.ago, "vor"), (.within, "binnen|innerhalb|innerhalb von|in den nächsten"), (.inside, "in|im|während"),
        (.at, "um|zur"), (.on, "am|an|zum|zu|den|dem|des"), (.the, "der|die|das"), (.of, "von|vom"),
        (.about, "zirka|circa|ca|ungefähr|gegen|etwa|in etwa|so|genau|exakt|pünktlich|rund|kurz|jeweils|nur|aber|noch"),
        (.from, "von|vom|ab|seit|seit dem"), (.since, "seit|seit dem"), (.between, "zwischen"),
        (.to, "bis|bis zum|bis zur|auf den|bis um"), (.after, "nach|ab"), (.before, "vor|aber vor"),
        (.until, "bis|bis zum|bis zur|bis um"), (.earliest, "frühestens|frühstens|ab"), (.latest, "spätestens"),
    ]

    private static let germanClock: [(Meaning, String)] = [
        (.part(.morning), "morgen|morgens|in der früh|früh|frühmorgens|des morgens"),
        (.part(.forenoon), "vormittag|vormittags"), (.part(.lunch), "mittag|mittags|mittagszeit"),
        (.part(.afternoon), "nachmittag|nachmittags"), (.part(.evening), "abend|abends"),
        (.part(.night), "nacht|nachts"), (.part(.afterLunch), "nach dem mittagessen"),
        (.part(.beforeLunch), "vor dem mittagessen"), (.part(.afterWork), "nach der arbeit"), (.hourMark, "uhr|h"),
        (.noon, "mittag|mittags|zwölf uhr mittags"), (.midnight, "mitternacht|mitternachts"), (.past, "nach"),
        (.upTo, "vor"), (.halfBefore, "halb"),
        // "am" is a preposition.
        (.half(.morning), "a m"), (.half(.afternoon), "pm|p m"),
    ]

    private static let germanMoney: [(Meaning, String)] = [
        (.dollar, "dollar|dollars"), (.currency("USD"), "us dollar"), (.currency("EUR"), "euro|euros"),
        (.currency("GBP"), "pfund|pfund sterling"), (.currency("CHF"), "franken|schweizer franken|fr"),
        (.currency("JPY"), "yen"), (.currency("CNY"), "yuan"), (.currency("INR"), "rupie|rupien"),
        (.currency("RUB"), "rubel"), (.currency("PLN"), "zloty"), (.currency("CZK"), "tschechische kronen"),
        (.currency("SEK"), "schwedische kronen"), (.currency("DKK"), "dänische kronen"),
        (.currency("NOK"), "norwegische kronen"), (.cents(nil), "cent|cents|ct|rappen|pfennig|pence"),
    ]

    private static let germanHolidays: [(Meaning, String)] = [
        (.holiday(.fixed(month: 12, day: 25)), "weihnachten|weihnachtstag|erster weihnachtstag|ersten weihnachtstag"),
        (.holiday(.fixed(month: 12, day: 25)), "erster weihnachtsfeiertag"),
        (.holiday(.fixed(month: 12, day: 26)), "zweiter weihnachtstag|zweiten weihnachtstag"),
        (.holiday(.fixed(month: 12, day: 26)), "zweiter weihnachtsfeiertag|stephanstag"),
        (.holiday(.fixed(month: 12, day: 24)), "heiligabend|heiliger abend|weihnachtsabend"),
        (.holiday(.fixed(month: 12, day: 31)), "silvester"),
        (.holiday(.fixed(month: 1, day: 1)), "neujahr|neujahrstag"),
        (.holiday(.fixed(month: 1, day: 6)), "heilige drei könige|dreikönigstag"),
        (.holiday(.fixed(month: 2, day: 14)), "valentinstag"),
        (.holiday(.fixed(month: 5, day: 1)), "tag der arbeit|maifeiertag"),
        (.holiday(.fixed(month: 8, day: 1)), "schweizer bundesfeiertag|bundesfeiertag"),
        (.holiday(.fixed(month: 10, day: 3)), "tag der deutschen einheit|tag der einheit"),
        (.holiday(.fixed(month: 10, day: 26)), "österreichischer nationalfeiertag"),
        (.holiday(.fixed(month: 10, day: 31)), "halloween|reformationstag"),
        (.holiday(.fixed(month: 11, day: 1)), "allerheiligen|allerheiligentag"),
        (.holiday(.fixed(month: 11, day: 2)), "allerseelen"), (.holiday(.fixed(month: 11, day: 11)), "martinstag"),
        (.holiday(.fixed(month: 12, day: 6)), "nikolaus|nikolaustag"), (.regionalHoliday(.mothersDay), "muttertag"),
        (.regionalHoliday(.fathersDay), "vatertag"), (.regionalHoliday(.nationalDay), "nationalfeiertag"),
        (.holiday(.nth(4, weekday: 4, month: 11, plus: 1)), "black friday"),
        (.holiday(.easter(0)), "ostern|ostersonntag"), (.holiday(.easter(1)), "ostermontag"),
        (.holiday(.easter(-2)), "karfreitag|stiller freitag|hoher freitag"),
        (.holiday(.easter(-1)), "karsamstag|stiller samstag|karsonnabend"),
        (.holiday(.easter(-3)), "gründonnerstag|hoher donnerstag|heiliger donnerstag|weißer donnerstag|palmdonnerstag"),
        (.holiday(.easter(-7)), "palmsonntag"), (.holiday(.easter(-46)), "aschermittwoch|aschertag|aschetag"),
        (.holiday(.easter(-47)), "fastnacht|fastnachtsdienstag|faschingsdienstag|mardi gras"),
        (.holiday(.easter(-48)), "rosenmontag"),
        (.holiday(.easter(39)), "christi himmelfahrt|himmelfahrt|himmelfahrtstag"),
        (.holiday(.easter(49)), "pfingsten|pfingstsonntag|pentecost"),
        (.holiday(.easter(50)), "pfingstmontag|pentecost montag"),
        (.holiday(.easter(56)), "dreifaltigkeitssonntag|dreifaltigkeitsfest|trinitatis|goldener sonntag"),
        (.holiday(.easter(60)), "fronleichnam|corpus christi"),
        (.holiday(.orthodoxEaster(0)), "orthodoxer ostersonntag|orthodoxes osterfest"),
        (.holiday(.orthodoxEaster(1)), "orthodoxer ostermontag"),
        (.holiday(.orthodoxEaster(-1)), "orthodoxer karsamstag"),
        (.holiday(.orthodoxEaster(-2)), "orthodoxer karfreitag"),
        (.holiday(.orthodoxEaster(-7)), "orthodoxer palmsonntag"), (.holiday(.orthodoxEaster(-8)), "lazarus samstag"),
        (.holiday(.orthodoxEaster(-48)), "aschermontag|reiner montag|sauberer montag"),
        (.holiday(.advent(4)), "erster advent"), (.holiday(.advent(3)), "zweiter advent"),
        (.holiday(.advent(2)), "dritter advent"), (.holiday(.advent(1)), "vierter advent"),
    ]
}
