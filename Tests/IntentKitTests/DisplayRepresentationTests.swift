import IntentKit
import Testing

@Suite("R71: the words of a value")
struct DisplayRepresentationTests {
    private enum Service: String, EnumerationValue {
        case checkup, vaccination, other

        var title: LocalizedText? { self == .vaccination ? ["en": "Shot"] : nil }
        var displayRepresentation: DisplayRepresentation? {
            switch self {
            case .checkup: DisplayRepresentation(title: "Check-up", subtitle: "20 minutes")
            case .vaccination, .other: self.title.map { DisplayRepresentation(title: $0) }
            }
        }
    }

    private enum Size: String, EnumerationValue {
        case small, large

        var title: LocalizedText? { self == .small ? ["de": "klein"] : nil }
    }

    private struct Visit: Intent {
        @Parameter var service: Service?
        @Parameter var sizes: [Size]?
    }

    private struct VisitHandler: IntentHandler {
        var handling: Handling<Visit> { Handle { _, _ in IntentResponse(code: .success) } }
    }

    @Test("A value of an enumeration without a representation has its title as words, or no words without a title")
    func titleIsFallback() {
        let constraints = IntentRegistration { VisitHandler() }.constraints
        #expect(
            constraints["service"]?.displays == [
                "checkup": DisplayRepresentation(title: "Check-up", subtitle: "20 minutes"),
                "vaccination": DisplayRepresentation(title: ["en": "Shot"]),
            ]
        )
        #expect(constraints["sizes"]?.displays == ["small": DisplayRepresentation(title: ["de": "klein"])])
    }

    @Test(
        "A title is in the user's region first, then in their language, then in the one for everybody",
        arguments: [("de-AT", "Kassa"), ("de-DE", "Kasse"), ("de", "Kasse"), ("fr", "Till")]
    )
    func regionBeforeLanguage(locale: String, title: String) {
        let display = DisplayRepresentation(title: ["": "Till", "de": "Kasse", "de-AT": "Kassa"])
        #expect(display.title.text(locale: locale) == title)
    }

    @Test("Texts of more than 1,024 bytes are cut at a character, in each language")
    func longTextsAreCutAtCharacters() {
        let short = String(repeating: "a", count: 1_024)
        let long = String(repeating: "a", count: 1_022) + "\u{E4}\u{E4}"
        let family = String(repeating: "b", count: 1_020) + "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
        let display = DisplayRepresentation(
            title: ["en": short, "de": long],
            subtitle: LocalizedText(family),
            synonyms: [LocalizedText(long)]
        )
        #expect(display.title.text(locale: "en") == short)
        #expect(display.title.text(locale: "de")?.utf8.count == 1_024)
        #expect(display.subtitle?.text(locale: "") == String(repeating: "b", count: 1_020))
        #expect(display.synonyms.first?.text(locale: "")?.utf8.count == 1_024)
    }

    @Test("Synonyms beyond the first 20 are left out, and so is an image that is invalid or too large")
    func keepsImagesAndSynonymsWithinLimits() {
        let synonyms = (1...21).map { LocalizedText("\($0)") }
        #expect(DisplayRepresentation(title: "A", synonyms: synonyms).synonyms == Array(synonyms.prefix(20)))
        let address = "https://vet.example/p-7.png"
        #expect(DisplayRepresentation(title: "A", image: .url(address)).image == .url(address))
        #expect(DisplayRepresentation(title: "A", image: .systemName("pawprint")).image == .systemName("pawprint"))
        let long = "https://" + String(repeating: "a", count: 2_041)
        for image in ["javascript:alert(1)", "/etc/passwd", "", long].map(DisplayRepresentation.Image.url) {
            #expect(DisplayRepresentation(title: "A", image: image).image == nil)
        }
        #expect(DisplayRepresentation(title: "A", image: .systemName("")).image == nil)
    }
}
