internal import Foundation
internal import Synchronization

/// Makes the files that this process creates from now on accessible to its user only: they contain what users said.
package enum PrivateFiles {
    /// The user's own mask, from before it was restricted.
    private static let original = Mutex<mode_t?>(nil)

    /// Makes new files get mode 0600 and new directories 0700, including SQLite's logs and journals.
    package static func begin() {
        self.original.withLock { original in
            let mask = umask(0o077)
            if original == nil { original = mask }
        }
    }

    /// The mode of an output file, as the user wants it.
    static var outputMode: mode_t { 0o666 & ~(self.original.withLock(\.self) ?? Self.currentMask) }

    /// Restricts the files of ours in a directory that others can access.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - isOurs: Recognises our files by their names.
    /// - Returns: The names of the files that were restricted, and of those that another user owns.
    static func tighten(in path: String, where isOurs: (String) -> Bool) -> (tightened: [String], foreign: [String]) {
        var (tightened, foreign): ([String], [String]) = ([], [])
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where isOurs(name) {
            let file = path + "/" + name
            guard let mode = Self.mode(of: file, S_IFREG), mode & 0o077 != 0 else { continue }
            if chmod(file, mode & 0o700) == 0 { tightened.append(name) } else { foreign.append(name) }
        }
        return (tightened.sorted(), foreign.sorted())
    }

    /// The permissions of a directory; nil when it is not one.
    static func mode(ofDirectory path: String) -> mode_t? { Self.mode(of: path, S_IFDIR) }

    /// The permissions of a file that is not a link; nil when it is of another kind.
    private static func mode(of path: String, _ kind: mode_t) -> mode_t? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == kind else { return nil }
        return status.st_mode & 0o7777
    }

    private static var currentMask: mode_t {
        let mask = umask(0o077)
        _ = umask(mask)
        return mask
    }
}
