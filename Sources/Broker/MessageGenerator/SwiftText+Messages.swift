// The code reads and writes each field with one call, without closures or tables: as it would be written by hand.

/// A structure of a message: the message itself, or the elements of one of its arrays.
private struct Structure {
    /// With the structures around it: `FetchRequest.Topic`.
    let path: String
    let kind: MessageDefinition.Kind
    /// The versions that have the field.
    let versions: ClosedRange<Int16>
    let fields: [MessageDefinition.Field]

    init(_ message: MessageDefinition) {
        self.path = SwiftText.typeName(message.api) + (message.kind == .request ? "Request" : "Response")
        self.kind = message.kind
        self.versions = message.validVersions
        self.fields = message.fields
    }

    private init(
        _ name: String,
        _ fields: [MessageDefinition.Field],
        of parent: Structure,
        _ versions: ClosedRange<Int16>
    ) {
        self.path = "\(parent.path).\(name)"
        self.kind = parent.kind
        self.versions = versions.clamped(to: parent.versions)
        self.fields = fields
    }

    /// Those of the elements of its arrays.
    var elements: [Structure] {
        self.fields.compactMap { field in
            guard case .array(.structure(let name, let fields)) = field.type else { return nil }
            return Structure(name, fields, of: self, field.versions)
        }
    }

    var name: Substring { self.path.split(separator: ".").last ?? "" }

    /// It and all structures in it, each before its own.
    var all: [Structure] { [self] + self.elements.flatMap(\.all) }

    /// What must hold for a field to be there; nil is nothing.
    func condition(of field: MessageDefinition.Field) -> String? {
        let (first, last) = (field.versions.lowerBound, field.versions.upperBound)
        let begins = first > self.versions.lowerBound
        let ends = last < self.versions.upperBound
        switch (begins, ends) {
        case (false, false): return nil
        case (_, true) where first == last || last == self.versions.lowerBound: return "version == \(last)"
        case (true, true): return "version >= \(first), version <= \(last)"
        case (true, false): return "version >= \(first)"
        case (false, true): return "version <= \(last)"
        }
    }
}

extension SwiftText {
    /// The messages of one API, as the broker uses them.
    static func api(_ api: MessageDefinition, _ response: MessageDefinition, from source: String) -> String {
        var text = SwiftText(from: source)
        let (requests, responses) = (Structure(api).all, Structure(response).all)
        if (requests + responses).contains(where: \.holdsBytes) {
            text.line()
            text.line("import NIOCore")
        }
        for (message, all) in [(api, requests), (response, responses)] {
            text.line()
            let (first, last) = (message.validVersions.lowerBound, message.validVersions.upperBound)
            let versions = first == last ? "version \(first)" : "versions \(first) to \(last)"
            text.line("/// \(message.api) \(message.kind.rawValue) (API \(message.apiKey)), \(versions).")
            text.declare(all[0])
            for structure in all {
                text.line()
                text.block("extension \(structure.path)") { text in
                    if message.kind == .request { text.read(structure) } else { text.write(structure) }
                }
            }
        }
        return text.text
    }

    /// What clients do with the messages, for tests: they write requests and read responses.
    static func client(_ apis: [(request: MessageDefinition, response: MessageDefinition)], from source: String)
        -> String
    {
        var text = SwiftText(from: source)
        text.line("#if DEBUG || FUZZING")
        text.line("import NIOCore")
        text.line()
        text.line("@testable import EmbeddedBroker")
        text.line()
        text.block("extension ApiKey") { text in
            for kind in [MessageDefinition.Kind.request, .response] {
                if kind == .response { text.line() }
                text.block("var \(kind.rawValue)Type: any (WireDecodable & WireEncodable).Type") { text in
                    text.line("switch self {")
                    for (request, response) in apis {
                        let message = kind == .request ? request : response
                        text.switchCase(Self.name(message.api), "\(Structure(message).path).self")
                    }
                    text.line("}")
                }
            }
        }
        for (request, response) in apis {
            for structure in Structure(request).all {
                text.line()
                text.block("extension \(structure.path): WireEncodable") { $0.write(structure) }
            }
            for structure in Structure(response).all {
                text.line()
                text.block("extension \(structure.path): WireDecodable") { $0.read(structure) }
            }
        }
        text.line("#endif")
        return text.text
    }

    /// The APIs with their keys and versions.
    static func apiKey(_ requests: [MessageDefinition], from source: String) -> String {
        var text = SwiftText(from: source)
        text.line()
        text.line("/// The APIs that the broker serves, by their key in the protocol.")
        text.block("enum ApiKey: Int16, Sendable, CaseIterable") { text in
            for request in requests { text.line("case \(Self.name(request.api)) = \(request.apiKey)") }
        }
        text.line()
        text.block("extension ApiKey") { text in
            text.line("/// The versions that the broker reads and writes.")
            text.block("var versions: ClosedRange<Int16>") { text in
                text.line("switch self {")
                for request in requests {
                    let versions = request.validVersions
                    text.switchCase(Self.name(request.api), "\(versions.lowerBound)...\(versions.upperBound)")
                }
                text.line("}")
            }
            text.line()
            text.line("/// Whether messages of this version have compact lengths and tagged fields (KIP-482).")
            text.block("func isFlexible(_ version: Int16) -> Bool") { text in
                text.line("switch self {")
                for request in requests {
                    let first = request.firstFlexibleVersion
                    let isAlways = first == request.validVersions.lowerBound
                    let condition = first.map { isAlways ? "true" : "version >= \($0)" } ?? "false"
                    text.switchCase(Self.name(request.api), condition)
                }
                text.line("}")
            }
        }
        return text.text
    }

