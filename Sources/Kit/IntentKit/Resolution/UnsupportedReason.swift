/// Why a value is not supported, from an intent's own list.
///
/// SiriKit declares one such list for a parameter, for example `INSendMessageRecipientUnsupportedReason`. The code is
/// SiriKit's number; the name is the reason on the wire.
public protocol UnsupportedReason: Hashable, Sendable, CaseIterable, RawRepresentable<Int> {
    /// The reason's name on the wire.
    var name: String { get }
    /// The reason as people say it, such as "not on the half hour"; dialogs have it in brackets.
    ///
    /// Without it a prompt file's text counts, or else, in English, the words of the name.
    var title: LocalizedText? { get }
}

extension UnsupportedReason {
    /// The case's own name.
    public var name: String { String(describing: self) }

    /// By default a reason has only its name.
    public var title: LocalizedText? { nil }
}

/// The reasons of a parameter without a list: there are none.
public enum NoReason: Int, UnsupportedReason {
    /// This cannot be made; an enumeration with raw values needs a case.
    @available(*, unavailable)
    case none = 0

    public static var allCases: [NoReason] { [] }
}

/// A reason in its wire form.
public struct ReasonDescription: Hashable, Sendable {
    /// SiriKit's number, or the author's own.
    public var code: Int
    public var name: String
    /// The reason as people say it; not on the wire.
    public var title: LocalizedText?

    /// Describes a reason of an intent's list.
    public init(_ reason: some UnsupportedReason) {
        self.code = reason.rawValue
        self.name = reason.name
        self.title = reason.title
    }

    /// Describes a reason that is in no Swift list.
    public init(code: Int, name: String, title: LocalizedText? = nil) {
        self.code = code
        self.name = name
        self.title = title
    }

    /// The wire form.
    package var json: JSONValue { ["code": .integer(Int64(self.code)), "name": .string(self.name)] }

    /// The form in state.
    package var stored: JSONValue {
        .members([
            "code": .integer(Int64(self.code)), "name": .string(self.name), "title": self.title?.json,
        ])
    }

    package init?(json: JSONValue) {
        guard let code = json["code"]?.integer, let name = json["name"]?.string else { return nil }
        self.init(code: Int(code), name: name, title: json["title"].flatMap(LocalizedText.init(json:)))
    }
}
