import IntentKit

@testable import IntentRuntime

/// An intent with a required value and a list.
struct TableIntent: Intent {
    @Parameter(isRequired: true) var time: String?
    @Parameter var guests: [String]?

    /// The data of an interaction that resolve passes on, with `time` and `guests`.
    static func resolved(_ change: (inout Interaction) -> Void = { _ in }) -> JSONValue {
        var interaction = Interaction.greeting()
        interaction.intent = IntentSnapshot(name: "TableIntent", parameters: ["time": "9", "guests": ["Y", "Z"]])
        interaction.settle("time")
        interaction.settle("guests")
        change(&interaction)
        return ["interaction": interaction.json, "intent": interaction.intent.json, "user": ["id": "u1"]]
    }
}

/// Offers the times that were not declined, two at a time; guests have names of one letter or are one of two.
struct TableHandler: IntentHandler {
    var times = ["9", "10", "11", "12"]
    /// Whether it offers what was declined.
    var isForgetful = false
    /// The time that it takes where nothing was said.
    var usual: String?

    var handling: Handling<TableIntent> {
        Resolve(\.$time) { said, context in
            if let said, self.times.contains(said) { return .success(with: said) }
            if said == "perhaps" { return .confirmationRequired(with: "9") }
            if said == nil, let usual = self.usual { return .success(with: usual) }
            let declined = self.isForgetful ? [] : context.declined(\TableIntent.$time)
            let others = self.times.filter { !declined.contains($0) }
            return others.isEmpty ? .needsValue() : .disambiguation(with: Array(others.prefix(2)))
        }
        Resolve(\.$guests) { said, context in
            let declined = context.declined(\TableIntent.$guests)
            return (said ?? [])
                .map { name in
                    guard name.count > 1 else { return .success(with: name) }
                    let all = ["A", "B", "C"].filter { self.isForgetful || !declined.contains($0) }
                    return .disambiguation(with: Array(all.prefix(2)))
                }
        }
        Handle { _, _ in IntentResponse(code: .success) }
    }

    /// A conversation with the resolve stage of this handler.
    func conversation(behaviour: Int = 6) -> StillConversation {
        StillConversation(behaviour: behaviour, [IntentRegistration(confirmation: .never) { self }])
    }
}
