import IntentKit

extension OptionSet {
    /// Reads an array of names, or one name; nil when one is not known.
    init?(json: JSONValue, names: KeyValuePairs<String, Self>) {
        guard let elements = json.array ?? json.string.map({ [.string($0)] }) else { return nil }
        var options: Self = []
        for element in elements {
            guard let option = names.first(where: { $0.key == element.string })?.value else { return nil }
            options.formUnion(option)
        }
        self = options
    }

    /// An array of the names, in the list's order.
    func json(names: KeyValuePairs<String, Self>) -> JSONValue {
        .array(names.filter { self.isSuperset(of: $0.value) }.map { .string($0.key) })
    }
}
