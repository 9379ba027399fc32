extension Language {
    static let french = Self(
        code: "fr",
        phrases: Self.frenchNumbers + Self.frenchOrdinals + Self.frenchCalendar + Self.frenchClock + Self.frenchMoney
            + Self.frenchHolidays,
        yes: """






            oui|o|ouais|ok|okay|d'accord
            bien sûr
            certainement
            volontiers
            avec plaisir
            oui merci
            oui s'il vous plaît
            oui s'il te plaît
            s'il vous plaît
            s'il te plaît
            exact
            c'est ça
            parfait
            vrai
            absolument
            tout à fait
            vas-y
            allez-y






            """,
        no: """






            non|n|nan|non merci|pas du tout|jamais|faux
            surtout pas
            certainement pas






            """,
        habits: Habits(
            saysSums: true,
            writesDatesWithSpaces: true,
            saysMinutesAfterHour: true,
            saysSelectionAfterName: true,
            edges: Edges(
                week: (early: 1...2, middle: 3...4, late: 4...7),
                month: (early: 1...5, middle: 10...19, late: 21...31),
                year: (early: 1...2, middle: 5...8, late: 11...12)
            ),
            marks: NumberMarks(decimal: ",", groups: [" ", "."])
        ),
        parts: [
            .morning: PartHours(4, 12, early: (7, 9), middle: (9, 11), late: (10, 12)), .forenoon: PartHours(9, 12),
            .lunch: PartHours(12, 14), .afternoon: PartHours(12, 19, early: (12, 14), middle: (14, 17), late: (17, 19)),
            .evening: PartHours(18, 24, early: (18, 21), late: (21, 24)), .night: PartHours(22, 30),
            .day: PartHours(8, 18, early: (6, 10), middle: (11, 16), late: (17, 21)), .beforeLunch: PartHours(10, 12),
            .afterLunch: PartHours(13, 17), .afterWork: PartHours(17, 21),
        ],
        sayings: .french
    )

    private static let frenchNumbers: [(Meaning, String)] = [
        (.number(0), "zéro"), (.number(1), "un|une"), (.number(2), "deux"), (.number(3), "trois"),
        (.number(4), "quatre"), (.number(5), "cinq"), (.number(6), "six"), (.number(7), "sept"), (.number(8), "huit"),
        (.number(9), "neuf"), (.number(10), "dix"), (.number(11), "onze"), (.number(12), "douze"),
        (.number(13), "treize"), (.number(14), "quatorze"), (.number(15), "quinze"), (.number(16), "seize"),
        (.number(20), "vingt|vingts"), (.number(30), "trente"), (.number(40), "quarante"), (.number(50), "cinquante"),
        (.number(60), "soixante"), (.number(70), "septante"), (.number(80), "huitante|octante"),
        (.number(90), "nonante"), (.scale(12), "douzaine|douzaines"), (.scale(100), "cent|cents"),
        (.scale(1_000), "mille|milles"), (.scale(1_000_000), "million|millions|million de|millions de"),
        (.scale(1_000_000_000), "milliard|milliards"), (.scale(1_000_000_000_000), "billion|billions"),
        (.scale(1_000_000_000_000_000_000), "trillion|trillions"), (.ordinalMark, "er|ere|e|eme|ème|nd|nde|re"),
        (.fraction(2), "demi|demie|une demi|une demie"), (.fraction(4), "quart|quarts|un quart|le quart"),
        (.fraction(3), "tiers"), (.fraction(5), "cinquièmes"), (.fraction(8), "huitièmes"), (.fraction(10), "dixièmes"),
        (.decimalPoint, "virgule|point"), (.minus, "moins"), (.and, "et"),
    ]

    private static let frenchOrdinals: [(Meaning, String)] = [
        (.ordinal(1), "premier|première|premiere|unième"), (.ordinal(2), "deuxième|second|seconde"),
        (.ordinal(3), "troisième"), (.ordinal(4), "quatrième"), (.ordinal(5), "cinquième"), (.ordinal(6), "sixième"),
        (.ordinal(7), "septième"), (.ordinal(8), "huitième"), (.ordinal(9), "neuvième"), (.ordinal(10), "dixième"),
        (.ordinal(11), "onzième"), (.ordinal(12), "douzième"), (.ordinal(13), "treizième"),
        (.ordinal(14), "quatorzième"), (.ordinal(15), "quinzième"), (.ordinal(16), "seizième"),
        (.ordinal(20), "vingtième"), (.ordinal(30), "trentième"), (.ordinal(40), "quarantième"),
        (.ordinal(50), "cinquantième"), (.ordinal(60), "soixantième"), (.ordinal(100), "centième"),
    ]

    private static let frenchCalendar: [(Meaning, String)] = [
        (.weekdays(1), "lundis"), (.weekdays(2), "mardis"), (.weekdays(3), "mercredis"), (.weekdays(4), "jeudis"),
        (.weekdays(5), "vendredis"), (.weekdays(6), "samedis"), (.weekdays(7), "dimanches"),
        (.lasting, "pendant|durant"), (.weekday(1), "lundi|lun"), (.weekday(2), "mardi|mar"),
        (.weekday(3), "mercredi|mer"), (.weekday(4), "jeudi|jeu"), (.weekday(5), "vendredi|ven"),
        (.weekday(6), "samedi|sam"), (.weekday(7), "dimanche|dim"), (.month(1), "janvier|janv|jan"),
        (.month(2), "février|fevr|fév|fev"), (.month(3), "mars"), (.month(4), "avril|avr"), (.month(5), "mai"),
        (.month(6), "juin"), (.month(7), "juillet|juil|jui"), (.month(8), "août"), (.month(9), "septembre|sept|sep"),
        (.month(10), "octobre|oct"), (.month(11), "novembre|nov"), (.month(12), "décembre|déc|dec"),
        (.season(.any), "saison"), (.season(.spring), "printemps"), (.season(.summer), "été"),
        (.season(.autumn), "automne"), (.season(.winter), "hiver"), (.unit(.second), "seconde|secondes|sec"),
        (.unit(.minute), "minute|minutes|mins|mn"), (.unit(.hour), "heure|heures"),
        (.unit(.day), "jour|jours|journée|j"), (.unit(.week), "semaine|semaines"), (.unit(.fortnight), "quinzaine"),
        (.unit(.month), "mois"), (.unit(.quarter), "trimestre|trimestres"),
        (.unit(.year), "an|ans|année|années|annee|annees"), (.weekend, "week-end|weekend|week-ends"),
        (.relativeDay(0), "aujourd'hui|ce jour|dans la journée|en ce moment"),
        (.relativeDay(1), "demain|jour suivant|jour d'après|lendemain|un jour après|jour suivant"),
        (.relativeDay(2), "après-demain"), (.relativeDay(-1), "hier|jour d'avant|jour précédent|veille"),
        (.relativeDay(-2), "avant-hier"), (.now, "maintenant|tout de suite|immédiatement"),
        (.select(.this), "ce|cet|cette|ces|courant|courante"),
        (.select(.next), "prochain|prochaine|prochains|prochaines|qui vient|qui viennent"),
        (.select(.following), "suivant|suivante|suivants|suivantes|d'après|qui suit"),
        (.select(.last), "dernier|dernière|derniers|dernières|passé|passée|passés|passées|précédent|précédente"),
        (.edge(.early), "début|début de|début d|en début de|en début d|au début de|au début du|début du"),
        (.edge(.early), "début du mois de|début du mois d|tôt|très tôt|en début|au début"),
        (.edge(.middle), "milieu|milieu de|milieu d|en milieu de|en milieu d|au milieu de|au milieu du|milieu du|mi"),
        (.edge(.middle), "en milieu|au milieu"),
        (.edge(.late), "fin|fin de|fin d|en fin de|en fin d|à la fin de|à la fin du|fin du|fin du mois de"),
        (.edge(.late), "fin du mois d|tard|en fin|à la fin"), (.ago, "il y a|voici|voilà"),
        (.fromNow, "plus tard|d'ici|après"), (.within, "d'ici|dans les|sous|d'ici à"), (.weeksLater(1), "en huit|en 8"),
        (.weeksLater(2), "en quinze|en 15"),
        (.inside, "dans|en|pendant|au mois de|le mois de|au mois d|à l'heure de|à l'heure du|au moment de|dès"),
        (.at, "à|a|vers"), (.on, "le|au|la journée de"), (.the, "le|la|les|l|du|à partir du"),
        (.of, "de|du|d|des|de la"),
        (.about, "vers|environ|aux alentours de|autour de|plutôt|mais|par exemple|n'importe quand|à peu près|quasi"),
        (.about, "exactement|presque|pile|précises"), (.from, "de|du|à partir de|à partir du|dès|depuis|depuis le"),
        (.since, "depuis|depuis le"), (.between, "entre"), (.to, "à|a|au|jusqu'à|jusqu'au|jusqu'a|et"),
        (.after, "après|plus tard que|à partir de|à partir du|dès"), (.before, "avant|plus tôt que"),
        (.until, "jusqu'à|jusqu'au|jusqu'a"), (.by, "d'ici"), (.earliest, "au plus tôt"), (.latest, "au plus tard"),
    ]

    private static let frenchClock: [(Meaning, String)] = [
        (.part(.morning), "matin|matinée|mat|matins|du matin|du mat"), (.part(.lunch), "déjeuner|le déjeuner"),
        (.part(.afternoon), "après-midi|l'après-midi"), (.part(.evening), "soir|soirée|soirs|du soir|au soir"),
        (.part(.night), "nuit"), (.part(.day), "journée"), (.part(.afterLunch), "après déjeuner|après le déjeuner"),
        (.part(.beforeLunch), "avant déjeuner|avant le déjeuner"), (.part(.afterWork), "après le travail"),
        (.hourMark, "heure|heures|h"), (.noon, "midi"), (.midnight, "minuit"), (.past, "et|passé de|passé|passée de"),
        (.upTo, "moins"), (.half(.morning), "am|a m"), (.half(.afternoon), "pm|p m"),
    ]

    private static let frenchMoney: [(Meaning, String)] = [
        (.dollar, "dollar|dollars"), (.currency("USD"), "dollar américain|dollars américains"),
        (.currency("EUR"), "euro|euros|balles"), (.currency("GBP"), "livre|livres|livres sterling|pound|pounds"),
        (.currency("CHF"), "franc suisse|francs suisses|franc|francs"), (.currency("JPY"), "yen|yens"),
        (.currency("CNY"), "yuan|yuans"), (.currency("CAD"), "dollar canadien|dollars canadiens"),
        (.currency("ILS"), "shekel|shekels"), (.currency("INR"), "roupie|roupies"),
        (.currency("RUB"), "rouble|roubles"), (.cents(nil), "centime|centimes|cent|cents|ct|pence|penny"),
    ]

    private static let frenchHolidays: [(Meaning, String)] = [
        (.holiday(.fixed(month: 12, day: 25)), "noël|jour de noël"),
        (.holiday(.fixed(month: 12, day: 24)), "réveillon de noël|veille de noël"),
        (.holiday(.fixed(month: 12, day: 31)), "saint-sylvestre|la saint-sylvestre|réveillon"),
        (.holiday(.fixed(month: 1, day: 1)), "jour de l'an|nouvel an"),
        (.holiday(.fixed(month: 1, day: 6)), "épiphanie"), (.holiday(.fixed(month: 2, day: 14)), "saint-valentin"),
        (.holiday(.fixed(month: 5, day: 1)), "fête du travail"),
        (.holiday(.fixed(month: 5, day: 8)), "fête de la victoire"), (.regionalHoliday(.nationalDay), "fête nationale"),
        (.holiday(.fixed(month: 7, day: 14)), "quatorze juillet"), (.holiday(.fixed(month: 8, day: 15)), "assomption"),
        (.holiday(.fixed(month: 11, day: 1)), "toussaint|jour de la toussaint|journée de la toussaint|jour des morts"),
        (.holiday(.fixed(month: 11, day: 11)), "armistice"), (.holiday(.fixed(month: 10, day: 31)), "halloween"),
        (.regionalHoliday(.mothersDay), "fête des mères"), (.regionalHoliday(.fathersDay), "fête des pères"),
        (.holiday(.easter(0)), "pâques|dimanche de pâques"), (.holiday(.easter(1)), "lundi de pâques"),
        (.holiday(.easter(-2)), "vendredi saint"), (.holiday(.easter(-47)), "mardi gras"),
        (.holiday(.easter(-46)), "mercredi des cendres"), (.holiday(.easter(39)), "ascension|jeudi de l'ascension"),
        (.holiday(.easter(49)), "pentecôte"), (.holiday(.easter(50)), "lundi de pentecôte"),
    ]
}
