/// The files, in PEM, with which the two sides of a TLS connection authenticate each other.
///
/// They are read at each new connection, so that certificates can be replaced while the process runs.
package struct TLSFiles: Hashable, Sendable {
    /// The certificates of the CAs that may have issued a service's certificate; nil for those that the system trusts.
    package var caFile: String?
    /// The client's own certificate, followed by those between it and its CA; nil to send none.
    package var certificateFile: String?
    /// The key of the client's certificate, not encrypted.
    package var keyFile: String?

    package init(caFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil) {
        self.caFile = caFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }
}
