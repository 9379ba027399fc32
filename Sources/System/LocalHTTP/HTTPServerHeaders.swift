internal import NIOHTTP1

/// The headers of a request; names are compared without regard to case.
package struct HTTPServerHeaders: Sendable {
    private var fields: HTTPHeaders

    package init(_ headers: [(name: String, value: String)] = []) {
        self.fields = HTTPHeaders(headers.map { ($0.name, $0.value) })
    }

    init(_ fields: HTTPHeaders) { self.fields = fields }

    /// The first value of that name.
    package subscript(_ name: String) -> String? {
        get { self.fields.first(name: name) }
        set {
            self.fields.remove(name: name)
            if let newValue { self.fields.add(name: name, value: newValue) }
        }
    }

    /// All values of that name, in the order in which they were sent, not split at commas.
    package func all(_ name: String) -> [String] { self.fields[name] }

    /// The number of headers.
    var count: Int { self.fields.count }

    /// The bytes of all names and values.
    var byteCount: Int { self.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }

    /// Whether the body is framed in one way that all servers read alike.
    ///
    /// That is one `Content-Length`, or `Transfer-Encoding: chunked`, but not both. Otherwise a proxy could see another
    /// request in the body (request smuggling).
    func frameBody(isAtLeast11: Bool) -> Bool {
        let (lengths, encodings) = (self.all("Content-Length"), self.all("Transfer-Encoding"))
        guard !encodings.isEmpty else {
            return lengths.count <= 1 && lengths.allSatisfy { $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } && !$0.isEmpty }
        }
        return isAtLeast11 && lengths.isEmpty && encodings.count == 1 && encodings[0].lowercased() == "chunked"
    }
}
