import Foundation
import IntentKit

extension HTTPEndpoint {
    /// Reads the members of a handler that describe its endpoint; relative paths start in the directory.
    ///
    /// - Returns: The endpoint; without an address nil, and the reader gets a problem.
    static func read(_ reader: inout MemberReader, directory: String) -> HTTPEndpoint? {
        let url = Self.readAddress(&reader)
        let headers = Self.readHeaders(&reader)
        let tls = Self.readTLS(&reader, directory, url)
        let timeout = reader.duration("timeout", 0.001...3_600, "of at most an hour is expected, such as PT10S")
        let attempts = reader.value("attempts")?.integer.map(Int.init)
        if reader.value("attempts") != nil, !(1...10).contains(attempts ?? 0) {
            reader.report("a number from 1 to 10 is expected", "attempts")
        }
        let retry = HTTPRetry.read(&reader)
        if retry != nil, attempts != nil {
            reader.report("retry counts the attempts as well: put attempts into retry", "attempts")
        }
        guard let url else { return nil }
        return HTTPEndpoint(
            url: url,
            headers: headers,
            tls: tls,
            timeout: timeout ?? Self.defaultTimeout,
            attempts: attempts,
            retry: retry,
            path: reader.path
        )
    }

    private static func readAddress(_ reader: inout MemberReader) -> String? {
        guard let url = reader.string("url") else {
            if reader.value("url") == nil { reader.report("an address is required", "url") }
            return nil
        }
        if let problem = Self.problem(inAddress: url) { reader.report(problem, "url") }
        return url
    }

    private static func readHeaders(_ reader: inout MemberReader) -> [String: HTTPHeaderValue] {
        guard let value = reader.value("headers") else { return [:] }
        guard let members = value.object else {
            reader.report("an object of headers is expected, not \(value.kind)", "headers")
            return [:]
        }
        var headers: [String: HTTPHeaderValue] = [:]
        for (name, json) in members.sorted(by: { $0.key < $1.key }) {
            let path = reader.path.appending("headers").appending(name)
            if !Self.isHeaderName(name) {
                reader.report("\(ShownText.of(name)) is not the name of a header", at: path)
            } else if ["idempotency-key", "content-length", "content-type", "host"].contains(name.lowercased()) {
                reader.report("\(name) is set by intentd", at: path)
            }
            switch HTTPHeaderValue.read(json) {
            case .success(let header): headers[name] = header
            case .failure(let problem): reader.report(problem.message, at: path)
            }
        }
        return headers
    }

    private static func readTLS(_ reader: inout MemberReader, _ directory: String, _ url: String?) -> HTTPTLS? {
        guard let json = reader.value("tls") else { return nil }
        if let url, URLComponents(string: url)?.scheme == "http" {
            reader.report("the address is not encrypted: tls requires an address that starts with https://", "tls")
        }
        switch HTTPTLS.read(json, at: reader.path.appending("tls"), directory: directory) {
        case .success(let tls): return tls
        case .failure(let error):
            reader.report(error.problems)
            return nil
        }
    }

    private static func isHeaderName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                byte < 0x80
                    && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_"))
            }
    }
}
