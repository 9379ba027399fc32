import IntentKit
import Testing

@testable import SpokenValues

@Suite("Numbers, durations and amounts as people say them")
struct SpokenNumberTests {
    @Test(
        "Whole numbers",
        arguments: [
            ("en", "12", 12), ("en", "twenty-one", 21), ("en", "a dozen", 12), ("en", "two hundred and four", 204),
            ("en", "one thousand two hundred", 1_200), ("en", "3 million", 3_000_000), ("en", "100K", 100_000),
            ("en", "1,234", 1_234), ("en", "minus five", -5), ("en", "third", 3), ("en", "the 3rd", 3),
            ("en", "a couple", 2),
            ("en", "twenty-fifth", 25), ("en", "0033", 33), ("de", "dreiunddreißig", 33), ("de", "dreiunddreissig", 33),
            ("de", "zweihunderteinundzwanzigtausenddrei", 221_003), ("de", "achtzehnhundertzwölf", 1_812),
            ("de", "eine Million", 1_000_000), ("de", "1.234", 1_234), ("de", "zwanzigster", 20), ("de", "3.", 3),
            ("fr", "soixante-dix-huit", 78), ("fr", "quatre-vingt-dix-neuf", 99), ("fr", "vingt et un", 21),
            ("fr", "deux cent trois", 203), ("fr", "quatre mille vingt", 4_020), ("fr", "septante", 70),
            ("fr", "10 000", 10_000), ("fr", "1er", 1), ("es", "veintidós", 22), ("es", "treinta y tres", 33),
            ("es", "doscientos tres mil", 203_000), ("es", "cuatro millones dos mil tres", 4_002_003),
            ("es", "mil novecientos noventa", 1_990), ("es", "tercero", 3), ("fr", "un billion", 1_000_000_000_000),
            ("es", "tres billones cuatrocientos mil millones cinco", 3_400_000_000_005),
            ("en", "two thousand millions", 2_000_000_000),
            ("en", "two dozen", 24),
        ]
    )
    func readsWholeNumbers(locale: String, text: String, value: Int) {
        #expect(SpokenCases.reader(locale).read(text, as: "integer").candidates.map(\.value) == [Int(value).json])
    }

    @Test(
        "Numbers with a fraction",
        arguments: [
            ("en", "1.5", 1.5), ("en", "1,234.5", 1_234.5), ("en", "one point five", 1.5), ("en", "3/4", 0.75),
            ("en", "two and a half", 2.5), ("en", "three quarters", 0.75), ("en", ".77", 0.77),
            ("en", "1.2M", 1_200_000),
            ("en", "½", 0.5), ("en", "⅔", 0.666_666_666_666_666_6), ("en", "half a million", 500_000.0),
            ("en", "five and a half million", 5_500_000.0), ("en", "3 hundred and 21", 321.0),
            ("en", "two fifths", 0.4),
            ("en", "nought point nought three", 0.03), ("de", "eineinhalb Milliarden", 1_500_000_000.0),
            ("fr", "un demi-million", 500_000.0), ("en", "1 1/2", 1.5), ("de", "1,5", 1.5), ("de", "1.234,5", 1_234.5),
            ("de", "drei Komma vierzehn", 3.14),
            ("de", "anderthalb", 1.5), ("fr", "1 234,5", 1_234.5), ("fr", "trois virgule cinq", 3.5),
            ("es", "uno coma cinco", 1.5), ("es-MX", "1,234.5", 1_234.5), ("de-CH", "1'234.5", 1_234.5),
        ]
    )
    func readsFractions(locale: String, text: String, value: Double) {
        #expect(SpokenCases.reader(locale).read(text, as: "number").candidates.map(\.value) == [.number(value)])
    }

    @Test(
        "Other text is no number",
        arguments: [
            "", "5 more", "5 s", "at least 3", "3 of 5", "5%", "twelve apples", "one two", "1.2.3", "1,23,4", "and",
            "point", "99999999999999999999", "1/0", "3/2/1",
        ]
    )
    func otherTextIsNoNumber(text: String) {
        #expect(SpokenCases.read(text, "integer", "en") == [])
        #expect(SpokenCases.read(text, "number", "en") == [])
    }

    @Test("A fraction is no whole number", arguments: ["1.5", "half", "3/4", "24/12", "anderthalb"])
    func fractionIsNoWholeNumber(text: String) {
        #expect(SpokenCases.read(text, "integer", "de") == [])
    }

