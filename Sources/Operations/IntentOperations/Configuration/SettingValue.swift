package import IntentKit

/// The value of a setting, of the type that the setting has.
package enum SettingValue: Hashable, Sendable {
    case text(String)
    case integer(Int)
    /// A share of something, from 0 to 1.
    case share(Double)
    case duration(Duration)
    /// The address to listen on; nil for none.
    case listen(BrokerAddress?)
    /// Several texts, in order.
    case list([String])

    /// The value in the notation of a file.
    package var description: String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .share(let share): String(share)
        case .duration(let duration): DurationText.write(duration)
        case .listen(let address): address?.description ?? "none"
        case .list(let elements): elements.joined(separator: ", ")
        }
    }

    /// The value for `--json`.
    package var json: JSONValue {
        switch self {
        case .text, .duration, .listen: .string(self.description)
        case .integer(let number): .integer(Int64(number))
        case .share(let share): .number(share)
        case .list(let elements): .array(elements.map { .string($0) })
        }
    }
}
