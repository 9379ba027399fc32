import IntentKit

extension ServiceHandling {
    /// Reads the settings; relative paths start in the directory.
    static func read(
        _ json: JSONValue,
        at path: JSONPath,
        directory: String
    ) -> Result<ServiceHandling, InvalidDefinition> {
        var reader = MemberReader(json, at: path, what: "a service")
        let endpoint = HTTPEndpoint.read(&reader, directory: directory)
        let calls = Self.readCalls(&reader)
        let offersOthers = reader.flag("offersOthers")
        let status = Self.readStatus(&reader)
        let undo = Self.readUndo(&reader)
        let codes = Self.readCodes(&reader)
        if calls.contains(.lookup), endpoint?.retry?.failures != nil {
            reader.report("on has no meaning with lookup, which is asked after every failure: leave it out", "retry")
        }
        reader.finish()
        guard let endpoint, reader.problems.isEmpty else {
            return .failure(InvalidDefinition(problems: reader.problems))
        }
        return .success(
            ServiceHandling(
                endpoint: endpoint,
                resolves: calls.contains(.resolve),
                confirms: calls.contains(.confirm),
                looksUp: calls.contains(.lookup),
                offersOthers: offersOthers,
                statusUpdates: status,
                undo: undo,
                codes: codes
            )
        )
    }

    private static func readCalls(_ reader: inout MemberReader) -> Set<ServiceCall> {
        guard let names = reader.array("calls") else { return [.resolve, .confirm, .handle] }
        var calls: Set<ServiceCall> = []
        for (index, json) in names.enumerated() {
            let path = reader.path.appending("calls").appending(index)
            switch json.string.flatMap(ServiceCall.init(rawValue:)) {
            case .status?: reader.report("status is configured with status: {every: PT15S, for: PT1H}", at: path)
            case .undo?: reader.report("undo is configured with undo: {within: PT1H}", at: path)
            case let call?: calls.insert(call)
            case nil: reader.report("\(ShownText.of(json)) is not one of resolve, confirm, handle, lookup", at: path)
            }
        }
        if !calls.contains(.handle) { reader.report("handle is missing: a service must handle its intent", "calls") }
        return calls
    }

    private static func readStatus(_ reader: inout MemberReader) -> StatusUpdates? {
        guard let json = reader.value("status") else { return nil }
        var status = MemberReader(json, at: reader.path.appending("status"), what: "status")
        var updates = StatusUpdates()
        let bounds = "from a tenth of a second to 24 hours is expected, such as PT15S"
        if let every = status.duration("every", 0.1...86_400, bounds) { updates.every = every }
        let days = "of at most 7 days is expected, such as PT12H"
        if let duration = status.duration("for", 0.1...604_800, days) { updates.duration = duration }
        status.finish()
        reader.report(status.problems)
        return updates
    }

    private static func readUndo(_ reader: inout MemberReader) -> ServiceUndo? {
        guard let json = reader.value("undo") else { return nil }
        var undo = MemberReader(json, at: reader.path.appending("undo"), what: "undo")
        let bounds = "from a second to 30 days is expected, such as PT1H"
        let within = undo.duration("within", 1...2_592_000, bounds)
        undo.finish()
        reader.report(undo.problems)
        return ServiceUndo(within: within)
    }

    private static func readCodes(_ reader: inout MemberReader) -> Set<String> {
        var codes: Set<String> = []
        for (index, json) in (reader.array("codes") ?? []).enumerated() {
            let code = json.string ?? ""
            if Self.knownCodes.contains(code) || HTTPHandling.isFailure(code) || IntentDefinition.codes.contains(code) {
                codes.insert(code)
            } else {
                let known = Self.knownCodes.sorted().joined(separator: ", ")
                let path = reader.path.appending("codes").appending(index)
                reader.report(
                    "\(ShownText.of(json)) is not one of \(known), nor a name that begins with failure",
                    at: path
                )
            }
        }
        return codes
    }
}
