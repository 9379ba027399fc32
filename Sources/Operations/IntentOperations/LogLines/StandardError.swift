internal import Foundation

/// The output of this process besides its results.
package enum StandardError {
    /// Receives what a task writes; nil for the process's own output.
    @TaskLocal package static var receiver: (@Sendable (String) -> Void)?

    /// Writes text as it is; text that cannot be written, as on a full disk, is dropped: a worker does not stop because
    /// its log file cannot grow.
    package static func write(_ text: String) {
        if let receiver = Self.receiver { return receiver(text) }
        _ = OutputDescriptor.write(text, to: STDERR_FILENO)
    }
}
