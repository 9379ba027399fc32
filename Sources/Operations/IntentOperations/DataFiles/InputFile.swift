package import Foundation

/// Files that a command reads.
package enum InputFile {
    /// Reads a file of text that people have written.
    /// - Throws: ``OperationError``: file not found, a directory, no permission (66); not UTF-8, or too large (65).
    package static func text(of path: String, maximumBytes: Int = DocumentWeight.maximumFileBytes)
        throws(OperationError)
        -> String
    {
        let data = try Self.data(of: path, maximumBytes: maximumBytes)
        guard let text = String(validating: data, as: UTF8.self) else {
            throw OperationError(.badData, "\(path): is not UTF-8 text")
        }
        return text
    }

    /// Reads a file, and no more of it than may be read: a device or a pipe has no size, and need not end.
    /// - Throws: ``OperationError``: file not found, a directory, no permission (66); too large (65).
    package static func data(of path: String, maximumBytes: Int = DocumentWeight.maximumFileBytes)
        throws(OperationError)
        -> Data
    {
        try Self.check(path)
        let data: Data
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            data = try file.read(upToCount: maximumBytes + 1) ?? Data()
        } catch {
            throw OperationError(.noInput, "\(path): cannot be read: \(error.localizedDescription)")
        }
        guard data.count <= maximumBytes else {
            throw OperationError(.badData, "\(path): is larger than \(maximumBytes >> 20) MiB")
        }
        return data
    }

    /// Checks that a file exists and is not a directory.
    /// - Throws: ``OperationError`` (66).
    package static func check(_ path: String) throws(OperationError) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw OperationError(.noInput, "\(path): no such file")
        }
        guard !isDirectory.boolValue else {
            throw OperationError(.noInput, "\(path): is a directory; name a file in it")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw OperationError(.noInput, "\(path): may not be read by this user")
        }
    }
}
