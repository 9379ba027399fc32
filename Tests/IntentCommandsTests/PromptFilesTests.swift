import IntentKit
import IntentLab
import SampleApps
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("R50: prompts in files")
struct PromptFilesTests {
    private let directory: TemporaryDirectory

    init() throws { self.directory = try TemporaryDirectory() }

    private func read(_ files: [String: String]) throws -> PromptFiles {
        for (name, text) in files { _ = try self.directory.write(text, to: name) }
        return PromptFiles(directory: self.directory.path)
    }

    private func problems(_ files: PromptFiles) -> [String] {
        (files.problems + files.unknownNames(among: self.registrations))
            .map { $0.replacing(self.directory.path + "/", with: "") }
    }

    private var registrations: [IntentRegistration] {
        var registration = IntentExtension.sampleApps().flatMap(\.registrations)
            .first { $0.intentName == "INSendMessageIntent" }
        registration?.parameters
            .append(
                ParameterDescription(
                    name: "secret",
                    typeName: "string",
                    isSensitive: true,
                    accepts: { _ in true },
                    isMissing: \.isNull
                )
            )
        return [registration].compactMap { $0 }
    }

    @Test("One file per language, in YAML or JSON")
    func readsOneFilePerLanguage() throws {
        let files = try self.read([
            "de.yaml": "sentences: {or: oder aber}\nintents: {INSendMessageIntent: {title: Nachricht}}",
            "pt-BR.json": #"{"reasons": {"noAccount": "sem conta"}}"#, "default.yml": "sentences: {or: \"/\"}",
            "README.md": "not read",
        ])
        #expect(self.problems(files) == [])
        #expect(files.files.count == 3)
        #expect(files.texts.languages("de-AT").first?.sentences == [.or: "oder aber"])
        #expect(files.texts.languages("de").first?.intents["INSendMessageIntent"]?.title == "Nachricht")
        #expect(files.texts.languages("pt_br").first?.reasons == ["noAccount": "sem conta"])
        #expect(files.texts.languages("pt").isEmpty)
        #expect(files.texts.anywhere?.sentences == [.or: "/"])
    }

    @Test("Problems have file and line")
    func problemsHaveFileAndLine() throws {
        let yaml = """
            sentences:
              needsValue: "{paramter}?"
              disambiguation: "{options"
              intentConfirmatoin: x
            intents:
              INSendMessagesIntent: {title: x}
              SomebodyElsesIntent: {title: x}
              INSendMessageIntent:
                intentConfirmation: "{recipients}: {contents}, {secret}"
                parameters:
                  recipient: {title: Wer}
                  content: {needsTitled: x}
            """
        let problems = self.problems(try self.read(["de.yaml": yaml, "d.yaml": "{}", "en.json": "{", "en.yaml": "{}"]))
        let expected = [
            "d.yaml: d is not a language such as de or de-AT, nor default",
            "de.yaml:4: sentences.intentConfirmatoin: unknown key; known are ",
            "de.yaml:2: sentences.needsValue: {paramter} is not a placeholder here; known are {options}, {parameter}, {title}",
            "de.yaml:3: sentences.disambiguation: unmatched brace",
            "de.yaml:12: intents.INSendMessageIntent.parameters.content.needsTitled: unknown key; known are ",
            "en.json:1: this is not JSON: ", "en.yaml: en.json is for the same language: keep one",
            "de.yaml:9: {contents} is neither a placeholder nor a parameter of INSendMessageIntent"
                + "; did you mean content?",
            "de.yaml:9: {secret} is sensitive: its value must not be spoken",
            "de.yaml:11: INSendMessageIntent has no parameter recipient; did you mean recipients?",
            "de.yaml:6: unknown intent INSendMessagesIntent; did you mean INSendMessageIntent?",
        ]
        #expect(problems.count == expected.count, "\(problems)")
        for start in expected { #expect(problems.contains { $0.hasPrefix(start) }, "\(start)\n\(problems)") }
        #expect(problems.contains { $0.hasSuffix("; did you mean intentConfirmation?") }, "\(problems)")
    }

    @Test("The files of this repository are valid, and invalid ones exit with 78")
    func sampleFilesAreValidAndOthersRefused() async throws {
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let files = PromptFiles(directory: "/\(folder)/config/prompts")
        #expect(files.problems + files.unknownNames(among: self.registrations) == [])
        #expect(files.files.count == 1)
        _ = try self.directory.write("sentences: 7\n", to: "en.yaml")
        let configuration = try self.directory.write("prompts: {directory: \(self.directory.path)}\n", to: "c.conf")
        #expect(await RootCommand.run(["config", "check", "--config", configuration]) == 78)
    }
}
