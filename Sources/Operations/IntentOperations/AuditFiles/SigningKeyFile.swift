internal import Foundation
package import IntentRuntime

/// The file with the private key that signs anchors and cuts (`audit.keyFile`).
package struct SigningKeyFile {
    package let path: String

    /// The file that the configuration names; nil when it names none.
    package init?(_ configuration: Configuration) {
        guard let path = configuration.text(.auditKeyFile) else { return nil }
        self.path = path
    }

    /// Reads the key.
    /// - Throws: ``OperationError``: file not found (66), an invalid key (65), a file that others may read (78).
    package func read() throws(OperationError) -> SigningKey {
        let text = try InputFile.text(of: self.path)
        var status = stat()
        guard stat(self.path, &status) == 0, status.st_mode & 0o077 == 0 else {
            throw OperationError(
                .configuration,
                "\(self.path): other users can read or write the private key: run chmod 600 \(self.path), and create a new key if "
                    + "someone may have read it"
            )
        }
        guard let key = SigningKey(text: text) else {
            throw OperationError(
                .badData,
                "\(self.path): is not a private key: create one with `intentd audit key --make`"
            )
        }
        return key
    }

    /// Creates a key in a new file that only this user may read.
    /// - Throws: ``OperationError`` (66) when the file exists or cannot be created.
    package func make() throws(OperationError) -> SigningKey {
        let key = SigningKey()
        let descriptor = open(self.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "exists already: keys are not overwritten" : String(cString: strerror(errno))
            throw OperationError(.noInput, "\(self.path): \(reason)")
        }
        defer { close(descriptor) }
        let text = Array(key.fileText.utf8)
        guard write(descriptor, text, text.count) == text.count, fsync(descriptor) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(self.path)
            throw OperationError(.noInput, "\(self.path): cannot be written: \(reason)")
        }
        return key
    }
}
