import Foundation
import IntentKit

extension HTTPHandling {
    /// Reads the settings; relative paths start in the directory.
    static func read(
        _ json: JSONValue,
        at path: JSONPath,
        directory: String
    ) -> Result<HTTPHandling, InvalidDefinition> {
        var reader = MemberReader(json, at: path, what: "handling by http")
        let url = Self.readAddress(&reader)
        let headers = Self.readHeaders(&reader)
        let tls = Self.readTLS(&reader, directory, url)
        let timeout = reader.value("timeout").map(TimeSpan.init(json:))
        let seconds = timeout??.seconds
        if let timeout, timeout == nil || !(0.001...3_600).contains(Double(seconds ?? 0)) {
            reader.report("a length of time of at most an hour is expected, such as PT10S", "timeout")
        }
        let attempts = reader.value("attempts")?.integer.map(Int.init)
        if reader.value("attempts") != nil, !(1...10).contains(attempts ?? 0) {
            reader.report("a number from 1 to 10 is expected", "attempts")
        }
        let codes = Self.readCodes(&reader)
        reader.finish()
        guard let url, reader.problems.isEmpty else {
            return .failure(InvalidDefinition(problems: reader.problems))
        }
        return .success(
            HTTPHandling(
                url: url,
                headers: headers,
                tls: tls,
                timeout: seconds.map { .milliseconds(Int64(Double($0) * 1_000)) } ?? Self.defaultTimeout,
                attempts: attempts,
                codes: codes,
                path: path
            )
        )
    }

    private static func readAddress(_ reader: inout MemberReader) -> String? {
        guard let url = reader.string("url") else {
            if reader.value("url") == nil { reader.report("an address is required", "url") }
            return nil
        }
        let parts = URLComponents(string: url)
        if parts?.scheme != "http" && parts?.scheme != "https" || (parts?.host ?? "").isEmpty || URL(string: url) == nil
        {
            reader.report("\(url) is not an address that starts with http:// or https://", "url")
        } else if parts?.user != nil || parts?.password != nil {
            reader.report("the address names a user: put credentials into headers, from env or file", "url")
        }
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
            let place = reader.path.appending("headers").appending(name)
            if !Self.isHeaderName(name) {
                reader.report("\(name) is not the name of a header", at: place)
            } else if ["idempotency-key", "content-length", "content-type", "host"].contains(name.lowercased()) {
                reader.report("\(name) is set by intentd", at: place)
            }
            switch HTTPHeaderValue.read(json) {
            case .success(let header): headers[name] = header
            case .failure(let problem): reader.report(problem.message, at: place)
            }
        }
        return headers
    }

    private static func readTLS(_ reader: inout MemberReader, _ directory: String, _ url: String?) -> HTTPTLS? {
        guard let json = reader.value("tls") else { return nil }
        if let url, URLComponents(string: url)?.scheme == "http" {
            reader.report("\(url) is not encrypted: tls goes with an address that starts with https://", "tls")
        }
        switch HTTPTLS.read(json, at: reader.path.appending("tls"), directory: directory) {
        case .success(let tls): return tls
        case .failure(let error):
            reader.report(error.problems)
            return nil
        }
    }

    private static func readCodes(_ reader: inout MemberReader) -> [String: String] {
        let codes = reader.texts("codes")
        for (status, code) in codes.sorted(by: { $0.key < $1.key }) {
            let place = reader.path.appending("codes").appending(status)
            if !Self.isStatus(status) { reader.report("\(status) is not a status such as 404 or 4xx", at: place) }
            let isName = code.utf8.allSatisfy { $0 < 0x80 } && code.allSatisfy { $0.isLetter || $0.isNumber }
            if !Self.knownCodes.contains(code), !(code.hasPrefix("failure") && isName) {
                let known = Self.knownCodes.sorted().joined(separator: ", ")
                reader.report("\(code) is not one of \(known), nor a name that begins with failure", at: place)
            }
        }
        return codes
    }

    private static func isStatus(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 3, (UInt8(ascii: "2")...UInt8(ascii: "5")).contains(bytes[0]) else { return false }
        return text.hasSuffix("xx") || Int(text) != nil
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
