import Foundation
import IntentKit
import IntentLab
import Testing

@testable import IntentOperations

@Suite("R36: global vocabularies in files")
struct VocabularyFilesTests {
    private let directory: TemporaryDirectory

    init() throws { self.directory = try TemporaryDirectory() }

    /// As Xcode writes it.
    private static let propertyList = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<!-- terms -->
        \t<key>ParameterVocabularies</key>
        \t<array>
        \t\t<dict>
        \t\t\t<key>ParameterNames</key>
        \t\t\t<array><string>INStartWorkoutIntent.workoutName</string></array>
        \t\t\t<key>ParameterVocabulary</key>
        \t\t\t<array>
        \t\t\t\t<dict>
        \t\t\t\t\t<key>VocabularyItemIdentifier</key>
        \t\t\t\t\t<string>ultimate-run</string>
        \t\t\t\t\t<key>VocabularyItemSynonyms</key>
        \t\t\t\t\t<array>
        \t\t\t\t\t\t<dict>
        \t\t\t\t\t\t\t<key>VocabularyItemPhrase</key>
        \t\t\t\t\t\t\t<string>Ultimate Run</string>
        \t\t\t\t\t\t\t<key>VocabularyItemPronunciation</key>
        \t\t\t\t\t\t\t<string>ull tim it run</string>
        \t\t\t\t\t\t\t<key>VocabularyItemExamples</key>
        \t\t\t\t\t\t\t<array><string>Start an Ultimate Run</string></array>
        \t\t\t\t\t\t</dict>
        \t\t\t\t\t\t<dict><key>VocabularyItemPhrase</key><string>Big &amp; long</string></dict>
        \t\t\t\t\t</array>
        \t\t\t\t</dict>
        \t\t\t</array>
        \t\t</dict>
        \t</array>
        \t<key>IntentPhrases</key>
        \t<array>
        \t\t<dict>
        \t\t\t<key>IntentName</key>
        \t\t\t<string>INStartWorkoutIntent</string>
        \t\t\t<key>IntentExamples</key>
        \t\t\t<array><string>Start an Ultimate Run</string></array>
        \t\t</dict>
        \t</array>
        </dict>
        </plist>
        """

    private static let yaml = """
        ParameterVocabularies:
          - ParameterNames: [INStartWorkoutIntent.workoutName]
            ParameterVocabulary:
              - VocabularyItemIdentifier: ultimate-run
                VocabularyItemSynonyms:
                  - VocabularyItemPhrase: Ultimate Run
                    VocabularyItemPronunciation: ull tim it run
                    VocabularyItemExamples: [Start an Ultimate Run]
                  - VocabularyItemPhrase: Big & long
        IntentPhrases:
          - {IntentName: INStartWorkoutIntent, IntentExamples: [Start an Ultimate Run]}
        """

    private func read(_ files: [String: Data]) throws -> VocabularyFiles {
        for (name, data) in files {
            let path = self.directory.file(name)
            let folder = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try data.write(to: URL(fileURLWithPath: path))
        }
        return VocabularyFiles(directory: self.directory.path)
    }

    private func problems(_ files: [String: String]) throws -> [String] {
        try self.read(files.mapValues { Data($0.utf8) }).problems
            .map { $0.replacing(self.directory.path + "/", with: "") }
    }

    private static func binary(_ text: String) throws -> Data {
        var format = PropertyListSerialization.PropertyListFormat.xml
        let value = try PropertyListSerialization.propertyList(from: Data(text.utf8), options: [], format: &format)
        return try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
    }

    @Test(
        "Apple's own file, in XML or binary, and the same in YAML and JSON, are read alike (R36, behaviours 70, 71, 72)"
    )
    func readsPropertyListYAMLAndJSONAlike() throws {
        let json = try DefinitionDocument(self.directory.write(Self.yaml, to: "x.yaml")).json
        let files = try self.read([
            "en.lproj/AppIntentVocabulary.plist": Data(Self.propertyList.utf8),
            "en-GB/AppIntentVocabulary.plist": Self.binary(Self.propertyList),
            "Base.lproj/AppIntentVocabulary.yaml": Data(Self.yaml.utf8),
            "de_AT.lproj/AppIntentVocabulary.json": Data(json.utf8),
            "fr.lproj/Localizable.strings": Data(),
        ])
        #expect(files.problems == [])
        #expect(files.vocabularies.map(\.locale).sorted() == ["", "de_AT", "en", "en-GB"])
        // The same content has the same digest, whatever the format.
        #expect(Set(files.vocabularies.map { $0.version.split(separator: ":")[1] }).count == 1)
        for vocabulary in files.vocabularies {
            #expect(vocabulary.parameters == ["INStartWorkoutIntent.workoutName"])
            let run = VocabularyTerm(
                identifier: "ultimate-run",
                phrases: [.init("Ultimate Run", pronunciation: "ull tim it run"), .init("Big & long")]
            )
            #expect(vocabulary.terms(of: "INStartWorkoutIntent.workoutName") == [run])
            #expect(vocabulary.intentExamples == ["INStartWorkoutIntent": ["Start an Ultimate Run"]])
        }
    }

    @Test("The keys of iOS 10 are read, too, and several vocabularies of one parameter are joined")
    func readsIOS10SpellingAndJoinsVocabularies() throws {
        let yaml = """
            ParameterVocabularies:
              - ParameterVocabularyName: A.b
                ParameterVocabulary:
                  - {VocabularyItemIdentifier: x, VocabularyItemPhrase: ex, VocabularyItemPronunciation: eks}
              - ParameterNames: [A.b, A.c]
                ParameterVocabulary:
                  - {VocabularyItemIdentifier: y, VocabularyItemSynonyms: [{VocabularyItemPhrase: why}]}
            """
        let files = try self.read(["AppIntentVocabulary.yaml": Data(yaml.utf8)])
        #expect(files.problems == [])
        let vocabulary = try #require(files.vocabularies.first)
        #expect(vocabulary.terms(of: "A.b").map(\.identifier) == ["x", "y"])
        #expect(vocabulary.terms(of: "A.c").map(\.identifier) == ["y"])
    }

    @Test("Problems have file and line, in a property list as in YAML and JSON")
    func problemsHaveFileAndLine() throws {
        let wrongList = Self.propertyList.replacing(
            "<string>Big &amp; long</string>",
            with: "<integer>7</integer>"
        )
        let broken = Self.propertyList.replacing("</dict>\n</plist>", with: "</dikt>\n</plist>")
        let yaml = Self.yaml.replacing("VocabularyItemPronunciation:", with: "VocabularyItemPronounciation:")
        let json = "{\"ParameterVocabularies\": [\n {\"ParameterNames\": [\"A\"],\n  \"ParameterVocabulary\": []}]}"
        let problems = try self.problems([
            "de/AppIntentVocabulary.plist": wrongList, "en/AppIntentVocabulary.yaml": yaml,
            "fr/AppIntentVocabulary.json": json, "it/AppIntentVocabulary.plist": broken,
        ])
        let expected = [
            "de/AppIntentVocabulary.plist:26: ParameterVocabularies[0].ParameterVocabulary[0].VocabularyItemSynonyms[1]"
                + ".VocabularyItemPhrase: a string is expected, not an integer",
            "en/AppIntentVocabulary.yaml:7: ParameterVocabularies[0].ParameterVocabulary[0].VocabularyItemSynonyms[0]"
                + ".VocabularyItemPronounciation: unknown key; known are ",
            "fr/AppIntentVocabulary.json:2: ParameterVocabularies[0].ParameterNames[0]: \"A\" is not a parameter's path",
            "it/AppIntentVocabulary.plist:",
        ]
        #expect(problems.count == expected.count, "\(problems)")
        for (problem, start) in zip(problems, expected) {
            #expect(problem.hasPrefix(start), "\(problem)")
        }
    }

    @Test(
        "What is missing or too long is reported",
        arguments: [
            (
                "ParameterVocabularies: [{ParameterVocabulary: []}]",
                "a list of names such as INStartWorkoutIntent.workoutName"
            ),
            ("ParameterVocabularies: [{ParameterNames: [A.b]}]", "the terms are required"),
            (
                "ParameterVocabularies: [{ParameterNames: [A.b], ParameterVocabulary: [{VocabularyItemIdentifier: x}]}]",
                "at least one phrase is required"
            ),
            (
                "ParameterVocabularies: [{ParameterNames: [A.b], ParameterVocabulary: [{VocabularyItemPhrase: x}]}]",
                "an identifier is required"
            ),
            (
                "ParameterVocabularies: [{ParameterNames: [A.b], ParameterVocabulary: ["
                    + "{VocabularyItemIdentifier: x, VocabularyItemPhrase: a}, {VocabularyItemIdentifier: x, VocabularyItemPhrase: b}]}]",
                "x is described twice, first at ParameterVocabularies[0].ParameterVocabulary[0]"
            ),
            (
                "ParameterVocabularies: [{ParameterNames: [A.b], ParameterVocabulary: [{VocabularyItemIdentifier: x, "
                    + "VocabularyItemPhrase: \(String(repeating: "é", count: 513))}]}]",
                "the text has 1026 bytes of UTF-16; 1024 at most are allowed"
            ),
            ("IntentPhrases: [{IntentExamples: [a]}]", "the intent's name is required"),
            ("[]", "a vocabulary is an object, not an array"), ("ParameterVocabularys: []", "unknown key"),
        ]
    )
    func reportsMissingAndLongEntries(yaml: String, message: String) throws {
        let problems = try self.problems(["en/AppIntentVocabulary.yaml": yaml])
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.hasPrefix("en/AppIntentVocabulary.yaml:1: ") == true, "\(problems)")
        #expect(problems.first?.contains(message) == true, "\(problems)")
    }

    @Test("A second file for a language, and a folder that is not a language, are reported")
    func refusesSecondFileAndUnknownLanguage() throws {
        let problems = try self.problems([
            "en/AppIntentVocabulary.yaml": "{}", "en.lproj/AppIntentVocabulary.json": "{}",
            "e/AppIntentVocabulary.yaml": "{}",
        ])
        #expect(
            problems
                == [
                    "e/AppIntentVocabulary.yaml: e is not a language such as de or de-AT",
                    "en.lproj/AppIntentVocabulary.json: \(self.directory.path)/en/AppIntentVocabulary.yaml is for the same "
                        + "language: keep one",
                ]
                .map { $0.replacing(self.directory.path + "/", with: "") }
        )
    }

    @Test(
        "An unknown parameter of a supported intent is an error with file and line; other intents are ignored"
    )
    func unknownParameterOfSupportedIntentIsError() throws {
        let definition = try self.directory.write(
            "{\"name\":\"A\",\"parameters\":[{\"name\":\"city\",\"type\":\"string\"}]}",
            to: "d.json"
        )
        _ = try self.read([
            "v/AppIntentVocabulary.yaml": Data(
                "ParameterVocabularies:\n- ParameterVocabulary: []\n  ParameterNames:\n  - X.y\n  - A.citty\n".utf8
            )
        ])
        var configuration = Configuration()
        configuration.values[Setting.definitions.key] = .init(value: .list([definition]), origin: .byDefault)
        configuration.values[Setting.vocabularies.key] = .init(
            value: .text(self.directory.file("v")),
            origin: .byDefault
        )
        let failure = try #require(throws: OperationError.self) {
            try IntentSet(configuration, sources: HandlerSources())
        }
        #expect(failure.code == .configuration)
        #expect(
            failure.message
                == "\(self.directory.path)/v/AppIntentVocabulary.yaml:5: A has no parameter citty; did you mean city?"
        )
    }

    @Test("The files of this repository are valid")
    func repositoryFilesAreValid() {
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let files = VocabularyFiles(directory: "/\(folder)/config/vocabularies")
        #expect(files.problems == [])
        #expect(files.vocabularies.count == 2)
    }
}
