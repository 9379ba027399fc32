import IntentKit

extension IntentDefinition {
    /// Reads one intent.
    static func read(
        _ json: JSONValue,
        at path: JSONPath,
        directory: String
    ) -> Result<IntentDefinition, InvalidDefinition> {
        var reader = MemberReader(json, at: path, what: "an intent")
        guard json.object != nil else { return .failure(InvalidDefinition(problems: reader.problems)) }
        let name = reader.name("name")
        let title = reader.string("title")
        let confirmation: ConfirmationPolicy? = reader.choice("confirmation")
        let isFinancial = reader.flag("financial")
        let parameters = Self.readParameters(&reader)
        let handling = Self.readHandling(&reader, directory)
        reader.finish()
        guard let name, reader.problems.isEmpty else {
            return .failure(InvalidDefinition(problems: reader.problems))
        }
        return .success(
            IntentDefinition(
                name: name,
                title: title,
                confirmation: confirmation ?? .byHandler,
                isFinancial: isFinancial,
                parameters: parameters,
                handling: handling.kind,
                http: handling.http,
                source: json
            )
        )
    }

    private static func readParameters(_ reader: inout MemberReader) -> [ParameterDefinition] {
        let path = reader.path.appending("parameters")
        let elements = reader.array("parameters") ?? []
        let names = elements.map { $0["name"]?.string }
        var parameters: [ParameterDefinition] = []
        for (index, json) in elements.enumerated() {
            let place = path.appending(index)
            if let name = names[index], let first = names.firstIndex(of: name), first < index {
                reader.report("\(name) is declared twice, first at \(path.appending(first))", at: place)
            }
            switch ParameterDefinition.read(json, at: place) {
            case .success(let parameter):
                parameters.append(parameter)
                for other in parameter.dependsOn.sorted() where other == parameter.name || !names.contains(other) {
                    let message = "\(other) is not another parameter of this intent"
                    reader.report(message, at: place.appending("dependsOn"))
                }
            case .failure(let error): reader.report(error.problems)
            }
        }
        return parameters
    }

    private static func readHandling(
        _ reader: inout MemberReader,
        _ directory: String
    ) -> (kind: Handling, http: HTTPHandling?) {
        guard let value = reader.value("handler") else { return (.record, nil) }
        switch value {
        case "record": return (.record, nil)
        case "swift": return (.swift, nil)
        default: break
        }
        let path = reader.path.appending("handler")
        guard value.object != nil else {
            reader.report("\(value) is not \"record\", \"swift\" or {\"http\": {…}}", at: path)
            return (.record, nil)
        }
        var handler = MemberReader(value, at: path, what: "a handler")
        var http: HTTPHandling?
        if let json = handler.value("http") {
            switch HTTPHandling.read(json, at: path.appending("http"), directory: directory) {
            case .success(let handling): http = handling
            case .failure(let error): handler.report(error.problems)
            }
        } else {
            handler.report("a handler is \"record\", \"swift\" or {\"http\": {…}}", at: path)
        }
        handler.finish()
        reader.report(handler.problems)
        return (.http, http)
    }
}
