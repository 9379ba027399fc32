import Foundation
import IntentKit
import LibCrypto
import LibCurl

/// The files by which a service and intentd authenticate each other, and what was wrong with them when the definition
/// was read (R51).
struct HTTPTLS: Hashable, Sendable {
    /// The files, with absolute paths.
    private(set) var files = TLSFiles()
    /// The reasons why they cannot be used; found only where the intent is carried out, since only those machines have
    /// the files.
    private(set) var problems: [DefinitionProblem] = []
    /// What is unwise about them although they can be used.
    private(set) var warnings: [String] = []

    /// A size in bytes that no certificate file exceeds.
    private static let maximumFileBytes = 4 << 20

    /// Reads the settings and checks the files; relative paths start in the directory.
    static func read(
        _ json: JSONValue,
        at path: JSONPath,
        directory: String
    ) -> Result<HTTPTLS, InvalidDefinition> {
        var reader = MemberReader(json, at: path, what: "tls")
        let names = ["caFile", "certificateFile", "keyFile"]
        var files: [String: String] = [:]
        for name in names {
            files[name] = reader.string(name).map { $0.hasPrefix("/") || directory.isEmpty ? $0 : "\(directory)/\($0)" }
        }
        for (name, other) in [("certificateFile", "keyFile"), ("keyFile", "certificateFile")]
        where reader.value(name) != nil && reader.value(other) == nil {
            reader.report("\(name) requires \(other), which is missing", name)
        }
        if json.object != nil, names.allSatisfy({ reader.value($0) == nil }) {
            reader.report("caFile is expected, or certificateFile with keyFile, or all three", at: path)
        }
        reader.finish()
        guard reader.problems.isEmpty else { return .failure(InvalidDefinition(problems: reader.problems)) }
        var tls = HTTPTLS()
        tls.files = TLSFiles(
            caFile: files["caFile"],
            certificateFile: files["certificateFile"],
            keyFile: files["keyFile"]
        )
        tls.check(at: path)
        return .success(tls)
    }

    private mutating func check(at path: JSONPath) {
        if let file = self.files.caFile, let text = self.text(of: file, "caFile", at: path),
            PEM.certificates(in: text) == nil
        {
            self.report("caFile \(file) does not hold certificates in PEM", "caFile", at: path)
        }
        guard let file = self.files.certificateFile, let text = self.text(of: file, "certificateFile", at: path) else {
            return
        }
        let certificates = PEM.certificates(in: text)
        if certificates == nil {
            self.report("certificateFile \(file) does not hold certificates in PEM", "certificateFile", at: path)
        }
        if certificates?.isFirstExpired == true {
            self.warnings.append("certificateFile \(file) has expired: a service that checks it will reject it")
        }
        guard let keyFile = self.files.keyFile, let key = self.text(of: keyFile, "keyFile", at: path) else { return }
        if !PEM.holdsKey(key) {
            let message =
                "keyFile \(keyFile) does not hold a key in PEM, or the key is encrypted: store it decrypted "
                + "(openssl pkey -in FILE -out FILE), readable by its user only"
            self.report(message, "keyFile", at: path)
        } else if certificates != nil, !PEM.isKey(key, ofFirstCertificateIn: text) {
            self.report("keyFile \(keyFile) is not the key of certificateFile \(file)", "keyFile", at: path)
        }
    }

    /// The content of a file; nil, and a problem, when it cannot be read.
    private mutating func text(of file: String, _ member: String, at path: JSONPath) -> [UInt8]? {
        // Not a device or a pipe, which may never end; a link counts as its target.
        let resolved = URL(filePath: file).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: resolved)
        let count = (attributes?[.size] as? NSNumber)?.intValue ?? 0
        if attributes?[.type] as? FileAttributeType == .typeRegular, count <= Self.maximumFileBytes,
            let data = FileManager.default.contents(atPath: resolved)
        {
            return Array(data)
        }
        let message =
            "\(member) is \(file), which cannot be read: name a file in PEM, relative to the definition's file"
        self.report(message, member, at: path)
        return nil
    }

    private mutating func report(_ message: String, _ member: String, at path: JSONPath) {
        self.problems.append(DefinitionProblem(path: path.appending(member), message: "tls: \(message)"))
    }
}
