/// The files, in PEM, with which two sides of a TLS connection prove who they are.
///
/// They are read at each new connection, so that certificates can be replaced while the process runs.
package struct TLSFiles: Hashable, Sendable {
    /// The certificates that a service's one has to come from; nil for those that the system trusts.
    package var caFile: String?
    /// The client's own certificate, with those between it and its CA behind it; nil to show none.
    package var certificateFile: String?
    /// The key of the client's certificate, not encrypted.
    package var keyFile: String?

    /// Names files.
    package init(caFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil) {
        self.caFile = caFile
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }
}
