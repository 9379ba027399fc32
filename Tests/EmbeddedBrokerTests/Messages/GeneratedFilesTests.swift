import Foundation
import MessageGenerator
import Testing

@Suite("The Swift files of the broker's messages")
struct GeneratedFilesTests {
    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "are what the definitions result in; if not: swift run generate-messages",
        .disabled(if: ProcessInfo.processInfo.environment["INTENTD_TEST_MUTANT"] != nil, "mutants differ on purpose")
    )
    func areUpToDate() throws {
        #expect(try GeneratedFiles(package: Self.package).outdated() == [])
    }

    @Test("are written where they are missing or differ, and removed where there is no definition")
    func written() throws {
        let package = FileManager.default.temporaryDirectory.appending(path: "messages-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: package) }
        let definitions = "Sources/Broker/EmbeddedBroker/Messages"
        let generated = package.appending(path: "Sources/Broker/EmbeddedBroker/Generated")
        for folder in [definitions, "Tests/Fuzzing/IntentFuzzing/Broker"] {
            let path = package.appending(path: folder).path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(
            at: Self.package.appending(path: "\(definitions)/Heartbeat.json"),
            to: package.appending(path: "\(definitions)/Heartbeat.json")
        )
        let files = try GeneratedFiles(package: package)
        #expect(try files.write() == files.texts.keys.sorted())
        #expect(try files.write() == [])
        try "changed".write(to: generated.appending(path: "Heartbeat.swift"), atomically: true, encoding: .utf8)
        try "surplus".write(to: generated.appending(path: "Other.swift"), atomically: true, encoding: .utf8)
        #expect(try files.write().map { $0.split(separator: "/").last } == ["Heartbeat.swift", "Other.swift"])
        #expect(files.outdated() == [])
    }

    private static func definition(request field: String, responseVersions: String = "0-3") throws {
        let json = """
            [
              { "apiKey": 99, "type": "request", "name": "TryRequest",
                "validVersions": "0-3", "flexibleVersions": "2+", "fields": [\(field)] },
              // Comments are as in Kafka's files.
              { "apiKey": 99, "type": "response", "name": "TryResponse",
                "validVersions": "\(responseVersions)", "flexibleVersions": "2+", "fields": [] }
            ]
            """
        _ = try MessageDefinition.api(named: "Try", from: Data(json.utf8))
    }

    @Test(
        "are not made from a definition with something that the broker does not do",
        arguments: [
            #"{ "name": "A", "type": "int8", "versions": "0+", "tag": 0 }"#,
            #"{ "name": "A", "type": "int8", "versions": "0-4" }"#,
            #"{ "name": "A", "type": "int8", "versions": "2-1" }"#,
            #"{ "name": "A", "type": "int8", "versions": "" }"#,
            #"{ "name": "A", "type": "int8", "versions": "0+", "nullableVersions": "0+" }"#,
            #"{ "name": "A", "type": "string", "versions": "1+", "nullableVersions": "0+" }"#,
            #"{ "name": "A", "type": "string", "versions": "0+", "nullableVersions": "0+", "default": "a" }"#,
            #"{ "name": "A", "type": "int8", "versions": "0+", "default": "128" }"#,
            #"{ "name": "A", "type": "bool", "versions": "0+", "default": "1" }"#,
            #"{ "name": "A", "type": "int8", "versions": "0+", "entityType": "topicName" }"#,
            #"{ "name": "A", "type": "string", "versions": "0+", "entityType": "brokerId" }"#,
            #"{ "name": "A", "type": "float64", "versions": "0+" }"#,
            #"{ "name": "A", "type": "[]int8", "versions": "0+" }"#,
            #"{ "name": "A", "type": "[]B", "versions": "0+" }"#,
            #"{ "name": "A", "type": "B", "versions": "0+", "fields": [] }"#,
            #"{ "name": "A", "type": "int8", "versions": "0+", "fields": [] }"#,
            #"{ "name": "A", "type": "[]B", "versions": "2+", "fields": [{ "name": "C", "type": "int8", "versions": "0+" }] }"#,
            #"{ "name": "A", "type": "int8", "versions": "0+" }, { "name": "A", "type": "int8", "versions": "0+" }"#,
        ]
    )
    func refused(field: String) throws {
        #expect(throws: DefinitionError.self) { try Self.definition(request: field) }
    }

    @Test("are not made where request and response differ in their versions")
    func differing() throws {
        try Self.definition(request: #"{ "name": "A", "type": "int8", "versions": "0+", "default": "127" }"#)
        #expect(throws: DefinitionError.self) { try Self.definition(request: "", responseVersions: "0-4") }
    }
}
