internal import CLibCrypto

/// Reads texts in PEM (RFC 7468).
package enum PEM {
    /// The certificates of a text.
    package struct Certificates: Hashable, Sendable {
        /// The number of certificates, at least one.
        package var count = 0
        /// Whether the first one has expired.
        package var isFirstExpired = false
    }

    /// The certificates in a text; nil when there are none, or when one cannot be read.
    package static func certificates(in text: [UInt8]) -> Certificates? {
        Self.withBIO(text) { bio in
            var certificates = Certificates()
            while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) {
                defer { X509_free(certificate) }
                if certificates.count == 0 {
                    certificates.isFirstExpired = X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0
                }
                certificates.count += 1
            }
            // At the end of the text there is no further begin line; any other error means a broken certificate.
            let isAtEnd = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
            return isAtEnd && certificates.count > 0 ? certificates : nil
        }
    }

    /// Whether a text contains a private key that is not encrypted.
    package static func holdsKey(_ text: [UInt8]) -> Bool { Self.withKey(text) { $0 != nil } }

    /// Whether the key in a text belongs to the first certificate in another.
    package static func isKey(_ key: [UInt8], ofFirstCertificateIn certificates: [UInt8]) -> Bool {
        Self.withKey(key) { key in
            Self.withBIO(certificates) { bio in
                guard let key, let certificate = PEM_read_bio_X509(bio, nil, nil, nil) else { return false }
                defer { X509_free(certificate) }
                return X509_check_private_key(certificate, key) == 1
            }
        }
    }

    private static func withKey<Result>(_ text: [UInt8], _ body: (OpaquePointer?) -> Result) -> Result {
        Self.withBIO(text) { bio in
            // An empty passphrase: without one, OpenSSL asks for an encrypted key's passphrase on the terminal.
            var word: CChar = 0
            let key = PEM_read_bio_PrivateKey(bio, nil, nil, &word)
            defer { EVP_PKEY_free(key) }
            return body(key)
        }
    }

    /// Runs the body with a BIO of the bytes; leaves no error behind for other code on this thread.
    private static func withBIO<Result>(_ text: [UInt8], _ body: (OpaquePointer) -> Result) -> Result {
        ERR_clear_error()
        // libcrypto does not accept an empty text.
        return (text.isEmpty ? [0x0A] : text)
            .withUnsafeBytes { bytes in
                guard let count = CInt(exactly: bytes.count), let bio = BIO_new_mem_buf(bytes.baseAddress, count) else {
                    preconditionFailure("libcrypto cannot read from memory")
                }
                defer {
                    BIO_free(bio)
                    ERR_clear_error()
                }
                return body(bio)
            }
    }
}
