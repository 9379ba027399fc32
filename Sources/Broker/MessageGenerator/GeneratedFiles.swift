package import Foundation

/// The Swift files that the definitions of the broker's messages result in.
package struct GeneratedFiles {
    /// The text of each, by its path in the package.
    package let texts: [String: String]
    /// The messages of each API, by its key.
    package let apis: [(request: MessageDefinition, response: MessageDefinition)]

    private let package: URL

    private static let definitions = "Sources/Broker/EmbeddedBroker/Messages"
    /// Only these files are in it.
    private static let folder = "Sources/Broker/EmbeddedBroker/Generated"
    private static let client = "Tests/Fuzzing/IntentFuzzing/Broker/ClientMessages.swift"

    /// Reads the definitions of the package in that directory.
    package init(package: URL) throws {
        self.package = package
        let folder = package.appending(path: Self.definitions)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
        self.apis =
            try names.map { name in
                try MessageDefinition.api(named: name, from: Data(contentsOf: folder.appending(path: "\(name).json")))
            }
            .sorted { $0.request.apiKey < $1.request.apiKey }
        let requests = self.apis.map(\.request)
        guard Set(requests.map(\.apiKey)).count == requests.count else {
            throw DefinitionError(location: Self.definitions, problem: "two APIs have the same key")
        }
        var texts = [
            "\(Self.folder)/ApiKey.swift": SwiftText.apiKey(requests, from: Self.definitions),
            "\(Self.folder)/Request.swift": SwiftText.request(requests, from: Self.definitions),
            Self.client: SwiftText.client(self.apis, from: Self.definitions),
        ]
        for (request, response) in self.apis {
            let source = "\(Self.definitions)/\(request.api).json"
            texts["\(Self.folder)/\(request.api).swift"] = SwiftText.api(request, response, from: source)
        }
        self.texts = texts
    }

    /// The paths of the files that are not there, have another text, or should not be there.
    package func outdated() -> [String] {
        let there =
            (try? FileManager.default.contentsOfDirectory(atPath: self.package.appending(path: Self.folder).path)) ?? []
        let surplus = there.map { "\(Self.folder)/\($0)" }.filter { self.texts[$0] == nil }
        let changed = self.texts.filter { path, text in
            (try? String(contentsOf: self.package.appending(path: path), encoding: .utf8)) != text
        }
        return (surplus + changed.keys).sorted()
    }

    /// Brings all up to date, and returns the paths of those that were not.
    package func write() throws -> [String] {
        let outdated = self.outdated()
        let folder = self.package.appending(path: Self.folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for path in outdated {
            let file = self.package.appending(path: path)
            if let text = self.texts[path] {
                try text.write(to: file, atomically: true, encoding: .utf8)
            } else {
                try FileManager.default.removeItem(at: file)
            }
        }
        return outdated
    }
}
