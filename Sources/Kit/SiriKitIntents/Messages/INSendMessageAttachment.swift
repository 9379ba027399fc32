public import IntentKit

/// A file attached to a message, by reference (SiriKit's `audioMessageFile`); the file itself is not copied.
public struct INSendMessageAttachment: ParameterValue, Codable {
    public var name: String?
    /// The file's uniform type identifier, such as `com.apple.m4a-audio`.
    public var type: String?
    public var url: String?
    /// The app's identifier of the file.
    public var identifier: String?

    public init(name: String? = nil, type: String? = nil, url: String? = nil, identifier: String? = nil) {
        self.name = name
        self.type = type
        self.url = url
        self.identifier = identifier
    }

    public static let typeName = "attachment"

    /// Reads an object with `url`, `identifier` or both; without either there is no file.
    public init?(json: JSONValue) {
        self.init(
            name: json["name"]?.string,
            type: json["type"]?.string,
            url: json["url"]?.string,
            identifier: json["identifier"]?.string
        )
        if self.url?.isMissing ?? true, self.identifier?.isMissing ?? true { return nil }
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "name": self.name?.json, "type": self.type?.json, "url": self.url?.json,
            "identifier": self.identifier?.json,
        ])
    }

    /// Whether it is a recording: by its type, or because it has none.
    package var isAudio: Bool { self.type.map { $0.matchingKey.contains("audio") } ?? true }
}
