import ArgumentParser
import DeclaredIntents
import Foundation
import IntentKit
import IntentOperations
import WireDocuments

/// `intentd schema`: prints or writes the JSON Schemas of the events, the AsyncAPI and the OpenAPI document.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Print the JSON Schemas of events, or the AsyncAPI and OpenAPI documents.",
        discussion: """
            Without arguments, prints the AsyncAPI 3.0 document of all topics; with an event type, such as prompt.issued, \
            the JSON Schema of its data. structured, values and dead-letter-headers are further schemas; openapi is the \
            OpenAPI 3.1 document of the calls to services of declared intents. With --output, writes all documents to a \
            directory. With --client, prints the types of the events' data for a client of the gateway in Python or \
            TypeScript.
            """
    )

    @Argument(help: ArgumentHelp("The document to print. (default: asyncapi)", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("Write all documents to this directory.", valueName: "dir"))
    var output: String?

    @Option(help: "Print the types of the data of events in this language: python or typescript.")
    var client: ClientTypes.Language?

    func validate() throws {
        if self.client != nil && (self.name != nil || self.output != nil) {
            throw ValidationError("--client prints the types of one language: leave out the name and --output")
        }
        if self.name != nil && self.output != nil {
            throw ValidationError("--output writes all documents: leave out '\(self.name!)'")
        }
    }

    func run() throws {
        if let client {
            StandardOutput.write(ClientTypes.text(in: client))
            return
        }
        let files = Self.files(version: ProgramVersion.number)
        if let output {
            for file in files { try Self.write(file, in: output) }
            StandardError.report("wrote \(files.count) documents to \(output)")
            return
        }
        let name = self.name ?? "asyncapi"
        guard let file = files.first(where: { $0.name == name }) else {
            let names = files.map(\.name)
            throw OperationError(
                .usage,
                "unknown schema \(name)\(NearMiss.hint(name, among: names)); known schemas are \(names.joined(separator: ", "))"
            )
        }
        StandardOutput.write(file.text)
    }

    /// All documents: those of the topics, and the one of services.
    static func files(version: String) -> [WireDocument] {
        WireDocument.all(version: version) + [
            WireDocument(path: "openapi.json", json: OpenAPIDocument(version: version).json)
        ]
    }

    private static func write(_ file: WireDocument, in directory: String) throws(OperationError) {
        let path = "\(directory)/\(file.path)"
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        } catch {
            throw OperationError(.noInput, "\(parent.path): cannot be created: \(error.localizedDescription)")
        }
        try OutputFile.write(file.text, to: path)
    }
}

extension ClientTypes.Language: ExpressibleByArgument {}

extension WireDocument {
    /// The document's name on the command line: its file without directory and extension.
    fileprivate var name: String {
        String(self.path.dropLast(".json".count).split(separator: "/").last ?? "")
    }
}
