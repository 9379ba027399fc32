/// A type that a parameter of an intent can have, with its form on the wire (R11).
public protocol ParameterValue: Hashable, Sendable {
    /// The type of one value: for a list that of its elements, for any other type the type itself.
    associatedtype SingleValue: ParameterValue = Self

    /// The type's name in descriptions of intents, such as `string` or `person`.
    static var typeName: String { get }

    /// Reads the wire form; nil when the value has another type.
    ///
    /// A value that cannot be read is `unsupported` to the user, not an error (R25).
    init?(json: JSONValue)

    /// The wire form.
    var json: JSONValue { get }

    /// Whether the value counts as missing, as an empty string does (R21).
    var isMissing: Bool { get }

    /// The words by which values are matched when they are not said exactly; nil if there are none.
    var words: String? { get }
}

extension ParameterValue {
    /// By default a value does not count as missing.
    public var isMissing: Bool { false }

    /// By default values are not matched by words.
    public var words: String? { nil }
}

/// The type of values that can be offered to the user as choices: every ``ParameterValue``.
@available(*, deprecated, renamed: "ParameterValue")
public typealias DisambiguatableValue = ParameterValue
