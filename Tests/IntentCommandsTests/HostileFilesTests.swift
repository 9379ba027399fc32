import Foundation
import IntentKit
import IntentLab
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("Files that expand, and files of another kind")
struct HostileFilesTests {
    private let directory: TemporaryDirectory

    init() throws { self.directory = try TemporaryDirectory() }

    /// About 400 bytes that stand for 9⁹ texts.
    private static let aliasBomb: String = {
        var lines = ["a: &a [ha, ha, ha, ha, ha, ha, ha, ha, ha]"]
        for (name, before) in zip("bcdefghi", "abcdefgh") {
            lines.append("\(name): &\(name) [" + Array(repeating: "*\(before)", count: 9).joined(separator: ", ") + "]")
        }
        return lines.joined(separator: "\n") + "\n"
    }()

    /// A binary property list whose objects are lists of ten references to the next one.
    private static func binaryBomb(levels: Int) -> Data {
        var data = Data("bplist00".utf8)
        var offsets: [Int] = []
        for level in 0..<levels {
            offsets.append(data.count)
            data.append(0xAA)
            data.append(contentsOf: Array(repeating: UInt8(level + 1), count: 10))
        }
        offsets.append(data.count)
        data.append(contentsOf: [0x51, 0x61])
        let table = data.count
        for offset in offsets { data.append(contentsOf: [UInt8(offset >> 8), UInt8(offset & 0xFF)]) }
        data.append(contentsOf: [0, 0, 0, 0, 0, 0, 2, 1])
        for number in [offsets.count, 0, table] {
            withUnsafeBytes(of: UInt64(number).bigEndian) { data.append(contentsOf: $0) }
        }
        return data
    }

    private func check(_ options: String...) async -> Printed {
        await Printed.by(["config", "check"] + options)
    }

    /// Nothing but the file is configured.
    private func configuration(_ text: String) throws -> String {
        let nowhere = self.directory.file("none")
        return try self.directory.write(
            "vocabularies: \(nowhere)\nprompts.directory: \(nowhere)\nsamples: false\n" + text,
            to: "intentd.yaml"
        )
    }

    @Test("`config check` refuses aliases that expand to gigabytes, with file and line, wherever they are")
    func configCheckRefusesAliasBombs() async throws {
        let bomb = try self.directory.write(Self.aliasBomb, to: "bomb.yaml")
        let message = ":6: this file holds more than 500000 values, repetitions included"
        let definitions = await self.check("--config", try self.configuration("definitions: [\(bomb)]\n"))
        #expect(definitions.status == 78)
        #expect(definitions.errors.contains("\(bomb)\(message)"), "\(definitions.errors)")
        let configured = await self.check("--config", bomb)
        #expect(configured.status == 78)
        #expect(configured.errors.contains("\(bomb)\(message)"), "\(configured.errors)")
        for (setting, name) in [
            ("vocabularies", "AppIntentVocabulary.yaml"), ("prompts.directory", "de.yaml"),
        ] {
            let folder = "folder-\(name)"
            try FileManager.default.createDirectory(
                atPath: self.directory.file(folder),
                withIntermediateDirectories: true
            )
            let file = try self.directory.write(Self.aliasBomb, to: "\(folder)/\(name)")
            let configuration = try self.directory.write(
                "\(setting): \(self.directory.file(folder))\n",
                to: "c-\(name)"
            )
            let checked = await self.check("--config", configuration)
            #expect(checked.status == 78)
            #expect(checked.errors.contains("\(file)\(message)"), "\(checked.errors)")
        }
    }

