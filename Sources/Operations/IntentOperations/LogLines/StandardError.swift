internal import Foundation

/// The output of this process besides its results.
package enum StandardError {
    /// Receives what a task writes; nil for the process's own output.
    @TaskLocal package static var receiver: (@Sendable (String) -> Void)?

    /// Writes text as it is.
    package static func write(_ text: String) {
        if let receiver = Self.receiver { return receiver(text) }
        FileHandle.standardError.write(Data(text.utf8))
    }
}
