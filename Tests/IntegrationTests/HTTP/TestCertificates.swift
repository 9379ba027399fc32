import Foundation
import IntentLab

/// CAs and their certificates, created by `openssl` in a directory that is removed with them: `NAME.pem` and
/// `NAME.key`.
struct TestCertificates {
    let directory: TemporaryDirectory

    init() throws { self.directory = try TemporaryDirectory() }

    /// Creates a CA.
    func makeAuthority(_ name: String) async throws {
        try await self.openssl(
            "req -x509 -days 1 -subj /CN=\(name) \(Self.newKey) -keyout \(name).key -out \(name).pem"
        )
    }

    /// Creates a certificate for 127.0.0.1; one with a negative number of days has expired.
    func makeCertificate(_ name: String, by authority: String, days: Int = 1) async throws {
        try "subjectAltName=IP:127.0.0.1\n"
            .write(
                toFile: self.directory.file("extensions"),
                atomically: true,
                encoding: .utf8
            )
        try await self.openssl("req -subj /CN=\(name) \(Self.newKey) -keyout \(name).key -out \(name).csr")
        try await self.openssl(
            "x509 -req -days \(days) -in \(name).csr -out \(name).pem -extfile extensions "
                + "-CA \(authority).pem -CAkey \(authority).key -CAcreateserial"
        )
    }

    /// Encrypts a key.
    func encryptKey(_ name: String, to encrypted: String) async throws {
        try await self.openssl("pkcs8 -topk8 -in \(name).key -out \(encrypted).key -passout pass:secret")
    }

    /// A process of openssl in the directory.
    func process(_ words: String) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.currentDirectoryURL = URL(filePath: self.directory.path)
        process.arguments = ["openssl"] + words.split(separator: " ").map(String.init)
        process.standardError = FileHandle.nullDevice
        return process
    }

    private struct Failure: Error {
        var words: String
    }

    private static let newKey = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"

    private func openssl(_ words: String) async throws {
        let process = self.process(words)
        process.standardOutput = FileHandle.nullDevice
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        guard status == 0 else { throw Failure(words: words) }
    }
}
