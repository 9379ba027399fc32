import Foundation
import Synchronization

/// Sees that what this process makes from now on is its user's alone: what users said is in these files.
enum PrivateFiles {
    /// The user's own mask, from before it was narrowed.
    private static let original = Mutex<mode_t?>(nil)

    /// Has new files made as 0600 and new directories as 0700, SQLite's logs and journals too.
    static func begin() {
        self.original.withLock { original in
            let mask = umask(0o077)
            if original == nil { original = mask }
        }
    }

    /// The mode of a file that a command was told to write, as the user wants it.
    static var outputMode: mode_t { 0o666 & ~(self.original.withLock(\.self) ?? Self.currentMask) }

    /// What stands in a directory of ours and is open to others, tightened.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - isOurs: Tells our files from others by their names.
    /// - Returns: The names of files that were tightened, and of those that belong to somebody else.
    static func tighten(in path: String, where isOurs: (String) -> Bool) -> (tightened: [String], foreign: [String]) {
        var (tightened, foreign): ([String], [String]) = ([], [])
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where isOurs(name) {
            let file = path + "/" + name
            guard let mode = Self.mode(of: file, S_IFREG), mode & 0o077 != 0 else { continue }
            if chmod(file, mode & 0o700) == 0 { tightened.append(name) } else { foreign.append(name) }
        }
        return (tightened.sorted(), foreign.sorted())
    }

    /// The permissions of a directory; nil when it is none.
    static func mode(ofDirectory path: String) -> mode_t? { Self.mode(of: path, S_IFDIR) }

    /// The permissions of what is no link; nil when it is something of another kind.
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
