internal import Foundation
package import IntentAudit
internal import IntentKit

/// Anchors in files: one line of JSON for each, in one file or in a directory.
package enum AnchorFiles {
    /// The prefix of the names of anchors in a directory.
    private static let prefix = "anchor-"
    /// The suffix of those names.
    private static let suffix = ".json"

    /// Reads the anchors of a file, one on each line, or of all files of a directory.
    /// - Throws: ``OperationError``.
    package static func read(_ path: String) throws(OperationError) -> [Anchor] {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue else {
            return try Self.anchors(ofFile: path)
        }
        var anchors: [Anchor] = []
        for name in Self.names(in: path) { anchors += try Self.anchors(ofFile: path + "/" + name) }
        guard !anchors.isEmpty else {
            throw OperationError(.noInput, "\(path): contains no anchors (\(Self.prefix)….json)")
        }
        return anchors
    }

    /// The last anchor of a directory; nil when it contains none, or does not exist.
    /// - Throws: ``OperationError``.
    static func last(in directory: String) throws(OperationError) -> Anchor? {
        guard let name = Self.names(in: directory).last else { return nil }
        return try Self.anchors(ofFile: directory + "/" + name).last
    }

    /// Adds an anchor to a directory, which is created if it is missing; never replaces another anchor.
    /// - Returns: Its file.
    /// - Throws: ``OperationError``.
    static func add(_ anchor: Anchor, to directory: String) throws(OperationError) -> String {
        let digits = String(anchor.number ?? 0)
        let zeros = String(repeating: "0", count: max(0, 8 - digits.utf8.count))
        let path = directory + "/" + Self.prefix + zeros + digits + Self.suffix
        do {
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            // Unlike renaming, linking refuses an existing name, and the file is complete when it appears.
            let draft = path + ".\(getpid())"
            defer { unlink(draft) }
            try Data((anchor.json.description + "\n").utf8).write(to: URL(fileURLWithPath: draft))
            try FileManager.default.linkItem(atPath: draft, toPath: path)
        } catch {
            throw OperationError(.noInput, "\(path): cannot be written: \(error.localizedDescription)")
        }
        return path
    }

    /// Names sort as numbers do, since they have leading zeros.
    private static func names(in directory: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [])
            .filter { $0.hasPrefix(Self.prefix) && $0.hasSuffix(Self.suffix) }
            .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    }

    private static func anchors(ofFile path: String) throws(OperationError) -> [Anchor] {
        var anchors: [Anchor] = []
        for line in try InputFile.text(of: path, maximumBytes: 256 << 20).split(separator: "\n") {
            guard let json = try? JSONValue(parsing: String(line)), let anchor = Anchor(json: json) else {
                throw OperationError(.badData, "\(path) is not an anchor: create one with `intentd audit anchor`")
            }
            anchors.append(anchor)
        }
        guard !anchors.isEmpty else {
            throw OperationError(.badData, "\(path) is not an anchor: create one with `intentd audit anchor`")
        }
        return anchors
    }
}
