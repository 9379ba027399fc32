import ArgumentParser
import DeclaredIntents
import Foundation
import IntentKit
import IntentOperations

/// `intentd service check`: plays intentd's part towards a service, and reports what the service gets wrong.
struct ServiceCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a service against the service protocol, and report what it gets wrong.",
        discussion: """
            The intent's definition describes the calls; it is in config/intents, or in a file that --definitions names. \
            The service receives the calls that a turn makes, with the values of --value and with unusual ones, and then \
            calls that others could make: unknown members, an unknown intent, malformed and oversized bodies, sixteen \
            calls at once. Calls of `handle` have real effects, under ids that begin with service-check: twice with the \
            same Idempotency-Key, first in sequence, then concurrently.

            The last line is `N right, N wrong`; the exit status is 0 only if nothing is wrong, and 69 if the service does \
            not answer.
            """
    )

    @Argument(help: ArgumentHelp("The service's address. (default: the definition's)", valueName: "url"))
    var url: String?

    @Option(help: ArgumentHelp("The intent, if several have a service.", valueName: "name"))
    var intent: String?

    @Option(
        help: ArgumentHelp(
            "A value that the service accepts, as JSON or text. Can be repeated.",
            valueName: "parameter=value"
        )
    )
    var value: [String] = []

    @Flag(inversion: .prefixedNo, help: "Call `handle` as well.")
    var handle = true

    @OptionGroup var output: JSONOption

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let url, let problem = ServiceCheck.problem(inAddress: url) { throw ValidationError(problem) }
        if let value = self.value.first(where: { !$0.contains("=") }) {
            throw ValidationError("'\(value)' is not of the form parameter=value")
        }
    }

    func run() async throws {
        let definition = try self.definition(of: try self.common.load())
        let run = "service-check-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let check = ServiceCheck(
            definition,
            url: self.url,
            values: try self.values(of: definition),
            handles: self.handle,
            run: run
        )
        guard var check else { return }
        guard check.problems.isEmpty else {
            throw OperationError(.configuration, check.problems.map(\.message).joined(separator: "\n"))
        }
        let findings = await check.findAll()
        self.show(findings)
        guard findings.contains(where: { $0.verdict == .wrong }) else { return }
        let isReached = !findings.contains { $0.verdict == .wrong && $0.subject == ServiceCheck.reaching }
        throw ExitCode((isReached ? ExitStatus.checkFailed : .unavailable).rawValue)
    }

    private func definition(of configuration: Configuration) throws(OperationError) -> IntentDefinition {
        let declared = try DefinitionFiles(configuration)
        guard declared.problems.isEmpty else {
            throw OperationError(.configuration, problems: declared.problems)
        }
        let served = declared.definitions.map(\.definition).filter { $0.serviceAddress != nil }
        let names = served.map(\.name)
        guard !served.isEmpty else {
            throw OperationError(
                .usage,
                "no declared intent has a service: pass the file of its definition with --definitions"
            )
        }
        if let intent {
            if let found = served.first(where: { $0.name == intent }) { return found }
            let hint = NearMiss.hint(intent, among: names)
            throw OperationError(
                .usage,
                "no intent \(intent) has a service\(hint); intents with a service are \(names.joined(separator: ", "))"
            )
        }
        let atAddress = served.filter { $0.serviceAddress == self.url }
        let meant = atAddress.isEmpty ? served : atAddress
        guard meant.count == 1 else {
            throw OperationError(
                .usage,
                "several intents have a service: select one with --intent: \(names.joined(separator: ", "))"
            )
        }
        return meant[0]
    }

    /// The given values, by parameter.
    private func values(of definition: IntentDefinition) throws(OperationError) -> [String: [JSONValue]] {
        let names = definition.parameters.map(\.name)
        var values: [String: [JSONValue]] = [:]
        for word in self.value {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let parameter = definition.parameters.first(where: { $0.name == parts[0] }) else {
                let hint = NearMiss.hint(parts[0], among: names)
                throw OperationError(
                    .usage,
                    "\(definition.name) has no parameter \(parts[0])\(hint); its parameters are \(names.joined(separator: ", "))"
                )
            }
            let json = try? JSONValue(parsing: parts[1])
            // A text may look like a number.
            let isText = parameter.type == .string && json?.string == nil
            values[parameter.name, default: []].append(isText ? .string(parts[1]) : json ?? .string(parts[1]))
        }
        return values
    }

    private func show(_ findings: [ServiceCheck.Finding]) {
        guard !self.output.json else {
            for finding in findings {
                StandardOutput.print([
                    "verdict": .string(finding.verdict.rawValue), "subject": .string(finding.subject),
                    "text": .string(finding.text),
                ])
            }
            return
        }
        for finding in findings {
            let verdict = finding.verdict.rawValue + String(repeating: " ", count: 5 - finding.verdict.rawValue.count)
            StandardOutput.print("\(verdict)  \(SafeText.line("\(finding.subject): \(finding.text)"))")
        }
        let wrong = findings.count { $0.verdict == .wrong }
        let right = findings.count { $0.verdict == .right }
        StandardOutput.print("\(right) right, \(wrong) wrong")
    }
}
