extension Language {
    static let english = Self(
        code: "en",
        phrases: Self.englishNumbers + Self.englishCalendar + Self.englishClock + Self.englishMoney
            + Self.englishHolidays,
        yes: """






            yes|y|yep|yeah|yup|sure|ok|okay|true|on
            of course
            certainly
            absolutely
            definitely
            correct
            right
            yes please
            please do
            go ahead
            do it
            fine
            sounds good
            that's right
            affirmative
            aye






            """,
        no: """






            no|n|nope|nah|false|off|no thanks|no thank you
            never
            not at all
            don't
            do not
            negative
            rather not
            please don't






            """,
        habits: Habits(
            writesTwentyFourHours: false,
            nextWeekdayIsInNextWeek: true,
            saysHalfForHalfPast: true,
            saysPairs: true,
            marks: NumberMarks(decimal: ".", groups: [","])
        ),
        parts: [
            .morning: PartHours(0, 12, early: (0, 9), late: (9, 12)), .forenoon: PartHours(9, 12),
            .lunch: PartHours(12, 14), .afternoon: PartHours(12, 19, early: (12, 15), late: (15, 19)),
            .evening: PartHours(18, 24, early: (18, 21), late: (21, 24)), .night: PartHours(18, 24, late: (21, 24)),
            .day: PartHours(8, 18), .beforeLunch: PartHours(10, 12), .afterLunch: PartHours(13, 17),
            .afterWork: PartHours(17, 21), .afterSchool: PartHours(15, 21),
        ],
        sayings: .english
    )

    private static let englishNumbers: [(Meaning, String)] = [
        (.number(0), "zero|naught|nought|nil|oh|o|ou"), (.number(1), "one"), (.vague(1), "a|an|single"),
        (.number(2), "two"), (.vague(2), "couple|a couple|a couple of|couple of|pair|a pair|a pair of"),
        (.number(3), "three"), (.vague(3), "few|a few"), (.number(4), "four"), (.number(5), "five"),
        (.number(6), "six"), (.number(7), "seven"), (.number(8), "eight"), (.number(9), "nine"), (.number(10), "ten"),
        (.number(11), "eleven"), (.number(12), "twelve"), (.number(13), "thirteen"), (.number(14), "fourteen"),
        (.number(15), "fifteen"), (.number(16), "sixteen"), (.number(17), "seventeen"), (.number(18), "eighteen"),
        (.number(19), "nineteen"), (.number(20), "twenty"), (.number(30), "thirty"), (.number(40), "forty|fourty"),
        (.number(50), "fifty"), (.number(60), "sixty"), (.number(70), "seventy"), (.number(80), "eighty"),
        (.number(90), "ninety"), (.scale(12), "dozen|dozens|dozen of"), (.scale(100), "hundred|hundreds"),
        (.scale(1_000), "thousand|thousands"), (.scale(100_000), "lakh|lakhs|lkh|lkhs|lac|lacs"),
        (.scale(10_000_000), "crore|crores|cr|koti|krore|krores|kr"), (.scale(1_000_000), "million|millions|mn"),
        (.scale(1_000_000_000), "billion|billions|bn"), (.scale(1_000_000_000_000), "trillion|trillions"),
        (.scale(100_000), "l"), (.ordinal(1), "first"), (.ordinal(2), "second"), (.ordinal(3), "third"),
        (.ordinal(4), "fourth"), (.ordinal(5), "fifth"), (.ordinal(6), "sixth"), (.ordinal(7), "seventh"),
        (.ordinal(8), "eighth"), (.ordinal(9), "ninth"), (.ordinal(10), "tenth"), (.ordinal(11), "eleventh"),
        (.ordinal(12), "twelfth"), (.ordinal(13), "thirteenth"), (.ordinal(14), "fourteenth"),
        (.ordinal(15), "fifteenth"), (.ordinal(16), "sixteenth"), (.ordinal(17), "seventeenth"),
        (.ordinal(18), "eighteenth"), (.ordinal(19), "nineteenth"), (.ordinal(20), "twentieth"),
        (.ordinal(30), "thirtieth"), (.ordinal(40), "fortieth"), (.ordinal(50), "fiftieth"), (.ordinal(60), "sixtieth"),
        (.ordinal(70), "seventieth"), (.ordinal(80), "eightieth"), (.ordinal(90), "ninetieth"),
        (.ordinal(100), "hundredth"), (.ordinalMark, "st|nd|rd|th"), (.fraction(2), "half|half a|half an"),
        (.fraction(4), "quarter|quarters"), (.fraction(3), "third|thirds"), (.fraction(5), "fifths"),
        (.fraction(8), "eighths"), (.fraction(10), "tenths"), (.decimalPoint, "point|dot"), (.minus, "minus|negative"),
        (.and, "and"),
    ]

