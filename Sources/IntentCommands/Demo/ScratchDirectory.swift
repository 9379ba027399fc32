import Foundation

/// A directory that is made when it is first written to and removed afterwards.
struct ScratchDirectory {
    /// Its path.
    let path: String

    /// Names a directory that nobody else has.
    init(prefix: String) {
        self.path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("\(prefix)-\(ProcessInfo.processInfo.processIdentifier)").path
    }

    /// Removes it with everything in it.
    func remove() {
        try? FileManager.default.removeItem(atPath: self.path)
    }
}
