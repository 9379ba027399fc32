package import IntentKit
internal import LibCurl

/// Plays the part of intentd, and of other clients, towards a service, and reports what the service gets wrong (R61).
package struct ServiceCheck: Sendable {
    /// The result of one thing that was tried.
    package struct Finding: Hashable, Sendable {
        package enum Verdict: String, Sendable {
            case right = "ok"
            case wrong
            /// Neither right nor wrong: something to know.
            case note
        }

        package var verdict: Verdict
        /// What was tried.
        package var subject: String
        /// What the service does, and what would be right where it is wrong.
        package var text: String
    }

    let definition: IntentDefinition
    /// Makes the calls as a turn would.
    let caller: ServiceCaller
    let host: CheckTurnHost
    /// The part of the interactions' ids that distinguishes this check from any other.
    let run: String
    /// Whether `handle` is called.
    let handles: Bool
    /// Values to try, by parameter: the given ones, then made-up ones.
    let candidates: [String: [JSONValue]]
    /// The names of the outcomes that came, by parameter.
    var seen: [String: Set<String>] = [:]
    /// The values that the service has offered, by parameter.
    var offered: [String: [JSONValue]] = [:]
    /// Parameters of which several options look the same.
    var alike: Set<String> = []
    private(set) var findings: [Finding] = []

    /// Prepares a check; nil when the definition has no service.
    ///
    /// - Parameters:
    ///   - definition: An intent with a service.
    ///   - url: The address to check instead of the definition's. Secrets are only sent to the definition's own origin.
    ///   - values: Values of parameters that the service knows, by name, the best first.
    ///   - handles: Whether `handle` is called, which carries the intent out.
    ///   - run: The part of the interactions' ids that distinguishes this check from any other.
    package init?(
        _ definition: IntentDefinition,
        url: String? = nil,
        values: [String: [JSONValue]] = [:],
        handles: Bool = true,
        run: String
    ) {
        guard var service = definition.service else { return nil }
        let headers = service.endpoint.headers.keys
        if let url { service.endpoint = service.endpoint.moved(to: url) }
        self.definition = definition
        self.caller = ServiceCaller(
            parameters: definition.parameters,
            codes: IntentDefinition.codes.union(service.codes),
            service: service
        )
        self.host = CheckTurnHost(timeout: service.endpoint.timeout)
        self.run = run
        self.handles = handles
        self.candidates = Dictionary(
            uniqueKeysWithValues: definition.parameters.map { parameter in
                (parameter.name, (values[parameter.name] ?? []) + SampleValues.of(parameter))
            }
        )
        let kept = headers.filter { service.endpoint.headers[$0] == nil }.sorted()
        if !kept.isEmpty {
            let text = "not sent, since this is not the definition's address: \(kept.joined(separator: ", "))"
            self.record(.note, "headers", text)
        }
    }

    /// What is wrong with an address; nil when it can be checked.
    package static func problem(inAddress url: String) -> String? { HTTPEndpoint.problem(inAddress: url) }

    /// What in the definition prevents a check: secrets that are not where it says.
    package var problems: [DefinitionProblem] { self.caller.service.endpoint.problems }

    /// Tries everything, but stops when the service never answers, or never in time.
    package mutating func findAll() async -> [Finding] {
        guard await self.isReached() else { return self.findings }
        if self.caller.service.resolves { await self.tryResolving() }
        guard !self.host.isHopeless else {
            self.record(.wrong, "time", "three calls timed out: the check stopped")
            return self.findings
        }
        let intent = await self.settledIntent()
        if self.caller.service.resolves { self.reportOutcomes() }
        await self.tryInvalidCalls(intent ?? self.firstIntent)
        await self.tryManyAtOnce(intent ?? self.firstIntent)
        if let intent {
            await self.tryReporting(intent)
        } else {
            self.record(.note, "confirm and handle", "not tried, since the parameters did not settle")
        }
        self.reportTime()
        return self.findings
    }

    /// Records the result of one trial; a subject with a wrong result stays wrong, whatever else comes.
    mutating func record(_ verdict: Finding.Verdict, _ subject: String, _ text: String) {
        let finding = Finding(verdict: verdict, subject: subject, text: text)
        guard !self.findings.contains(finding) else { return }
        if verdict == .wrong { self.findings.removeAll { $0.subject == subject && $0.verdict == .right } }
        if verdict == .right, self.findings.contains(where: { $0.subject == subject && $0.verdict == .wrong }) {
            return
        }
        self.findings.append(finding)
    }

    /// The intent with the first value of every parameter.
    var firstIntent: IntentSnapshot {
        var values: JSONObject = [:]
        for parameter in self.definition.parameters {
            guard let value = self.candidates[parameter.name]?.first else { continue }
            values[parameter.name] = parameter.isList ? [value] : value
        }
        return IntentSnapshot(name: self.definition.name, parameters: values)
    }

    /// A turn of a conversation of that name.
    func context(_ name: String) -> TurnContext { self.host.context(interaction: "\(self.run)-\(name)") }

    /// The result of a post: an answer, or the reason why there is none.
    func post(_ body: [UInt8], to call: ServiceCall, key: String? = nil) async -> Result<HTTPReply, ServiceProblem> {
        let exchange = HTTPExchange(endpoint: self.caller.service.endpoint.below(call.rawValue))
        do {
            return .success(try await exchange.send(body, key: key))
        } catch {
            return .failure(ServiceProblem(text: "\(error)"))
        }
    }

    /// The body of a call about an intent, as intentd would send it.
    func body(_ intent: IntentSnapshot, of call: ServiceCall) -> JSONValue {
        let request = ServiceRequest(self.context("body"))
        return call == .resolve ? request.resolve(intent, self.definition.parameters) : request.body(intent, for: call)
    }

    private mutating func isReached() async -> Bool {
        let call = self.caller.service.calls.first ?? .handle
        let unknown = IntentSnapshot(name: Self.unknownName)
        let endpoint = self.caller.service.endpoint.below(call.rawValue)
        if case .failure(let problem) = await self.post(self.body(unknown, of: call).utf8, to: call) {
            self.record(.wrong, Self.reaching, "POST \(endpoint.displayURL): \(problem.text)")
            return false
        }
        return true
    }

    /// The subject of the finding that the service does not answer.
    package static let reaching = "reaching the service"

    /// The name of an intent that no service has.
    static let unknownName = "NoIntentOfThisName"

    private mutating func reportTime() {
        let (slowest, timeout) = (self.host.slowest, self.caller.service.endpoint.timeout)
        let text = "the slowest answer took \(slowest.inSeconds) of the allowed \(timeout.inSeconds)"
        if slowest * 2 > timeout {
            self.record(.wrong, "time", "\(text): with a little more work it would time out. Raise timeout")
        } else {
            self.record(.right, "time", text)
        }
    }
}

extension Duration {
    /// Seconds with two digits after the point.
    fileprivate var inSeconds: String {
        let hundredths = Int((self / .milliseconds(10)).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) s"
    }
}
