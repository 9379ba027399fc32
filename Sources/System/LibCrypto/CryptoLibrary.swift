internal import CLibCrypto

/// libcrypto itself.
package enum CryptoLibrary {
    /// The version of the loaded library.
    package static var version: String { String(cString: OpenSSL_version(OPENSSL_VERSION_STRING)) }
}
