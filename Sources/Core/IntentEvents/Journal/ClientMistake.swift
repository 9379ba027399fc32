package import IntentKit

/// Something in a client's event that the client probably did not mean (R79).
///
/// It holds names, never values.
package struct ClientMistake: Hashable, Sendable {
    package enum Problem: String, Sendable, CaseIterable {
        /// A member of the event's data that is in no rule.
        case unknownMember
        /// A parameter that the intent does not have (R25).
        case unknownParameter
        /// A known member that has no effect here.
        case ignoredMember
        /// An attribute that differs from one that is read in letter case alone, or by one slip.
        case unknownAttribute
    }

    /// The most that an interaction keeps.
    package static let maximumKept = 20

    /// The path of the member in the event's data; of an attribute its name, as the client wrote it.
    package var member: String
    package var problem: Problem
    /// The name that was probably meant.
    package var didYouMean: String?
    /// The id of the event.
    package var eventID: String

    /// Describes a mistake, and looks for what was meant.
    ///
    /// - Parameters:
    ///   - name: The name as the client wrote it; a long one is cut.
    ///   - path: The path of the object that has the member; empty for the data themselves.
    ///   - problem: What is wrong with it.
    ///   - known: The names that are read there.
    ///   - eventID: The id of the event.
    package init(_ name: String, in path: String = "", _ problem: Problem, known: [String] = [], eventID: String) {
        let shown = ClientMember.shown(name)
        self.member = path.isEmpty ? shown : "\(path).\(shown)"
        self.problem = problem
        // The search takes the product of both lengths.
        self.didYouMean = name.utf8.count <= 64 ? NearMiss.find(name, among: known).first : nil
        self.eventID = eventID
    }

    /// Whether an event with it is refused where mistakes are (R79c).
    package var isRefusable: Bool { self.problem != .ignoredMember }

    /// The mistake in words; `intent` is the name of the intent, if there is an interaction.
    package func detail(intent: String?) -> String {
        let hint = self.didYouMean.map { "; did you mean \($0)?" } ?? "."
        switch self.problem {
        case .unknownMember, .unknownAttribute: return "\(self.member) is not read\(hint)"
        case .ignoredMember: return "\(self.member) has no effect here."
        case .unknownParameter:
            let prefix = Self.parameterPaths.first { self.member.hasPrefix($0 + ".") }
            let name = prefix.map { self.member.dropFirst($0.count + 1) } ?? self.member[...]
            return "\(intent ?? "The intent") has no parameter \(name)\(hint)"
        }
    }

    /// The path of a request's parameters in its data.
    package static let parameters = "intent.parameters"
    /// The path of an answer's corrections in its data.
    package static let corrections = "corrections"
    private static let parameterPaths = [Self.parameters, Self.corrections]

    // MARK: JSON

    /// The form in the journal record of the event's turn, which names the event in a header.
    package var journaled: JSONValue {
        .members([
            "didYouMean": self.didYouMean.map(JSONValue.string),
            "member": .string(self.member),
            "problem": .string(self.problem.rawValue),
        ])
    }

    /// The form in state and between the stages.
    package var json: JSONValue {
        var members = self.journaled.object ?? [:]
        members["eventId"] = .string(self.eventID)
        return .object(members)
    }

    /// The form for clients.
    package func warning(intent: String?) -> JSONValue {
        var members = self.json.object ?? [:]
        members["detail"] = .string(self.detail(intent: intent))
        return .object(members)
    }

    /// Reads any of these forms; nil when it is none.
    ///
    /// - Parameters:
    ///   - json: The value.
    ///   - eventID: The event's id, where the form does not have it.
    package init?(json: JSONValue, eventID: String = "") {
        guard let member = json["member"]?.string,
            let problem = json["problem"]?.string.flatMap(Problem.init(rawValue:))
        else { return nil }
        self.member = member
        self.problem = problem
        self.didYouMean = json["didYouMean"]?.string
        self.eventID = json["eventId"]?.string ?? eventID
    }
}
