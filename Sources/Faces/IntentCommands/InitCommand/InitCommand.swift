import ArgumentParser
import Foundation
import IntentOperations
import WireDocuments

/// `intentd init`: writes the files of a new intent.
struct InitCommand: ParsableCommand {
    /// The languages of handlers.
    enum Language: String, ExpressibleByArgument, CaseIterable {
        /// A package with the handler, a program that serves it, a test and scenarios.
        case swift
        /// A service for a declared intent, using only Python's standard library.
        case python
    }

    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Create a starter project for an intent of your own, or a client that asks for one.",
        discussion: """
            In Swift it is a package with the intent, its handler, a program that serves it, and a test; in Python a \
            definition with a service that resolves, confirms and handles the intent; with --declared a definition \
            alone. Each has scenarios that pass, and a README with the commands. With --client it is a program that \
            asks the gateway for the intent, in Python or for Node.
            """
    )

    @Argument(help: "The intent's name, such as OrderTea.")
    var name: String

    @Option(help: "The language of the handler: swift or python. (default: swift)")
    var language: Language?

    @Flag(help: "Create a declared intent, which needs no code.")
    var declared = false

    @Option(help: "Create a client of the gateway in this language: python or typescript.")
    var client: ClientTypes.Language?

    @Option(
        help: ArgumentHelp(
            "The path of the intentd package, on which a Swift project or a client depends. (default: a placeholder)",
            valueName: "dir"
        )
    )
    var packagePath: String?

    @Option(
        help: ArgumentHelp(
            "The port on the loopback interface that a service in Python listens on. (default: 8000)",
            valueName: "port"
        )
    )
    var port: Int?

    @Option(help: ArgumentHelp("The folder to create. (default: the intent's name)", valueName: "dir"))
    var output: String?

    func validate() throws {
        let isName = self.name.utf8.allSatisfy { byte in
            byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
        }
        guard isName, self.name.first?.isLetter == true, self.name.utf8.count <= 100 else {
            throw ValidationError(
                "'\(self.name)' is not a valid name: use letters and digits, starting with a letter, such as OrderTea"
            )
        }
        guard (1...65_535).contains(self.port ?? 1) else { throw ValidationError("--port is 1 to 65535") }
        guard self.client == nil || (!self.declared && self.language == nil) else {
            throw ValidationError("--client excludes --declared and --language: a client can ask for any intent")
        }
        guard !self.declared || self.language == nil else {
            throw ValidationError("--declared excludes --language: a declared intent has no code")
        }
        let isSwift = !self.declared && self.language != .python && self.client == nil
        guard !isSwift || !SwiftTemplate.reservedNames.contains(self.name) else {
            throw ValidationError("'\(self.name)' is reserved by Swift or intentd: use another name, such as OrderTea")
        }
        guard self.packagePath == nil || isSwift || self.client != nil else {
            throw ValidationError("--package-path applies only to an intent in Swift and to a client")
        }
        guard self.port == nil || self.language == .python else {
            throw ValidationError("--port applies only to a service in Python: add --language python")
        }
    }

    func run() throws {
        let folder = self.output ?? self.name
        guard !FileManager.default.fileExists(atPath: folder) else {
            throw OperationError(.usage, "\(folder) exists already: choose another folder with --output")
        }
        for (name, text) in try self.files() {
            let path = "\(folder)/\(name)"
            let directory = URL(filePath: path).deletingLastPathComponent().path
            do {
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            } catch {
                throw OperationError(.noInput, "\(directory): cannot be created: \(error.localizedDescription)")
            }
            try OutputFile.write(text, to: path)
            StandardOutput.print(path)
        }
        if !self.declared, self.language != .python, self.packagePath == nil {
            let file = self.client.map(ClientTemplate.manifestName) ?? "Package.swift"
            StandardError.report(
                "set the location of intentd in \(folder)/\(file), or run init again with --package-path"
            )
        }
        StandardError.report("next steps: see \(folder)/README.md")
    }

    private func files() throws(OperationError) -> [(name: String, text: String)] {
        if self.declared { return DeclaredTemplate.files(intent: self.name) }
        if self.language == .python { return PythonTemplate.files(intent: self.name, port: self.port ?? 8000) }
        let package = try self.package()
        if let client { return ClientTemplate.files(intent: self.name, in: client, package: package) }
        return SwiftTemplate.files(intent: self.name, package: package)
    }

    /// The path of intentd's package, if it is given.
    private func package() throws(OperationError) -> String? {
        guard let packagePath else { return nil }
        let package = URL(filePath: packagePath).standardizedFileURL.path
        guard FileManager.default.fileExists(atPath: "\(package)/Sources/Kit/IntentKit") else {
            throw OperationError(
                .noInput,
                """
                \(package) is not intentd's package: it has no Sources/Kit/IntentKit; --package-path must name \
                the folder of intentd's repository
                """
            )
        }
        return package
    }
}
