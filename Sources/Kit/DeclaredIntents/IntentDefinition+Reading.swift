import IntentKit

extension IntentDefinition {
    static func read(
        _ json: JSONValue,
        at path: JSONPath,
        directory: String
    ) -> Result<IntentDefinition, InvalidDefinition> {
        var reader = MemberReader(json, at: path, what: "an intent")
        guard json.object != nil else { return .failure(InvalidDefinition(problems: reader.problems)) }
        let name = reader.name("name")
        let title = reader.localizedTexts("title")
        let confirmation: ConfirmationPolicy? = reader.choice("confirmation")
        let isFinancial = reader.flag("financial")
        let confirmedBy: ConfirmingParty? = reader.choice("confirmedBy")
        if confirmedBy == .user, confirmation == .never, !isFinancial {
            reader.report("the user cannot confirm what is never confirmed: confirmation: always", "confirmedBy")
        }
        let isReadOnly = reader.flag("readOnly")
        if isReadOnly && isFinancial {
            reader.report("an intent that moves money or cannot be undone is not read-only", "readOnly")
        }
        let parameters = Self.readParameters(&reader)
        let handling = Self.readHandling(&reader, directory)
        if handling.kind != .service, let index = parameters.firstIndex(where: { !$0.reasons.isEmpty }) {
            let path = reader.path.appending("parameters").appending(index).appending("reasons")
            reader.report("only a service can have its own reasons: handler: {service: {…}}", at: path)
        }
        reader.finish()
        guard let name, reader.problems.isEmpty else {
            return .failure(InvalidDefinition(problems: reader.problems))
        }
        return .success(
            IntentDefinition(
                name: name,
                title: title.isEmpty ? nil : LocalizedText(title),
                confirmation: confirmation ?? .byHandler,
                isFinancial: isFinancial,
                confirmedBy: confirmedBy,
                isReadOnly: isReadOnly,
                parameters: parameters,
                handling: handling.kind,
                http: handling.http,
                service: handling.service,
                source: json
            )
        )
    }

    private static func readParameters(_ reader: inout MemberReader) -> [ParameterDefinition] {
        let path = reader.path.appending("parameters")
        let elements = reader.array("parameters") ?? []
        let names = elements.map { $0["name"]?.string }
        let indices = Dictionary(
            names.enumerated().compactMap { index, name in name.map { ($0, index) } }
        ) { first, _ in first }
        var parameters: [ParameterDefinition] = []
        for (index, json) in elements.enumerated() {
            let itemPath = path.appending(index)
            if let name = names[index], let first = indices[name], first < index {
                let message = "\(ShownText.of(name)) is declared twice, first at \(path.appending(first))"
                reader.report(message, at: itemPath)
            }
            switch ParameterDefinition.read(json, at: itemPath) {
            case .success(let parameter):
                parameters.append(parameter)
                for other in parameter.dependsOn.sorted() where other == parameter.name || indices[other] == nil {
                    let message = "\(ShownText.of(other)) is not another parameter of this intent"
                    reader.report(message, at: itemPath.appending("dependsOn"))
                }
            case .failure(let error): reader.report(error.problems)
            }
        }
        return parameters
    }

    private static func readHandling(
        _ reader: inout MemberReader,
        _ directory: String
    ) -> (kind: Handling, http: HTTPHandling?, service: ServiceHandling?) {
        guard let value = reader.value("handler") else { return (.record, nil, nil) }
        switch value {
        case "record": return (.record, nil, nil)
        case "swift": return (.swift, nil, nil)
        default: break
        }
        let path = reader.path.appending("handler")
        let kinds = "\"record\", \"swift\", {\"http\": {…}} or {\"service\": {…}}"
        guard value.object != nil else {
            reader.report("\(ShownText.of(value)) is not \(kinds)", at: path)
            return (.record, nil, nil)
        }
        var handler = MemberReader(value, at: path, what: "a handler")
        var http: HTTPHandling?
        var service: ServiceHandling?
        switch (handler.value("http"), handler.value("service")) {
        case (let json?, nil):
            switch HTTPHandling.read(json, at: path.appending("http"), directory: directory) {
            case .success(let handling): http = handling
            case .failure(let error): handler.report(error.problems)
            }
        case (nil, let json?):
            switch ServiceHandling.read(json, at: path.appending("service"), directory: directory) {
            case .success(let handling): service = handling
            case .failure(let error): handler.report(error.problems)
            }
        case (nil, nil), (_?, _?): handler.report("a handler is \(kinds)", at: path)
        }
        handler.finish()
        reader.report(handler.problems)
        return (value["service"] == nil ? .http : .service, http, service)
    }
}