    /// One case for each request.
    static func request(_ requests: [MessageDefinition], from source: String) -> String {
        var text = SwiftText(from: source)
        text.line()
        text.block("enum Request: Sendable") { text in
            for request in requests { text.line("case \(Self.name(request.api))(\(Structure(request).path))") }
        }
        text.line()
        text.block("extension Request") { text in
            text.line("/// Reads the body of a request.")
            text.block("init(_ api: ApiKey, from reader: inout WireReader, version: Int16) throws(WireError)") { text in
                text.line("switch api {")
                for request in requests {
                    let (name, path) = (Self.name(request.api), Structure(request).path)
                    text.switchCase(name, "self = .\(name)(try \(path)(from: &reader, version: version))")
                }
                text.line("}")
            }
        }
        return text.text
    }
}

extension SwiftText {
    private mutating func declare(_ structure: Structure) {
        let role = structure.kind == .request ? "WireDecodable" : "WireEncodable"
        self.block("struct \(structure.name): Sendable, \(role)") { text in
            for field in structure.fields {
                if let about = field.about { text.line("/// \(about)") }
                text.line("var \(field.name): \(field.declaration(in: structure.kind))")
            }
            for element in structure.elements {
                text.line()
                text.declare(element)
            }
        }
    }

    private mutating func read(_ structure: Structure) {
        self.block("init(from reader: inout WireReader, version: Int16) throws(WireError)") { text in
            text.line("self.init()")
            text.statements(for: structure) { "self.\($0.name) = try reader.\($0.reading(in: structure.kind))" }
            text.line("try reader.tags()")
        }
    }

    private mutating func write(_ structure: Structure) {
        self.block("func write(to writer: inout WireWriter, version: Int16)") { text in
            text.statements(for: structure) { "writer.\($0.writing(in: structure.kind))" }
            text.line("writer.tags()")
        }
    }

    /// One statement for each field, with a condition around neighbours that are there in the same versions.
    private mutating func statements(for structure: Structure, _ statement: (MessageDefinition.Field) -> String) {
        var fields = structure.fields[...]
        while let condition = fields.first.map(structure.condition(of:)) {
            let run = fields.prefix { structure.condition(of: $0) == condition }
            fields = fields.dropFirst(run.count)
            let statements = run.map(statement)
            if let condition, statements.count == 1 {
                self.shortBlock("if \(condition)", statements[0])
            } else if let condition {
                self.block("if \(condition)") { text in for statement in statements { text.line(statement) } }
            } else {
                for statement in statements { self.line(statement) }
            }
        }
    }
}

extension Structure {
    var holdsBytes: Bool {
        self.fields.contains { field in
            switch field.type {
            case .bytes, .records: true
            default: false
            }
        }
    }
}

extension MessageDefinition.Field {
    private var isNullable: Bool { self.nullableVersions != nil }

    /// The type with the default value.
    fileprivate func declaration(in kind: MessageDefinition.Kind) -> String {
        // The broker sends the batches that it has in one piece, and gets a slice of the frame.
        if case .records = self.type, kind == .response { return "[ByteBuffer] = []" }
        if self.isNullable { return "\(self.type.swiftName)?" }
        let value =
            switch self.type {
            case .bool: self.defaultValue ?? "false"
            case .integer(let bits): self.defaultValue.flatMap { SwiftText.number($0, bits: bits) } ?? "0"
            case .errorCode: ".none"
            case .uuid: ".zero"
            case .string: "\"\""
            case .bytes, .records: "ByteBuffer()"
            case .array, .structure: "[]"
            }
        return "\(self.type.swiftName) = \(value)"
    }

    /// The reader's method with its arguments.
    fileprivate func reading(in kind: MessageDefinition.Kind) -> String {
        switch self.type {
        case .records where kind == .response: "nullableBytes().map { [$0] } ?? []"
        case .bool: "bool()"
        case .integer(let bits): "int\(bits)()"
        case .errorCode: "errorCode()"
        case .uuid: "uuid()"
        case .string: self.isNullable ? "nullableString()" : "string()"
        case .bytes, .records: self.isNullable ? "nullableBytes()" : "bytes()"
        case .array(.structure(let name, _)):
            "\(self.isNullable ? "nullableArray" : "array")(of: \(name).self, version: version)"
        case .array(.integer(let bits)): "int\(bits)Array()"
        case .array, .structure: self.isNullable ? "nullableStringArray()" : "stringArray()"
        }
    }

    /// The writer's method with its arguments.
    fileprivate func writing(in kind: MessageDefinition.Kind) -> String {
        switch self.type {
        case .records where kind == .response: "recordSet(self.\(self.name))"
        case .array(.structure): "array(self.\(self.name), version: version)"
        case .array(.string): "write(self.\(self.name) as \(self.type.swiftName)?)"
        default: "write(self.\(self.name))"
        }
    }
}

extension MessageDefinition.FieldType {
    fileprivate var swiftName: String {
        switch self {
        case .bool: "Bool"
        case .integer(let bits): "Int\(bits)"
        case .errorCode: "ErrorCode"
        case .uuid: "TopicID"
        case .string(let isName): isName ? "Name" : "String"
        case .bytes, .records: "ByteBuffer"
        case .array(let element): "[\(element.swiftName)]"
        case .structure(let name, _): name
        }
    }
}
