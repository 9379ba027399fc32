internal import Foundation
package import IntentRuntime

/// The name and the reason of an operator, as they are given (R93b).
package enum OperatorName {
    /// The name of the operating system's user.
    package static var ofSystem: String {
        let name = ProcessInfo.processInfo.userName
        return name.isEmpty ? "unknown" : String(name.prefix(OperatorAct.Operator.longestName / 4))
    }

    /// Why an act on running work is refused that has no reason (R93b).
    package static let missingReason = "The operators' log needs a reason for this act: say why"

    /// The operator of a form of the console, by default `console`.
    /// - Throws: ``OperationError``, `usage`, when name or reason is too long or has control characters.
    package static func console(_ name: String?, reason: String?) throws(OperationError) -> OperatorAct.Operator {
        func checked(_ text: String?, _ what: String, _ longest: Int) throws(OperationError) -> String? {
            guard let text, !text.isEmpty else { return nil }
            return try Self.checked(text, what, longest: longest)
        }
        return OperatorAct.Operator(
            try checked(name, "the name", OperatorAct.Operator.longestName) ?? "console",
            via: "console",
            reason: try checked(reason, "the reason", OperatorAct.Operator.longestReason)
        )
    }

    /// Checks a name or a reason.
    /// - Throws: ``OperationError``, `usage`, when it is empty, too long, or has control characters.
    package static func checked(_ text: String, _ what: String, longest: Int) throws(OperationError) -> String {
        guard !text.isEmpty, text.utf8.count <= longest else {
            throw OperationError(.usage, "\(what) has 1 to \(longest) bytes, not \(text.utf8.count)")
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw OperationError(.usage, "\(what) contains a control character")
        }
        return text
    }
}
