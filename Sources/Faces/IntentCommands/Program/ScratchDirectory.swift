import Foundation
import IntentOperations

/// A temporary directory of this process, removed afterwards.
struct ScratchDirectory {
    let path: String

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
    }

    /// Removes it with everything in it.
    func remove() {
        try? FileManager.default.removeItem(atPath: self.path)
    }
}