    private static let englishCalendar: [(Meaning, String)] = [
        (.weekdays(1), "mondays"), (.weekdays(2), "tuesdays"), (.weekdays(3), "wednesdays"),
        (.weekdays(4), "thursdays"), (.weekdays(5), "fridays"), (.weekdays(6), "saturdays"), (.weekdays(7), "sundays"),
        (.lasting, "for"), (.weekday(1), "monday|mon"), (.weekday(2), "tuesday|tue|tues"),
        (.weekday(3), "wednesday|wed|weds"), (.weekday(4), "thursday|thu|thur|thurs"), (.weekday(5), "friday|fri"),
        (.weekday(6), "saturday|sat"), (.weekday(7), "sunday|sun"), (.month(1), "january|jan"),
        (.month(2), "february|feb"), (.month(3), "march|mar"), (.month(4), "april|apr"), (.month(5), "may"),
        (.month(6), "june|jun"), (.month(7), "july|jul"), (.month(8), "august|aug"), (.month(9), "september|sept|sep"),
        (.month(10), "october|oct"), (.month(11), "november|nov"), (.month(12), "december|dec"),
        (.season(.any), "season|seasons"), (.season(.spring), "spring"), (.season(.summer), "summer"),
        (.season(.autumn), "autumn|fall"), (.season(.winter), "winter"), (.unit(.second), "second|seconds|sec|secs"),
        (.unit(.minute), "minute|minutes|mins"), (.unit(.hour), "hour|hours|hr|hrs"), (.unit(.day), "day|days|d"),
        (.unit(.week), "week|weeks|wk|wks|w"), (.unit(.fortnight), "fortnight|fortnights"),
        (.unit(.month), "month|months"), (.unit(.quarter), "quarter|quarters|qtr|qtrs"),
        (.unit(.year), "year|years|yr|yrs"), (.weekend, "weekend|week end|weekends|wkend"),
        (.relativeDay(0), "today|this day|at this time"), (.relativeDay(1), "tomorrow|tomorrows|tmrw|tmr"),
        (.relativeDay(2), "day after tomorrow"), (.relativeDay(-1), "yesterday"),
        (.relativeDay(-2), "day before yesterday"),
        (.now, "now|right now|asap|as soon as possible|just now|at the moment|atm|immediately"),
        (.select(.this), "this|current|these"), (.select(.next), "next|coming|upcoming|following"),
        (.select(.last), "last|past|previous|this past"), (.select(.afterNext), "after next"),
        (.edge(.early), "early|beginning|beginning of|start of|early in|early hours of|in the early hours of"),
        (.edge(.middle), "mid|middle|middle of|mid of"), (.edge(.late), "late|end|end of|late in"),
        (.edgeOf(.late, .month), "eom"), (.edgeOf(.early, .month), "bom"), (.edgeOf(.late, .year), "eoy"),
        (.edgeOf(.early, .year), "boy"), (.edgeOf(.late, .week), "eow"), (.edgeOf(.late, .day), "eod"),
        (.tonight, "tonight|tonite|to night"), (.ago, "ago|back"),
        (.fromNow, "from now|hence|later|from this moment|from right now"), (.within, "within|in the next"),
        (.weeksLater(1), "week"), (.inside, "in|during"), (.at, "at"), (.on, "on|for"), (.the, "the"), (.of, "of"),
        (.about, "about|around|approximately|approx|roughly|circa|ish|exactly|precisely|sharp|almost|nearly|sometime"),
        (.about, "sometimes|anytime|any time|ad|a d"), (.extra, "more|additional|extra|less|fewer"), (.possessive, "s"),
        (.from, "from|starting from|starting|beginning from"), (.between, "between|in between"),
        (.to, "to|till|until|til|untill|thru|through|up to"), (.after, "after|later than|past"),
        (.before, "before|but before|earlier than"), (.by, "by"), (.until, "until|till|through|til|up to"),
        (.from, "since"), (.since, "since"), (.earliest, "at the earliest|earliest|or later"),
        (.latest, "at the latest|latest|or earlier"), (.about, "but"),
    ]

