import IntentEvents
import IntentKit
import IntentRuntime
import SampleApps
import Testing

@testable import IntentOperations

/// Checks every sentence that intentd says about its own intents against what a person would not say.
@Suite("Prompts of the built-in intents and the sample, in English and German")
struct SpokenPromptTests {
    /// Every parameter, with the intent as it is, without its prompts, and without its titles as well.
    private static let registrations: [IntentRegistration] = {
        // The sample is the file that is read without being named.
        let sample = (try? IntentSet(Configuration(), sources: HandlerSources()))?.extensions.flatMap(\.registrations)
            .filter { $0.intentName == "BookRestaurantTable" }
        let all = IntentExtension.sampleApps().flatMap(\.registrations) + (sample ?? [])
        return all.flatMap { registration in
            var unprompted = registration
            unprompted.dialog = { _, _ in nil }
            unprompted.prompts = PromptTexts()
            var untitled = unprompted
            untitled.title = nil
            for index in untitled.parameters.indices { untitled.parameters[index].title = nil }
            return [registration, unprompted, untitled]
        }
    }()

    private static func problems(of text: String) -> [String] {
        var problems: [String] = []
        if !text.hasSuffix("?") { problems.append("is no question") }
        if text.contains(/should the .* be\?|Welchen Wert soll|I still need|Ich brauche noch/) {
            problems.append("is no person's")
        }
        if text.contains(/[a-z][A-Z]/) { problems.append("says a name of the wire") }
        if text.contains(/[{}\[\]\"]|  |\(\)|–\W*$/) { problems.append("has something left over") }
        if text.first.map({ $0.isLowercase }) ?? true { problems.append("begins in lower case") }
        return problems
    }

    @Test("Each question sounds natural", arguments: ["en", "de-AT", "fr", "es-MX", "it"])
    func questionsSoundNatural(locale: String) throws {
        #expect(Self.registrations.count == 3 * 20)
        var count = 0
        for registration in Self.registrations {
            let dialog = PromptDialog(
                registration,
                intent: IntentSnapshot(name: registration.intentName),
                locale: locale
            )
            for parameter in registration.parameters {
                let options = registration.constraints[parameter.name]?.offered ?? []
                for kind in [PromptKind.needsValue, .unsupported, .disambiguation, .confirmationRequired] {
                    let prompt = Prompt(
                        number: 1,
                        kind: kind,
                        parameter: parameter.name,
                        options: kind == .disambiguation && options.isEmpty ? ["A", "B"] : options,
                        item: ["spokenPhrase": "Jeff"],
                        expiresAt: Timestamp(milliseconds: 0)
                    )
                    let text = dialog.text(for: prompt)
                    #expect(
                        Self.problems(of: text).isEmpty,
                        "\(registration.intentName).\(parameter.name), \(kind): \(text) \(Self.problems(of: text))"
                    )
                    count += 1
                }
            }
        }
        #expect(count > 500)
    }

    @Test("Each built-in intent and each of its parameters has its own words in both languages")
    func builtInIntentsHaveOwnWords() throws {
        for registration in IntentExtension.sampleApps().flatMap(\.registrations) {
            for locale in ["en", "de"] {
                #expect(registration.title?.text(in: locale) != nil, "\(registration.intentName)")
                for parameter in registration.parameters {
                    let name = "\(registration.intentName).\(parameter.name)"
                    #expect(parameter.title?.text(in: locale) != nil, "\(name)")
                    #expect(registration.dialog(parameter.name, locale)?.hasSuffix("?") ?? false, "\(name)")
                }
            }
        }
    }

    @Test("A confirmation names the action by the intent's title")
    func confirmationNamesIntentsTitle() throws {
        let registration = try #require(Self.registrations.first { $0.intentName == "INSendPaymentIntent" })
        let prompt = Prompt(number: 1, kind: .intentConfirmation, expiresAt: Timestamp(milliseconds: 0))
        let intent = IntentSnapshot(name: registration.intentName)
        #expect(
            PromptDialog(registration, intent: intent, locale: "en").text(for: prompt) == "Send money: shall I go on?"
        )
        #expect(
            PromptDialog(registration, intent: intent, locale: "de").text(for: prompt)
                == "Geld senden: soll ich das tun?"
        )
    }
}
