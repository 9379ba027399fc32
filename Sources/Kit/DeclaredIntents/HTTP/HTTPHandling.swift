import IntentKit

extension HTTPHandling {
    /// Reads the settings; relative paths start in the directory.
    static func read(
        _ json: JSONValue,
        at path: JSONPath,
        directory: String
    ) -> Result<HTTPHandling, InvalidDefinition> {
        var reader = MemberReader(json, at: path, what: "handling by http")
        let endpoint = HTTPEndpoint.read(&reader, directory: directory)
        let codes = Self.readCodes(&reader)
        reader.finish()
        guard let endpoint, reader.problems.isEmpty else {
            return .failure(InvalidDefinition(problems: reader.problems))
        }
        return .success(HTTPHandling(endpoint: endpoint, codes: codes))
    }

    private static func readCodes(_ reader: inout MemberReader) -> [String: String] {
        let codes = reader.texts("codes")
        for (status, code) in codes.sorted(by: { $0.key < $1.key }) {
            let path = reader.path.appending("codes").appending(status)
            if !Self.isStatus(status) {
                reader.report("\(ShownText.of(status)) is not a status such as 404 or 4xx", at: path)
            }
            if !Self.knownCodes.contains(code), !Self.isFailure(code) {
                let known = Self.knownCodes.sorted().joined(separator: ", ")
                reader.report(
                    "\(ShownText.of(code)) is not one of \(known), nor a name that begins with failure",
                    at: path
                )
            }
        }
        return codes
    }

    private static func isStatus(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 3, (UInt8(ascii: "2")...UInt8(ascii: "5")).contains(bytes[0]) else { return false }
        return text.hasSuffix("xx") || Int(text) != nil
    }

    /// Whether a text is a code of an intent's own for a failure.
    static func isFailure(_ code: String) -> Bool {
        code.hasPrefix("failure") && code.utf8.allSatisfy { $0 < 0x80 }
            && code.allSatisfy { $0.isLetter || $0.isNumber }
    }
}

/// The endpoint of an intent that is handled by HTTP, and the meaning of its answers (R51).
struct HTTPHandling: Hashable, Sendable {
    var endpoint: HTTPEndpoint
    /// Response codes by status: `404`, or `4xx` for a whole class.
    var codes: [String: String]

    /// The codes that an answer may mean without being declared; others begin with `failure`.
    static let knownCodes: Set<String> = ["success", "inProgress", "continueInApp", "failure"]

    /// The response code for a status; nil for one that may pass: the post is tried again (R35).
    func code(of status: Int) -> String? {
        if let code = self.codes["\(status)"] ?? self.codes["\(status / 100)xx"] { return code }
        if HTTPEndpoint.mayPass(status) { return nil }
        return (200..<300).contains(status) ? "success" : "failure"
    }
}
