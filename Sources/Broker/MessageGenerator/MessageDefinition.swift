package import Foundation

/// One message of the protocol, as data in the form in which Kafka publishes its own definitions.
///
/// It has what the broker's code needs, for the versions that the broker serves. Whatever else Kafka's form knows is
/// refused, so that nothing in a definition is without effect. Two keys of a field are our own: `swiftName`, and more
/// values of `entityType`.
package struct MessageDefinition: Sendable {
    package enum Kind: String, Decodable, Sendable { case request, response }

    /// The name of the API: the message's without its kind.
    package let api: String
    package let apiKey: Int16
    package let kind: Kind
    package let validVersions: ClosedRange<Int16>
    /// The first version with compact lengths and tagged fields (KIP-482).
    package let firstFlexibleVersion: Int16?
    package let fields: [Field]

    package struct Field: Sendable {
        /// In Swift's code.
        package let name: String
        /// In Kafka's definitions.
        package let kafkaName: String
        package let type: FieldType
        package let versions: ClosedRange<Int16>
        /// The versions in which a writer may write null; a reader accepts it in all.
        package let nullableVersions: ClosedRange<Int16>?
        /// A number or a truth value; nil is zero, false, empty, or null where the field may be null.
        let defaultValue: String?
        /// What a reader of the Swift code has to know.
        let about: String?
    }

    package indirect enum FieldType: Sendable {
        case bool
        case integer(bits: Int)
        case errorCode
        case uuid
        /// A name is compared by its bytes.
        case string(isName: Bool)
        case bytes
        case records
        case array(FieldType)
        /// The elements of an array have a type of their own, declared within that of the structure around them.
        case structure(name: String, [Field])
    }
}

/// What is wrong with a definition.
package struct DefinitionError: Error, Equatable, CustomStringConvertible {
    /// The file, message or field.
    package let location: String
    package let problem: String

    package var description: String { "\(self.location): \(self.problem)" }
}

extension MessageDefinition {
    /// The strings that are names, and thus a `Name` in Swift; the first three are Kafka's own.
    private static let nameTypes: Set<String> = [
        "topicName", "groupId", "transactionalId",
        "memberId", "groupInstanceId", "protocolType", "protocolName", "coordinatorKey", "resourceName",
    ]

    /// The messages of a file: the request and the response of one API.
    package static func api(named name: String, from json: Data) throws -> (request: Self, response: Self) {
        let decoder = JSONDecoder()
        // Kafka's form has comments.
        decoder.allowsJSON5 = true
        let texts: [Strict<MessageText>]
        do {
            texts = try decoder.decode([Strict<MessageText>].self, from: json)
        } catch {
            throw DefinitionError(location: name, problem: "\(error)")
        }
        let messages = try texts.map { try Self($0.value) }
        guard messages.map(\.kind) == [.request, .response], messages.allSatisfy({ $0.api == name }) else {
            throw DefinitionError(location: name, problem: "is not \(name)Request and \(name)Response")
        }
        let (request, response) = (messages[0], messages[1])
        guard request.apiKey == response.apiKey, request.validVersions == response.validVersions,
            request.firstFlexibleVersion == response.firstFlexibleVersion
        else { throw DefinitionError(location: name, problem: "request and response differ in key or versions") }
        return (request, response)
    }

    private init(_ text: MessageText) throws {
        let ending = text.type == .request ? "Request" : "Response"
        guard text.name.hasSuffix(ending) else {
            throw DefinitionError(location: text.name, problem: "does not end in \(ending)")
        }
        self.api = String(text.name.dropLast(ending.count))
        self.apiKey = text.apiKey
        self.kind = text.type
        guard let versions = Self.versions(text.validVersions, within: 0 ... .max), versions.upperBound < .max else {
            throw DefinitionError(location: text.name, problem: "validVersions is not like 0-3")
        }
        self.validVersions = versions
        if text.flexibleVersions == "none" {
            self.firstFlexibleVersion = nil
        } else if let flexible = Self.versions(text.flexibleVersions, within: versions),
            flexible.upperBound == versions.upperBound
        {
            self.firstFlexibleVersion = flexible.lowerBound
        } else {
            throw DefinitionError(location: text.name, problem: "flexibleVersions is neither none nor like 2+")
        }
        self.fields = try Self.fields(text.fields, within: versions, of: text.name)
    }

