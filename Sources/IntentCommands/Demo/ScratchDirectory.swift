import Foundation

/// A directory of this process's own, removed afterwards.
struct ScratchDirectory {
    /// Its path.
    let path: String

    /// Makes a directory whose name nobody can guess, and which its user alone may enter.
    ///
    /// A name that could be guessed might have been taken before, by somebody who then reads along.
    /// - Throws: ``CommandFailure``, `unavailable`.
    init(prefix: String) throws(CommandFailure) {
        let place = FileManager.default.temporaryDirectory.appending(path: "\(prefix)-XXXXXX").path
        var template = Array(place.utf8CString)
        guard mkdtemp(&template) != nil else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(.unavailable, "cannot make a directory \(place): \(reason); name one with --data")
        }
        self.path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes it with everything in it.
    func remove() {
        try? FileManager.default.removeItem(atPath: self.path)
    }
}
