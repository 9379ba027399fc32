import Foundation

/// Files that a command reads.
enum InputFile {
    /// Reads a file of text.
    /// - Throws: ``CommandFailure``: no such file, a directory, no permission (66); not UTF-8 (65).
    static func text(of path: String) throws(CommandFailure) -> String {
        try Self.check(path)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.noInput, "\(path): cannot be read: \(String(cString: strerror(errno)))")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandFailure(.badData, "\(path): is not UTF-8 text")
        }
        return text
    }

    /// Checks that a file exists and is not a directory.
    /// - Throws: ``CommandFailure`` (66).
    static func check(_ path: String) throws(CommandFailure) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw CommandFailure(.noInput, "\(path): there is no such file")
        }
        guard !isDirectory.boolValue else {
            throw CommandFailure(.noInput, "\(path): is a directory; name a file in it")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw CommandFailure(.noInput, "\(path): may not be read by this user")
        }
    }
}
