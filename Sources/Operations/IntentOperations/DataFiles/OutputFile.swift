internal import Foundation

/// Files that a command writes.
package enum OutputFile {
    /// Writes a file, replacing an existing one; a private one is its user's only.
    /// - Throws: ``OperationError`` (66) when it cannot be written.
    package static func write(_ text: String, to path: String, isPrivate: Bool = false) throws(OperationError) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            // The mask may have been restricted for the data directory, and this file is elsewhere.
            chmod(path, isPrivate ? 0o600 : PrivateFiles.outputMode)
        } catch {
            throw OperationError(.noInput, "\(path): cannot be written: \(error.localizedDescription)")
        }
    }
}
