import Foundation

/// Files that a command was told to write.
enum OutputFile {
    /// Writes a file, in place of one that is there.
    /// - Throws: ``CommandFailure`` (66) when it cannot be written.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            // The mask may have been narrowed for the data directory, which this file is not in.
            chmod(path, PrivateFiles.outputMode)
        } catch {
            throw CommandFailure(.noInput, "\(path): cannot be written: \(error.localizedDescription)")
        }
    }
}