    private static let englishClock: [(Meaning, String)] = [
        (.part(.morning), "morning|mornings"), (.part(.forenoon), "forenoon"),
        (.part(.lunch), "lunch|lunchtime|lunch time"), (.part(.afternoon), "afternoon|afternoons|afternoonish"),
        (.part(.evening), "evening|evenings"), (.part(.night), "night|nights"), (.part(.afterLunch), "after lunch"),
        (.part(.beforeLunch), "before lunch"), (.part(.afterWork), "after work"), (.part(.afterSchool), "after school"),
        (.half(.morning), "am|a m"), (.half(.afternoon), "pm|p m"), (.suffixHalf(.morning), "a"),
        (.suffixHalf(.afternoon), "p"), (.hourMark, "o'clock|oclock|o clock|h"), (.noon, "noon|midday|mid day"),
        (.midnight, "midnight|mid night"), (.past, "past|after|from"), (.upTo, "to|before|till|of"),
    ]

    private static let englishMoney: [(Meaning, String)] = [
        (.dollar, "dollar|dollars|bucks|buck"), (.currency("USD"), "us dollar|us dollars"),
        (.currency("EUR"), "euro|euros|€ur"), (.currency("GBP"), "pound|pounds|quid|pounds sterling"),
        (.currency("JPY"), "yen"), (.currency("CNY"), "yuan|renminbi"), (.currency("CHF"), "franc|francs|swiss francs"),
        (.currency("INR"), "rupee|rupees|rs"), (.currency("RUB"), "ruble|rubles|rouble|roubles"),
        (.currency("CAD"), "canadian dollar|canadian dollars"),
        (.currency("AUD"), "australian dollar|australian dollars"), (.currency("ILS"), "shekel|shekels"),
        (.currency("MYR"), "ringgit|ringgits|rm|malaysia ringgit|malaysian ringgit|malaysia ringgits"),
        (.currency("MYR"), "malaysian ringgits"), (.currency("KWD"), "kuwaiti dinar|kuwaiti dinars"),
        (.currency("LBP"), "lebanese pound|lebanese pounds"),
        (.currency("EGP"), "egyptian pound|egyptian pounds|egyptianpound|egyptianpounds|le|l e|geneh|genihat masriya"),
        (.currency("QAR"), "qatari riyal|qatari riyals"), (.currency("SAR"), "saudi riyal|saudi riyals|saudiriyal"),
        (.currency("MNT"), "tugrik|tugriks"), (.currency("UAH"), "hryvnia|hryvnias"),
        (.currency("PLN"), "zloty|zlotys"), (.currency("SEK"), "krona|kronor"), (.currency("DKK"), "krone|kroner"),
        (.currency("TRY"), "lira|liras"), (.currency("MXN"), "peso|pesos"), (.currency("BRL"), "real|reais"),
        (.currency("ZAR"), "rand"), (.thousand, "grand"), (.coin(25), "quarter|quarters"), (.coin(10), "dime|dimes"),
        (.coin(5), "nickel|nickels"),
        (.cents(nil), "cent|cents|c|penny|pennies|pence|p|sen|sens|kopiykas|kopecks|centimes|rappen"),
    ]

