import Foundation

/// Files that a command reads.
enum InputFile {
    /// Reads a file of text that people have written.
    /// - Throws: ``CommandFailure``: no such file, a directory, no permission (66); not UTF-8, or too large (65).
    static func text(of path: String, maximumBytes: Int = DocumentWeight.maximumFileBytes) throws(CommandFailure)
        -> String
    {
        let data = try Self.data(of: path, maximumBytes: maximumBytes)
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandFailure(.badData, "\(path): is not UTF-8 text")
        }
        return text
    }

    /// Reads a file, and no more of it than may be read: a device or a pipe has no size, and need not end.
    /// - Throws: ``CommandFailure``: no such file, a directory, no permission (66); too large (65).
    static func data(of path: String, maximumBytes: Int = DocumentWeight.maximumFileBytes) throws(CommandFailure)
        -> Data
    {
        try Self.check(path)
        let data: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            data = try file.read(upToCount: maximumBytes + 1) ?? Data()
        } catch {
            throw CommandFailure(.noInput, "\(path): cannot be read: \(error.localizedDescription)")
        }
        guard data.count <= maximumBytes else {
            throw CommandFailure(.badData, "\(path): is larger than \(maximumBytes >> 20) MiB")
        }
        return data
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