    /// The versions of a text such as `2`, `2-4` or `2+`, if they are served.
    private static func versions(_ text: String, within served: ClosedRange<Int16>) -> ClosedRange<Int16>? {
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false)
        let isOpen = text.hasSuffix("+")
        guard bounds.count <= 2, let first = Int16(isOpen ? text.dropLast() : bounds[0]),
            let last = isOpen ? served.upperBound : Int16(bounds[bounds.count - 1]),
            served.lowerBound <= first, first <= last, last <= served.upperBound
        else { return nil }
        return first...last
    }

    private static func fields(
        _ texts: [Strict<FieldText>],
        within served: ClosedRange<Int16>,
        of parent: String
    ) throws -> [Field] {
        let fields = try texts.map { try Self.field($0.value, within: served, of: parent) }
        guard Set(fields.map(\.name)).count == fields.count else {
            throw DefinitionError(location: parent, problem: "two fields have the same name")
        }
        return fields
    }

    private static func field(
        _ text: FieldText,
        within served: ClosedRange<Int16>,
        of parent: String
    ) throws -> Field {
        let location = "\(parent).\(text.name)"
        func refuse(_ problem: String) -> DefinitionError { DefinitionError(location: location, problem: problem) }
        guard let versions = Self.versions(text.versions, within: served) else {
            throw refuse("versions is not like 2, 2-4 or 2+, or names versions that are not served")
        }
        let type = try Self.type(text, versions, location)
        let nullable = text.nullableVersions.flatMap { Self.versions($0, within: versions) }
        guard (nullable == nil) == (text.nullableVersions == nil) else {
            throw refuse("nullableVersions names versions without the field")
        }
        if nullable != nil, !type.mayBeNull { throw refuse("this type is never null") }
        if let value = text.default, nullable != nil ? value != "null" : !type.accepts(default: value) {
            throw refuse("\(value) cannot be its default")
        }
        return Field(
            name: text.swiftName ?? SwiftText.name(text.name),
            kafkaName: text.name,
            type: type,
            versions: versions,
            nullableVersions: nullable,
            defaultValue: nullable == nil ? text.default : nil,
            about: text.about
        )
    }

    private static func type(
        _ text: FieldText,
        _ versions: ClosedRange<Int16>,
        _ location: String
    ) throws -> FieldType {
        func refuse(_ problem: String) -> DefinitionError { DefinitionError(location: location, problem: problem) }
        let isArray = text.type.hasPrefix("[]")
        let name = isArray ? String(text.type.dropFirst(2)) : text.type
        if let entityType = text.entityType, name != "string" || !Self.nameTypes.contains(entityType) {
            throw refuse("a string cannot be a \(entityType)")
        }
        let element: FieldType
        switch name {
        case "bool": element = .bool
        case "int8": element = .integer(bits: 8)
        case "int16": element = text.name.hasSuffix("ErrorCode") ? .errorCode : .integer(bits: 16)
        case "int32": element = .integer(bits: 32)
        case "int64": element = .integer(bits: 64)
        case "uuid": element = .uuid
        case "string": element = .string(isName: text.entityType != nil)
        case "bytes": element = .bytes
        case "records": element = .records
        default:
            guard isArray, name.first?.isUppercase == true, let fields = text.fields else {
                throw refuse("the broker has no type \(text.type)")
            }
            return .array(.structure(name: name, try Self.fields(fields, within: versions, of: location)))
        }
        guard text.fields == nil else { throw refuse("only structures have fields") }
        guard isArray else { return element }
        switch element {
        case .integer(bits: 32), .integer(bits: 64), .string: return .array(element)
        default: throw refuse("the broker has no type \(text.type)")
        }
    }
}

extension MessageDefinition.FieldType {
    fileprivate var mayBeNull: Bool {
        switch self {
        case .string, .bytes, .records, .array(.structure), .array(.string): true
        default: false
        }
    }

    fileprivate func accepts(default value: String) -> Bool {
        switch self {
        case .bool: value == "true" || value == "false"
        case .integer(let bits): SwiftText.number(value, bits: bits) != nil
        default: false
        }
    }
}

/// A message as it is written in the file.
private struct MessageText: KnownKeys {
    let apiKey: Int16
    let type: MessageDefinition.Kind
    let name: String
    let validVersions: String
    let flexibleVersions: String
    let fields: [Strict<FieldText>]

    fileprivate enum CodingKeys: String, CodingKey {
        case apiKey, type, name, validVersions, flexibleVersions, fields
    }
}

/// A field as it is written in the file.
private struct FieldText: KnownKeys {
    let name: String
    let swiftName: String?
    let type: String
    let versions: String
    let nullableVersions: String?
    let `default`: String?
    let entityType: String?
    let about: String?
    let fields: [Strict<FieldText>]?

    fileprivate enum CodingKeys: String, CodingKey {
        case name, swiftName, type, versions, nullableVersions, `default`, entityType, about, fields
    }
}

private protocol KnownKeys: Decodable {
    associatedtype CodingKeys: CodingKey
}

/// Decodes an object that has no unknown key.
private struct Strict<Value: KnownKeys>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        for key in try decoder.container(keyedBy: AnyKey.self).allKeys
        where Value.CodingKeys(stringValue: key.stringValue) == nil {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(key.stringValue) would have no effect here")
            )
        }
        self.value = try Value(from: decoder)
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
