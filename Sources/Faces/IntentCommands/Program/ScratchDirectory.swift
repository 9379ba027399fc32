import Foundation
import IntentEvents
import IntentOperations

/// A new directory of this process alone: a temporary one, which is removed afterwards, or one that is kept.
struct ScratchDirectory {
    let path: String
    /// Whether it remains, because the user has named its parent.
    let isKept: Bool

    /// Creates a directory with an unpredictable name that only its user may enter.
    ///
    /// With a predictable name, another user could create the directory first and read along.
    /// - Throws: ``OperationError``, `unavailable`.
    init(prefix: String) throws(OperationError) {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(prefix)-XXXXXX").path
        var template = Array(path.utf8CString)
        guard mkdtemp(&template) != nil else {
            let reason = String(cString: strerror(errno))
            throw OperationError(.unavailable, "cannot create a directory \(path): \(reason); name one with --data")
        }
        self.path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.isKept = false
    }

    /// Creates a directory that is kept, `<prefix>-<time>-<number>`, which only its user may enter.
    ///
    /// - Parameters:
    ///   - parent: Where it is created; it is created too where it is missing.
    ///   - prefix: The first part of its name.
    ///   - time: The second part, in seconds; the number distinguishes those of one second.
    /// - Throws: ``OperationError``, `unavailable`.
    init(in parent: String, prefix: String, at time: Timestamp) throws(OperationError) {
        PrivateFiles.begin()
        func failure(_ reason: String) -> OperationError {
            OperationError(.unavailable, "cannot create a directory in \(parent): \(reason); choose another --data")
        }
        do {
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        } catch {
            throw failure(error.localizedDescription)
        }
        let seconds = time.description.prefix { $0 != "." && $0 != "Z" }.filter { $0.isNumber || $0 == "T" }
        let name = "\(parent)\(parent.hasSuffix("/") ? "" : "/")\(prefix)-\(seconds)"
        var number = 1
        // Another process may take the same name at the same time.
        while mkdir("\(name)-\(number)", 0o700) != 0 {
            guard errno == EEXIST else { throw failure(String(cString: strerror(errno))) }
            number += 1
        }
        self.path = "\(name)-\(number)"
        self.isKept = true
    }

    /// Removes it with everything in it, unless it is kept.
    func remove() {
        guard !self.isKept else { return }
        try? FileManager.default.removeItem(atPath: self.path)
    }
}