    @Test(
        "Durations",
        arguments: [
            ("en", "20 min", "PT20M"), ("en", "20min", "PT20M"), ("en", "1h30", "PT1H30M"),
            ("en", "1 h 30 min", "PT1H30M"),
            ("en", "1h 30m", "PT1H30M"), ("en", "2 hours and 5 minutes", "PT2H5M"), ("en", "an hour", "PT1H"),
            ("en", "half an hour", "PT30M"), ("en", "an hour and a half", "PT1H30M"), ("en", "1.5 hours", "PT1H30M"),
            ("en", "three quarters of an hour", "PT45M"), ("en", "2 weeks 3 days", "P2W3D"),
            ("en", "a fortnight", "P2W"),
            ("en", "90 s", "PT90S"), ("en", "3.5 seconds", "PT3.5S"), ("en", "30-minute", "PT30M"),
            ("en", "1 hour fifteen", "PT1H15M"),
            ("en", "2 days, 3 hours and 4 seconds", "P2DT3H4S"),
            ("en", "a couple of minutes", "PT2M"), ("en", "2 more minutes", "PT2M"), ("en", "half a day", "PT12H"),
            ("de", "anderthalb Stunden", "PT1H30M"),
            ("de", "1,5 Stunden", "PT1H30M"), ("de", "eine halbe Stunde", "PT30M"), ("de", "Viertelstunde", "PT15M"),
            ("de", "eine Dreiviertelstunde", "PT45M"), ("de", "zwei Tage", "P2D"),
            ("de", "eine Stunde und zehn Minuten", "PT1H10M"), ("fr", "une demi-heure", "PT30M"),
            ("fr", "trois quarts d'heure", "PT45M"), ("fr", "une heure et demie", "PT1H30M"),
            ("fr", "deux jours", "P2D"),
            ("es", "media hora", "PT30M"), ("es", "hora y media", "PT1H30M"), ("es", "una hora y media", "PT1H30M"),
            ("es", "tres cuartos de hora", "PT45M"),
        ]
    )
    func readsDurations(locale: String, text: String, duration: String) {
        #expect(SpokenCases.read(text, "duration", locale) == [duration])
    }

    @Test(
        "Other text is no duration",
        arguments: ["20", "min", "5 min 1 h", "1 h 2 h", "x min", "a month", "2 years", "one minute tea", "-5 min"]
    )
    func otherTextIsNoDuration(text: String) {
        #expect(SpokenCases.read(text, "duration", "en") == [])
    }

    @Test(
        "Amounts of money",
        arguments: [
            ("en", "12 USD", "12 USD"), ("en", "USD 12", "12 USD"), ("en", "$12", "12 USD"), ("en-CA", "$12", "12 CAD"),
            ("en", "AUD$ 15", "15 AUD"),
            ("en", "$1,234.50", "1234.50 USD"), ("en", "five pounds", "5 GBP"), ("en", "-3 GBP", "-3 GBP"),
            ("en", "20 dollars and 43 cents", "20.43 USD"), ("en", "50 cents", "0.50 USD"),
            ("en-GB", "50p", "0.50 GBP"),
            ("en", "3 GBP 1 pence", "3.01 GBP"), ("en", "$4.7 billion", "4700000000 USD"), ("en", "10k$", "10000 USD"),
            ("de", "12,50 €", "12.50 EUR"), ("de", "20,- €", "20 EUR"), ("de-CH", "20.- CHF", "20 CHF"),
            ("de", "€ 12,50", "12.50 EUR"), ("de", "12.50eur", "12.50 EUR"),
            ("de", "1.234,50 EUR", "1234.50 EUR"), ("de", "zwölf Euro", "12 EUR"), ("de", "20 Euro 43", "20.43 EUR"),
            ("de-CH", "12 Franken 50 Rappen", "12.50 CHF"), ("fr", "dix euros", "10 EUR"),
            ("fr", "10 000,00 $", "10000.00 USD"),
            ("es", "9 libras", "9 GBP"), ("es-MX", "$12", "12 MXN"),
        ]
    )
    func readsMoney(locale: String, text: String, amount: String) {
        #expect(SpokenCases.read(text, "currencyAmount", locale) == [amount])
    }

    @Test(
        "Text without a currency, or with two, is no amount",
        arguments: ["12", "USD", "12 13 USD", "$12 EUR", "1.2.3 EUR", "12 US", "10-20 dollars", "under 7 euros"]
    )
    func otherTextIsNoAmount(text: String) {
        #expect(SpokenCases.read(text, "currencyAmount", "en") == [])
    }

    @Test(
        "Yes and no",
        arguments: [
            ("en", "Yes, please!", true), ("en", "no", false), ("en", "of course", true), ("de", "Ja", true),
            ("de", "nein danke", false), ("de", "yes", true), ("fr", "d'accord", true), ("fr", "Non.", false),
            ("es", "Sí", true), ("es", "no, gracias", false),
        ]
    )
    func readsYesAndNo(locale: String, text: String, value: Bool) {
        #expect(SpokenCases.reader(locale).read(text, as: "boolean").candidates.map(\.value) == [.bool(value)])
    }

    @Test("Neither yes nor no", arguments: ["maybe", "yes no", "yesterday", ""])
    func otherTextIsNeither(text: String) {
        #expect(SpokenCases.read(text, "boolean", "en") == [])
    }
}
