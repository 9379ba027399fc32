import IntentEvents
import IntentKit
import IntentRuntime

/// The printed form of access rules.
enum AccessRuleText {
    enum State: String {
        /// The broker was not asked.
        case planned
        /// It existed before.
        case exists
        /// It was created.
        case made
        /// It must be created by other means.
        case impossible = "not made"
    }

    /// A rule for programs.
    static func json(_ rule: AccessRule, role: AccessPlan.Role, _ state: State) -> JSONValue {
        [
            "role": .string(role.rawValue), "principal": rule.principal.json,
            "operation": .string(rule.operation.rawValue), "resource": .string(rule.resource.rawValue),
            "name": rule.name.json, "pattern": .string(rule.isPrefix ? "prefixed" : "literal"),
            "state": .string(state.rawValue),
        ]
    }

    /// Commands of Kafka's own tool that create these rules, one for each resource of a principal.
    static func commands(_ rules: [AccessRule], brokers: [String]) -> [String] {
        var operations: [(rule: AccessRule, operations: [String])] = []
        for rule in rules {
            func isSame(_ other: AccessRule) -> Bool {
                other.principal == rule.principal && other.resource == rule.resource && other.name == rule.name
                    && other.isPrefix == rule.isPrefix
            }
            let words = rule.operation.rawValue.split(separator: "-")
                .map { $0.prefix(1).uppercased() + $0.dropFirst() }
                .joined()
            if let index = operations.firstIndex(where: { isSame($0.rule) }) {
                operations[index].operations.append(words)
            } else {
                operations.append((rule, [words]))
            }
        }
        let brokers = brokers.isEmpty ? ["localhost:9092"] : brokers
        return operations.map { rule, operations in
            let kind = "--\(rule.resource.rawValue)"
            let what = rule.resource == .cluster ? kind : "\(kind) \(Self.quoted(rule.name.text))"
            return
                "kafka-acls.sh --bootstrap-server \(brokers.joined(separator: ",")) --command-config admin.properties"
                + " --add --allow-principal \(Self.quoted(rule.principal.text))"
                + operations.map { " --operation \($0)" }.joined()
                + " --resource-pattern-type \(rule.isPrefix ? "prefixed" : "literal") \(what)"
        }
    }

    /// A word quoted for a shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