    private static let englishHolidays: [(Meaning, String)] = [
        (.holiday(.fixed(month: 12, day: 25)), "christmas|christmas day|xmas|xmas day"),
        (.holiday(.fixed(month: 12, day: 24)), "christmas eve|xmas eve"),
        (.holiday(.fixed(month: 12, day: 26)), "boxing day"),
        (.holiday(.fixed(month: 12, day: 31)), "new year's eve|new years eve"),
        (.holiday(.fixed(month: 1, day: 1)), "new year's day|new years day|new year"),
        (.holiday(.fixed(month: 1, day: 6)), "epiphany"),
        (.holiday(.fixed(month: 2, day: 14)), "valentine's day|valentine day|valentines day"),
        (.holiday(.fixed(month: 3, day: 17)), "st patrick's day|saint patrick's day|saint patricks day"),
        (.holiday(.fixed(month: 3, day: 17)), "st patricks day|st paddy's day|saint paddy's day"),
        (.holiday(.fixed(month: 4, day: 1)), "april fools|april fools day|april fool's day"),
        (.holiday(.fixed(month: 5, day: 1)), "may day"), (.regionalHoliday(.labourDay), "labour day"),
        (.regionalHoliday(.independenceDay), "independence day"),
        (.holiday(.fixed(month: 10, day: 31)), "halloween|halloween day"),
        (.holiday(.fixed(month: 11, day: 1)), "all saints day|all saints' day"),
        (.holiday(.fixed(month: 11, day: 11)), "veterans day|veteran day|remembrance day|armistice day"),
        (.holiday(.fixed(month: 3, day: 15)), "ides of march"),
        (.holiday(.easter(0)), "easter|easter sunday|easter day"), (.holiday(.easter(1)), "easter monday|easter mon"),
        (.holiday(.easter(-2)), "good friday"), (.holiday(.easter(-3)), "maundy thursday|covenant thu|holy thursday"),
        (.holiday(.easter(-1)), "holy saturday"), (.holiday(.easter(-7)), "palm sunday|branch sunday"),
        (.holiday(.easter(-46)), "ash wednesday"),
        (.holiday(.easter(-47)), "shrove tuesday|pancake day|mardi gras|pancake tuesday"),
        (.holiday(.easter(39)), "ascension day|ascension|ascension thursday"),
        (.holiday(.easter(49)), "pentecost|white sunday|whit sunday|whitsunday|whitsun"),
        (.holiday(.easter(50)), "whit monday|pentecost monday|monday of the holy spirit"),
        (.holiday(.easter(56)), "trinity sunday"), (.holiday(.easter(60)), "corpus christi"),
        (.holiday(.orthodoxEaster(0)), "orthodox easter|orthodox easter sunday"),
        (.holiday(.orthodoxEaster(-2)), "orthodox good friday|orthodox great friday"),
        (.regionalHoliday(.thanksgiving), "thanksgiving|thanksgiving day"),
        (.holiday(.nth(4, weekday: 4, month: 11, plus: 1)), "black friday"),
        (.holiday(.nth(4, weekday: 4, month: 11, plus: 4)), "cyber monday"),
        (.holiday(.nth(-1, weekday: 1, month: 5)), "memorial day|decoration day"),
        (.holiday(.nth(1, weekday: 1, month: 9)), "labor day"),
        (.holiday(.nth(3, weekday: 1, month: 1)), "mlk day|martin luther king day|martin luther king's day"),
        (.holiday(.nth(3, weekday: 1, month: 1)), "martin luther kings day|mlk jr day|civil rights day"),
        (.holiday(.nth(3, weekday: 1, month: 2)), "presidents day|presidents' day|president day|president's day"),
        (.holiday(.nth(3, weekday: 1, month: 2)), "washington's birthday|george washington day"),
        (.holiday(.nth(2, weekday: 1, month: 10)), "columbus day"),
        (.regionalHoliday(.mothersDay), "mother's day|mothers day|mother day"),
        (.regionalHoliday(.fathersDay), "father's day|fathers day|father day"),
        (.regionalHoliday(.nationalDay), "national day"), (.holiday(.easter(-21)), "mothering sunday"),
        (.holiday(.fixed(month: 7, day: 1)), "canada day|dominion day"),
        (.holiday(.fixed(month: 4, day: 25)), "anzac day"), (.holiday(.fixed(month: 1, day: 26)), "australia day"),
        (.holiday(.fixed(month: 11, day: 5)), "guy fawkes day|guy fawkes night|bonfire night"),
        (.holiday(.fixed(month: 2, day: 2)), "groundhog day|groundhogs day"),
        (.holiday(.fixed(month: 6, day: 19)), "juneteenth"),
        (.holiday(.fixed(month: 2, day: 12)), "lincoln's birthday|lincolns birthday|lincoln birthday"),
        (.holiday(.fixed(month: 2, day: 12)), "abraham lincoln's birthday"),
        (.holiday(.orthodoxEaster(-48)), "clean monday"), (.holiday(.orthodoxEaster(-8)), "lazarus saturday"),
        (.holiday(.advent(1)), "fourth advent"), (.holiday(.advent(4)), "first advent|advent sunday"),
    ]
}