    @Test("A key that is a bomb is refused before it is hashed")
    func refusesBombAsKey() throws {
        let failure = #expect(throws: OperationError.self) {
            try YAMLFile("b.yaml", text: Self.aliasBomb + "? *i\n: x\n", invalid: .configuration)
        }
        #expect(failure?.message == "b.yaml:6: this file holds more than 500000 values, repetitions included")
    }

    @Test("A long text that is repeated counts with each repetition")
    func countsEachRepetitionOfLongText() throws {
        let text =
            "a: &a \(String(repeating: "x", count: 1 << 20))\nb:\n"
            + String(repeating: "- *a\n", count: 20)
        let failure = #expect(throws: OperationError.self) {
            try YAMLFile("b.yaml", text: text, invalid: .configuration)
        }
        #expect(failure?.message == "b.yaml:17: this file holds more than 16 MiB of text, repetitions included")
    }

    @Test("Aliases that expand to little are accepted, also for an anchor that is redefined")
    func acceptsSmallAliases() throws {
        let file = try YAMLFile(
            "a.yaml",
            text: "a: &x {k: 1}\nb: *x\nc: &x [2]\nd: *x\n",
            invalid: .configuration
        )
        #expect(file.json == ["a": ["k": 1], "b": ["k": 1], "c": [2], "d": [2]])
    }

    @Test("64 levels are accepted and 65 refused, in YAML, through aliases and in JSON")
    func boundsDepth() async throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        let expected = "this file holds values at a greater depth than 64"
        _ = try YAMLFile("d.yaml", text: nested(64), invalid: .configuration)
        let deep = #expect(throws: OperationError.self) {
            try YAMLFile("d.yaml", text: "\n" + nested(65), invalid: .configuration)
        }
        #expect(deep?.message == "d.yaml:2: \(expected)")
        let chained = (1...40).map { "k\($0): &k\($0) [[\($0 == 1 ? "x" : "*k\($0 - 1)")]]\n" }.joined()
        let throughAliases = #expect(throws: OperationError.self) {
            try YAMLFile("d.yaml", text: chained, invalid: .configuration)
        }
        #expect(throughAliases?.message == "d.yaml:32: \(expected)")
        let json = try self.directory.write(nested(65), to: "d.json")
        let checked = await self.check("--config", try self.configuration("definitions: [\(json)]\n"))
        #expect(checked.status == 78)
        #expect(checked.errors.contains("\(json):1: this is not JSON: "), "\(checked.errors)")
    }

    @Test("A file of more than 4 MiB is refused, and an endless device is not read to its end")
    func boundsFileSize() async throws {
        let large = try self.directory.write(
            "name: A\n" + String(repeating: "#\n", count: 2 << 20),
            to: "large.yaml"
        )
        for file in [large, "/dev/zero"] {
            let checked = await self.check("--config", try self.configuration("definitions: [\(file)]\n"))
            #expect(checked.status == 65)
            #expect(checked.errors.contains("\(file): is larger than 4 MiB"), "\(checked.errors)")
        }
    }

    @Test("The largest vocabulary that one parameter may have is accepted")
    func acceptsLargestVocabulary() throws {
        let items = (0..<10_000)
            .map {
                "  - {VocabularyItemIdentifier: i\($0), VocabularyItemSynonyms: [{VocabularyItemPhrase: p\($0)}]}\n"
            }
        try YAMLBounds.check(
            "ParameterVocabularies:\n- ParameterNames: [A.b]\n  ParameterVocabulary:\n" + items.joined()
        )
    }

    @Test("A binary property list whose references expand to gigabytes is refused; a small one is accepted")
    func refusesBinaryPropertyListBomb() async throws {
        #expect(try PropertyListFile.json("v.plist", Self.binaryBomb(levels: 3)).array?.count == 10)
        let vocabularies = self.directory.file("v")
        try FileManager.default.createDirectory(atPath: vocabularies, withIntermediateDirectories: true)
        let path = "\(vocabularies)/AppIntentVocabulary.plist"
        try Self.binaryBomb(levels: 9).write(to: URL(filePath: path))
        let configuration = try self.directory.write("vocabularies: \(vocabularies)\n", to: "c.yaml")
        let checked = await self.check("--config", configuration)
        #expect(checked.status == 78)
        #expect(
            checked.errors.contains("\(path): this file holds more than 500000 values, repetitions included"),
            "\(checked.errors)"
        )
        // A list that holds itself.
        let own =
            Data("bplist00".utf8) + Data([0xA1, 0x00, 8, 0, 0, 0, 0, 0, 0, 1, 1])
            + Data([1, 0, 10].flatMap { Array(repeating: UInt8(0), count: 7) + [$0] })
        #expect(throws: OperationError.self) { try PropertyListFile.json("v.plist", own) }
    }

    @Test("Of a file that is not a definition no value is shown, of a key its beginning, and of many keys a few")
    func foreignFilesShowNoSecrets() async throws {
        let text = """
            password: hunter2-value
            "PRIVATE KEY \(String(repeating: "k", count: 60))tail": secret-value
            url: postgres://user:pass-value@host/db
            default: default-value
            """
        let definition = try self.directory.write(text, to: "secrets.yaml")
        let many = try self.directory.write(
            (0..<500).map { "token\($0): s3cret\n" }.joined(),
            to: "many.yaml"
        )
        let checked = await self.check(
            "--config",
            try self.configuration("definitions: [\(definition), \(many)]\n")
        )
        #expect(checked.status == 78)
        #expect(checked.errors.contains("secrets.yaml:1: password: unknown key; known are "), "\(checked.errors)")
        #expect(checked.errors.contains("secrets.yaml:2: PRIVATE KEY kkkk"))
        for hidden in ["-value", "tail", "s3cret"] { #expect(!checked.errors.contains(hidden), "\(checked.errors)") }
        #expect(checked.errors.contains("480 more unknown keys"))
        #expect(checked.errors.split(separator: "\n").count < 60)
    }

    @Test(
        "Nothing is shown of a file that is no configuration",
        arguments: ["export KEY=hunter2\n", "-----BEGIN KEY-----\nhunter2\n-----END KEY-----\n", "- hunter2\n"]
    )
    func showsNothingOfOtherFiles(text: String) async throws {
        let checked = await self.check("--config", try self.directory.write(text, to: "other.yaml"))
        #expect(checked.status == 78)
        #expect(checked.errors.contains("other.yaml:1: a configuration must be a mapping of keys to values, not a "))
        #expect(!checked.errors.contains("hunter2"), "\(checked.errors)")
    }

    @Test("Of many problems a hundred are listed", arguments: ["definitions", "configuration", "kafka"])
    func listsSomeProblems(kind: String) async throws {
        let path: String
        switch kind {
        case "definitions":
            let many = String(repeating: "---\nname: A\n", count: 300)
            path = try self.configuration("definitions: [\(try self.directory.write(many, to: "many.yaml"))]\n")
        case "kafka":
            path = try self.directory.write("kafka:\n" + (0..<300).map { "  k\($0): v\n" }.joined(), to: "c.yaml")
        default: path = try self.directory.write((0..<300).map { "k\($0): v\n" }.joined(), to: "c.yaml")
        }
        let checked = await self.check("--config", path)
        #expect(checked.status == 78)
        let lines = checked.errors.split(separator: "\n")
        #expect(lines.count { $0.contains(".yaml:") } == 100, "\(lines.count)")
        #expect(lines.last == "Further problems are not listed.")
    }

    @Test(
        "Many intents, many parameters and many unknown keys take no time that grows with their square",
        .timeLimit(.minutes(3))
    )
    func readsManyInTime() async throws {
        let numbers = 0..<30_000
        let texts = [
            numbers.map { "---\nname: A\($0)\n" }.joined(),
            "intents:\n" + numbers.map { "- name: A\($0)\n" }.joined(),
            "name: A\nparameters:\n" + numbers.map { "- {name: p\($0), type: string}\n" }.joined(),
        ]
        for (index, text) in texts.enumerated() {
            let file = try self.directory.write(text, to: "many\(index).yaml")
            let checked = await self.check("--config", try self.configuration("definitions: [\(file)]\n"))
            #expect(checked.status == 0, "\(checked.errors)")
        }
        let keys = numbers.map { "k\($0): v\n" }.joined()
        let refused = await self.check("--config", try self.directory.write(keys, to: "keys.yaml"))
        #expect(refused.status == 78)
    }

    @Test("An invalid value of a definition is not shown, unless it is a word of the definition's language")
    func invalidValuesAreNotShown() async throws {
        let definition = try self.directory.write(
            """
            name: A
            confirmation: \(String(repeating: "secret", count: 10))
            handler: {http: {url: "hunter2://a"}}
            parameters:
            - {name: p, type: integer, minimum: hunter2, values: [hunter2]}
            - {name: q, type: string, values: [tea, tea], default: hunter2}
            - {name: r, type: integer, default: hunter2}
            """,
            to: "d.yaml"
        )
        let checked = await self.check("--config", try self.configuration("definitions: [\(definition)]\n"))
        #expect(checked.status == 78)
        #expect(!checked.errors.contains("hunter2"), "\(checked.errors)")
        #expect(!checked.errors.contains(String(repeating: "secret", count: 7)), "\(checked.errors)")
        for line in [2, 3, 5, 6, 7] { #expect(checked.errors.contains("d.yaml:\(line): "), "\(checked.errors)") }
    }

    @Test("Each YAML document of a file is a definition, with the lines of the file")
    func readsSeveralDocuments() async throws {
        let file = try self.directory.write(
            "# two\nname: FirstIntent\n---\nname: SecondIntent\nparameters:\n- {name: p, type: string}\n---\n",
            to: "two.yaml"
        )
        let checked = await self.check("--config", try self.configuration("definitions: [\(file)]\n"))
        #expect(checked.status == 0, "\(checked.errors)")
        #expect(checked.text.contains("FirstIntent") && checked.text.contains("SecondIntent"))
        let wrong = try self.directory.write(
            "name: FirstIntent\n---\nname: SecondIntent\ntitel: x\n---\nname: FirstIntent\n",
            to: "two.yaml"
        )
        let refused = await self.check("--config", try self.configuration("definitions: [\(wrong)]\n"))
        #expect(refused.status == 78)
        #expect(refused.errors.contains("two.yaml:4: titel: unknown key"), "\(refused.errors)")
        #expect(refused.errors.contains("two.yaml:6: FirstIntent is declared twice, first at "), "\(refused.errors)")
    }

    @Test("A file that may hold one document is refused if it has two")
    func refusesSecondDocument() async throws {
        let file = try self.directory.write("prefix: a\n---\nprefix: b\n", to: "c.yaml")
        let checked = await self.check("--config", file)
        #expect(checked.status == 78)
        #expect(
            checked.errors.contains("c.yaml:3: a second document begins here, but this file must hold only one"),
            "\(checked.errors)"
        )
    }
}
