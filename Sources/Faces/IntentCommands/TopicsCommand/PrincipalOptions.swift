import ArgumentParser
import IntentEvents
import IntentRuntime

/// The principals of a deployment's roles.
struct PrincipalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Writes requests and reads responses. Can be repeated, like all roles.",
            valueName: "principal"
        ),
        transform: Self.principal
    )
    var client: [PrincipalName] = []

    @Option(help: ArgumentHelp("Runs all three stages.", valueName: "principal"), transform: Self.principal)
    var worker: [PrincipalName] = []

    @Option(help: ArgumentHelp("Runs resolve.", valueName: "principal"), transform: Self.principal)
    var resolve: [PrincipalName] = []

    @Option(help: ArgumentHelp("Runs confirm.", valueName: "principal"), transform: Self.principal)
    var confirm: [PrincipalName] = []

    @Option(help: ArgumentHelp("Runs handle.", valueName: "principal"), transform: Self.principal)
    var handle: [PrincipalName] = []

    @Option(help: ArgumentHelp("Runs the recorder.", valueName: "principal"), transform: Self.principal)
    var recorder: [PrincipalName] = []

    @Option(help: ArgumentHelp("Runs the gateway.", valueName: "principal"), transform: Self.principal)
    var gateway: [PrincipalName] = []

    @Option(help: ArgumentHelp("Reads everything, writes nothing.", valueName: "principal"), transform: Self.principal)
    var auditor: [PrincipalName] = []

    @Option(
        help: ArgumentHelp(
            "Creates topics, reads lag and dead letters, and redrives.",
            valueName: "principal"
        ),
        transform: Self.principal
    )
    var `operator`: [PrincipalName] = []

    /// All principals with their roles, in the order of roles.
    var all: [(role: AccessPlan.Role, principal: PrincipalName)] {
        AccessPlan.Role.allCases.flatMap { role in self.principals(of: role).map { (role, $0) } }
    }

    private func principals(of role: AccessPlan.Role) -> [PrincipalName] {
        switch role {
        case .client: self.client
        case .resolve: self.worker + self.resolve
        case .confirm: self.worker + self.confirm
        case .handle: self.worker + self.handle
        case .recorder: self.recorder
        case .gateway: self.gateway
        case .auditor: self.auditor
        case .operator: self.operator
        }
    }

    private static func principal(_ text: String) throws -> PrincipalName {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !text.contains(where: \.isNewline) else {
            throw ValidationError("'\(text)' is not a principal, such as User:anna or User:CN=anna,O=Example")
        }
        return PrincipalName(text)
    }
}
