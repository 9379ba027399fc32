internal import IntentKit
internal import IntentRuntime

/// The names that queries are checked against: those of today's intents, their codes and their searchable parameters.
package struct KnownNames: Sendable {
    /// Nil where the intents cannot be read.
    private let served: Served?

    private struct Served: Sendable {
        var intents: Set<String> = []
        var codes: Set<String> = []
        /// The intents that declare a parameter as searchable, by its name.
        var searchable: [String: Set<String>] = [:]
    }

    package init(_ intents: IntentSet?) {
        self.served = intents.map { set in
            var served = Served()
            for registration in set.extensions.flatMap(\.registrations) {
                served.intents.insert(registration.intentName)
                served.codes.formUnion(registration.codes)
                for parameter in registration.parameters where parameter.isSearchable {
                    served.searchable[parameter.name, default: []].insert(registration.intentName)
                }
            }
            return served
        }
    }

    /// The searchable parameters of an intent, or of all of them, sorted by name.
    package func searchable(of intent: String?) -> [String] {
        (self.served?.searchable ?? [:]).filter { intent.map($0.value.contains) ?? true }.keys.sorted()
    }

    /// The intents that declare a parameter as searchable.
    /// - Throws: ``OperationError``, `usage`, where none does.
    func intents(searchableBy parameter: String) throws(OperationError) -> Set<String> {
        guard let served else {
            throw OperationError(
                .configuration,
                "the intents cannot be read, so their searchable parameters are not known; see `intentd config check`"
            )
        }
        guard let intents = served.searchable[parameter] else {
            let known = served.searchable.keys.sorted()
            let text = known.isEmpty ? "no parameter is declared `searchable`" : "use \(known.joined(separator: ", "))"
            throw OperationError(
                .usage,
                "unknown searchable parameter '\(parameter)'\(NearMiss.hint(parameter, among: known)); \(text)"
            )
        }
        return intents
    }

    /// What is wrong with the names of a query that found nothing; nil when its names are known.
    package func problem(of query: InteractionQuery) -> String? {
        guard let served else { return nil }
        let codes = served.codes.union(InteractionQuery.statuses).union(EndReason.allCases.map(\.rawValue))
        for (field, what, known) in [(.intent, "intent", served.intents), (.code, "code or end reason", codes)]
            as [(InteractionQuery.Field, String, Set<String>)]
        {
            guard let text = query[field], !known.contains(text) else { continue }
            return "unknown \(what) '\(text)'\(NearMiss.hint(text, among: known.sorted())); nothing is recorded with it"
        }
        return nil
    }
}
