internal import Foundation
internal import IntentKit

/// A property list, in XML or binary, as JSON.
enum PropertyListFile {
    /// Reads a file's bytes.
    /// - Throws: ``OperationError`` (78): no property list, one with dates or data, which vocabularies do not have, or one
    ///   that is larger than ``DocumentWeight`` allows.
    static func json(_ path: String, _ data: Data) throws(OperationError) -> JSONValue {
        do throws(BinaryPropertyList.Excess) {
            try BinaryPropertyList.check(Array(data))
        } catch {
            throw OperationError(.configuration, "\(path): this file holds \(error.message)")
        }
        var format = PropertyListSerialization.PropertyListFormat.xml
        let value: Any
        do {
            value = try PropertyListSerialization.propertyList(from: data, options: [], format: &format)
        } catch {
            throw OperationError(.configuration, "\(path)\(Self.explanation(error as NSError))")
        }
        guard let json = Self.json(value) else {
            throw OperationError(.configuration, "\(path): a vocabulary cannot contain dates or data")
        }
        return json
    }

    /// Foundation states the line of a mistake at the end of a sentence.
    private static func explanation(_ error: NSError) -> String {
        let whole = error.userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription
        // It names the tag that it does not know, which may be anything.
        let text = String(whole.prefix(120))
        guard let match = text.firstMatch(of: #/ (?:on|at) line (\d+)/#) else {
            return ": this is not a property list: \(text)"
        }
        return ":\(match.1): this is not a property list: \(text.replacing(match.0, with: ""))"
    }

    private static func json(_ value: Any) -> JSONValue? {
        switch value {
        case let text as String: return .string(text)
        // Before numbers, because a boolean can be read as one.
        case let flag as Bool where type(of: value) == Bool.self: return .bool(flag)
        case let number as Int64: return .integer(number)
        case let number as Double: return .number(number)
        case let array as [Any]:
            let elements = array.compactMap(Self.json)
            return elements.count == array.count ? .array(elements) : nil
        case let members as [String: Any]:
            let values = members.compactMapValues(Self.json)
            return values.count == members.count ? .object(values) : nil
        default: return nil
        }
    }
}
