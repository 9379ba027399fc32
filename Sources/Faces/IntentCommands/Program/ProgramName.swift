import Foundation
import IntentOperations

/// The name of the running program: packages with handlers of their own have a name of their own.
enum ProgramName {
    /// intentd's own name, which texts about commands use.
    private static let ours = "intentd"

    /// The name by which it was run.
    @TaskLocal static var current: String = Self.ours

    /// The name of this process's program.
    static var ofProcess: String {
        let name = CommandLine.arguments.first.map { URL(filePath: $0).lastPathComponent } ?? ""
        return name.isEmpty ? Self.ours : SafeText.line(name)
    }

    /// A text with commands, such as "see `intentd list`", under this program's name.
    static func naming(_ text: String) -> String {
        Self.current == Self.ours ? text : text.replacing("`\(Self.ours) ", with: "`\(Self.current) ")
    }
}
