internal import CLibCurl
internal import Foundation

/// One request in progress: libcurl's handle, and the part of the answer that has arrived.
///
/// It belongs to the session's thread.
final class HTTPTransfer {
    let request: HTTPRequest
    /// The waiting caller.
    let continuation: CheckedContinuation<HTTPReply, any Error>
    /// The time at which it is given up.
    let deadline: ContinuousClock.Instant
    /// libcurl's own state of it.
    let handle: UnsafeMutableRawPointer

    private var headers: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>
    private var body: [UInt8] = []
    private var headerBytes = 0
    private var isTooLarge = false
    /// What libcurl asks before it connects or sends; it has this address as long as the handle exists.
    private let watch: UnsafeMutablePointer<clibcurl_watch>
    /// Whether the request was sent.
    private var isSent = false
    /// Whether libcurl was about to send it again.
    private var isRepeated = false

    /// Prepares a post; nil when libcurl refuses one of its settings, and for a header with a line break.
    init?(_ id: UInt64, _ request: HTTPRequest, _ continuation: CheckedContinuation<HTTPReply, any Error>) {
        // libcurl sends a line break as it is: another header would begin there.
        let isOneLine = request.headers.allSatisfy { name, value in
            [name, value].allSatisfy { $0.utf8.allSatisfy { ![0x00, 0x0A, 0x0D].contains($0) } }
        }
        guard isOneLine, let handle = curl_easy_init() else { return nil }
        self.request = request
        self.continuation = continuation
        self.deadline = .now + request.timeout
        self.handle = handle
        self.errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        self.errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        self.watch = .allocate(capacity: 1)
        self.watch.initialize(
            to: clibcurl_watch(
                connects: { HTTPTransfer.at($0).allowsConnecting() ? 0 : 1 },
                sends: { HTTPTransfer.at($0).allowsSending() ? 0 : 1 },
                context: nil
            )
        )
        for (name, value) in request.headers {
            // libcurl's syntax for a header without a value.
            self.headers = curl_slist_append(self.headers, value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        // No `Expect: 100-continue`: that would cost a round trip.
        self.headers = curl_slist_append(self.headers, "Expect:")
        self.watch.pointee.context = Unmanaged.passUnretained(self).toOpaque()
        let refused = [
            self.setRequest(id), self.setLimits(), self.setTLS(), self.setConnections(),
        ]
        .contains { $0 != CURLE_OK }
        if refused { return nil }
    }

    deinit {
        curl_easy_cleanup(self.handle)
        curl_slist_free_all(self.headers)
        self.errorText.deallocate()
        self.watch.deallocate()
    }

    /// The result, from libcurl's code.
    func result(_ code: CURLcode) -> Result<HTTPReply, any Error> {
        switch code {
        case CURLE_OK:
            let seconds = clibcurl_retry_after(self.handle)
            return .success(
                HTTPReply(
                    status: clibcurl_status(self.handle),
                    body: self.body,
                    retryAfter: seconds > 0 ? .seconds(seconds) : nil
                )
            )
        case CURLE_FILESIZE_EXCEEDED:
            return .failure(HTTPExchangeError.tooLarge(maximum: self.request.maximumBytes))
        case _ where self.isTooLarge:
            return .failure(HTTPExchangeError.tooLarge(maximum: self.request.maximumBytes))
        case _ where self.isRepeated:
            return .failure(HTTPExchangeError.failed("The connection was closed before a response"))
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            return .failure(HTTPExchangeError.invalidAddress)
        default:
            return .failure(HTTPExchangeError.failed(self.explain(code)))
        }
    }

    /// What happened, in libcurl's words; for a problem with a certificate, also which file to check.
    private func explain(_ code: CURLcode) -> String {
        let own = String(cString: self.errorText)
        let text = own.isEmpty ? String(cString: curl_easy_strerror(code)) : own
        let tls = self.request.tls
        if code == CURLE_PEER_FAILED_VERIFICATION {
            let trusted = tls.caFile.map { "caFile \($0)" } ?? "the system's certificates"
            return "its certificate is not accepted by \(trusted): \(text)"
        }
        // The service's alert before it closes the connection.
        if text.contains("alert"), text.contains("certificate") || text.contains("unknown ca") {
            let shown =
                tls.certificateFile.map { "it does not accept certificateFile \($0)" }
                ?? "it requires a client certificate (tls: certificateFile, keyFile)"
            return "\(shown): \(text)"
        }
        return text
    }

    private func setBody() -> CURLcode {
        guard let body = self.request.body else { return clibcurl_set_number(self.handle, CURLOPT_HTTPGET, 1) }
        return Self.first([
            clibcurl_set_number(self.handle, CURLOPT_POST, 1),
            clibcurl_set_size(self.handle, CURLOPT_POSTFIELDSIZE_LARGE, body.count),
            body.withUnsafeBytes { bytes in
                // libcurl makes a copy.
                clibcurl_set_pointer(
                    self.handle,
                    CURLOPT_COPYPOSTFIELDS,
                    UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                )
            },
        ])
    }

    private func setRequest(_ id: UInt64) -> CURLcode {
        Self.first([
            clibcurl_set_pointer(self.handle, CURLOPT_PRIVATE, UnsafeMutableRawPointer(bitPattern: UInt(id))),
            clibcurl_set_text(self.handle, CURLOPT_URL, self.request.address),
            self.setBody(),
            clibcurl_set_pointer(self.handle, CURLOPT_HTTPHEADER, self.headers),
            clibcurl_set_text(self.handle, CURLOPT_USERAGENT, "intentd"),
            // The encodings that services may compress with; the limit applies to the decompressed size.
            clibcurl_set_text(self.handle, CURLOPT_ACCEPT_ENCODING, "deflate, gzip"),
            clibcurl_set_number(self.handle, CURLOPT_HTTP_VERSION, CLong(CURL_HTTP_VERSION_1_1)),
            clibcurl_set_protocols(self.handle),
            // A post must not be repeated to an address that nobody configured.
            clibcurl_set_number(self.handle, CURLOPT_FOLLOWLOCATION, 0),
            clibcurl_set_number(self.handle, CURLOPT_NOSIGNAL, 1),
            clibcurl_leave_lookups(self.handle),
            clibcurl_set_pointer(self.handle, CURLOPT_ERRORBUFFER, self.errorText),
        ])
    }

    private func setConnections() -> CURLcode {
        Self.first([
            clibcurl_set_number(self.handle, CURLOPT_FRESH_CONNECT, self.request.needsNewConnection ? 1 : 0),
            self.request.body == nil ? CURLE_OK : clibcurl_set_watch(self.handle, self.watch),
        ])
    }

    /// Makes libcurl hand over the bytes that arrive, up to the limit.
    private func setLimits() -> CURLcode {
        let context = Unmanaged.passUnretained(self).toOpaque()
        return Self.first([
            clibcurl_set_size(self.handle, CURLOPT_MAXFILESIZE_LARGE, self.request.maximumBytes),
            clibcurl_set_pointer(self.handle, CURLOPT_WRITEDATA, context),
            clibcurl_set_sink(self.handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                HTTPTransfer.at(context).receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
            },
            clibcurl_set_pointer(self.handle, CURLOPT_HEADERDATA, context),
            clibcurl_set_sink(self.handle, CURLOPT_HEADERFUNCTION) { _, size, count, context in
                HTTPTransfer.at(context).receiveHeader(size * count)
            },
        ])
    }

    private func setTLS() -> CURLcode {
        let tls = self.request.tls
        var codes = [
            clibcurl_set_number(self.handle, CURLOPT_SSL_VERIFYPEER, 1),
            clibcurl_set_number(self.handle, CURLOPT_SSL_VERIFYHOST, 2),
            clibcurl_set_number(self.handle, CURLOPT_SSLVERSION, CLong(CURL_SSLVERSION_TLSv1_2)),
            // A replaced file takes effect within a minute; without this it would take a day.
            clibcurl_set_ca_seconds(self.handle, 60),
        ]
        if let caFile = tls.caFile {
            // Otherwise the directory of the system's certificates would be trusted as well.
            codes.append(clibcurl_set_text(self.handle, CURLOPT_CAPATH, nil))
            codes.append(clibcurl_set_text(self.handle, CURLOPT_CAINFO, caFile))
        }
        if let certificateFile = tls.certificateFile {
            codes.append(clibcurl_set_text(self.handle, CURLOPT_SSLCERT, certificateFile))
        }
        if let keyFile = tls.keyFile {
            codes.append(clibcurl_set_text(self.handle, CURLOPT_SSLKEY, keyFile))
            // Without a passphrase, OpenSSL asks for an encrypted key's passphrase on the terminal.
            codes.append(clibcurl_set_text(self.handle, CURLOPT_KEYPASSWD, ""))
        }
        return Self.first(codes)
    }

    /// Whether a connection may be made: not when the request was sent already.
    ///
    /// When a connection that was kept open breaks before any byte of an answer, libcurl sends the request again on
    /// another one. The service may have received it, so that decision is left to the caller, who counts its attempts.
    private func allowsConnecting() -> Bool {
        if self.isSent { self.isRepeated = true }
        return !self.isRepeated
    }

    /// Whether the request may be sent: once.
    private func allowsSending() -> Bool {
        defer { self.isSent = true }
        return self.allowsConnecting()
    }

    /// Collects the body; returning any other number than its length ends the transfer.
    private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard self.body.count + bytes.count <= self.request.maximumBytes else { return self.refuse() }
        self.body.append(contentsOf: bytes)
        return bytes.count
    }

    /// Counts the bytes of headers, including those of interim answers: a service must not send them without end.
    private func receiveHeader(_ count: Int) -> Int {
        self.headerBytes += count
        return self.headerBytes <= self.request.maximumBytes ? count : self.refuse()
    }

    private func refuse() -> Int {
        self.isTooLarge = true
        return 0
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer {
        guard let context else { preconditionFailure("libcurl has lost the transfer") }
        return Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    /// The first code that is not success.
    private static func first(_ codes: [CURLcode]) -> CURLcode { codes.first { $0 != CURLE_OK } ?? CURLE_OK }
}

/// A service's answer.
package struct HTTPReply: Sendable {
    package var status: Int
    package var body: [UInt8]
    /// The time of its `Retry-After` from now on; nil without one.
    package var retryAfter: Duration?
}
