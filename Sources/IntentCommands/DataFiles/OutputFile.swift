import Foundation

/// Files that a command writes.
enum OutputFile {
    /// Writes a file, replacing an existing one.
    /// - Throws: ``CommandFailure`` (66) when it cannot be written.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            // The mask may have been restricted for the data directory, and this file is elsewhere.
            chmod(path, PrivateFiles.outputMode)
        } catch {
            throw CommandFailure(.noInput, "\(path): cannot be written: \(error.localizedDescription)")
        }
    }
}
