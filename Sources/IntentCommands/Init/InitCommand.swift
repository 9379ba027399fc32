import ArgumentParser
import Foundation

/// `intentd init`: writes the beginning of an intent of one's own.
struct InitCommand: ParsableCommand {
    /// What handlers can be written in.
    enum Language: String, ExpressibleByArgument, CaseIterable {
        /// A service for a declared intent, with Python's standard library alone.
        case python
    }

    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write the beginning of an intent of your own into a folder.",
        discussion: """
            In the folder are the definition, a service that resolves, confirms and handles \
            the intent, and scenarios that pass while the service runs.
            """
    )

    @Argument(help: "The intent's name, such as OrderTea.")
    var name: String

    @Option(help: "What the service is written in: python.")
    var language: Language

    @Option(help: ArgumentHelp("The port on the loopback interface that the service listens on.", valueName: "port"))
    var port = 8000

    @Option(help: ArgumentHelp("The folder, which is made. (default: the intent's name)", valueName: "dir"))
    var output: String?

    func validate() throws {
        let isName = self.name.utf8.allSatisfy { byte in
            byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
        }
        guard isName, self.name.first?.isLetter == true, self.name.utf8.count <= 100 else {
            throw ValidationError("'\(self.name)' is no name: letters and digits are, a letter first, such as OrderTea")
        }
        guard (1...65_535).contains(self.port) else { throw ValidationError("--port is 1 to 65535") }
    }

    func run() throws {
        let folder = self.output ?? self.name
        guard !FileManager.default.fileExists(atPath: folder) else {
            throw CommandFailure(.usage, "\(folder) is there already: choose another one with --output")
        }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(.noInput, "\(folder): cannot be made: \(error.localizedDescription)")
        }
        for (name, text) in PythonTemplate.files(intent: self.name, port: self.port) {
            try OutputFile.write(text, to: "\(folder)/\(name)")
            StandardOutput.print("\(folder)/\(name)")
        }
        StandardError.report("how to go on stands in \(folder)/README.md")
    }
}
