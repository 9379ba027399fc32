package import IntentEvents
package import IntentKit

/// A question with which a later stage sends an interaction back to resolve, which puts it to the user (R72c).
package struct BackQuestion: Hashable, Sendable {
    /// The kind of prompt, one about a parameter's value.
    package var kind: PromptKind
    /// The index of the value in a list.
    package var index: Int?
    package var options: [ParameterOption]
    /// The value to confirm.
    package var item: ParameterOption?
    package var reason: ReasonDescription?
    /// The handler's own words; nil for the usual ones.
    package var dialog: String?
    /// The stage that asks.
    package var stage: Stage

    package init(
        _ kind: PromptKind,
        by stage: Stage,
        index: Int? = nil,
        options: [ParameterOption] = [],
        item: ParameterOption? = nil,
        reason: ReasonDescription? = nil,
        dialog: String? = nil
    ) {
        self.kind = kind
        self.index = index
        self.options = options
        self.item = item
        self.reason = reason
        self.dialog = dialog
        self.stage = stage
    }

    /// The form in state and on the topics between the stages.
    var json: JSONValue {
        let hasDisplays = self.options.contains { $0.display != nil }
        return .members([
            "at": self.index.map { .integer(Int64($0)) },
            "by": .string(self.stage.rawValue),
            "dialog": self.dialog.map(JSONValue.string),
            "displays": hasDisplays ? .array(self.options.map { $0.display?.json ?? .null }) : nil,
            "item": self.item?.value,
            "itemDisplay": self.item?.display?.json,
            "kind": .string(self.kind.rawValue),
            "options": self.options.isEmpty ? nil : .array(self.options.map(\.value)),
            "reason": self.reason?.stored,
        ])
    }

    /// Reads the form; nil when it is none.
    init?(json: JSONValue) {
        guard let kind = json["kind"]?.string.flatMap(PromptKind.init(rawValue:)),
            let stage = json["by"]?.string.flatMap(Stage.init(rawValue:))
        else { return nil }
        let options = json["options"]?.array ?? []
        let displays = (json["displays"]?.array ?? []).map(DisplayRepresentation.init(json:))
        let itemDisplay = json["itemDisplay"].flatMap(DisplayRepresentation.init(json:))
        self.init(
            kind,
            by: stage,
            index: json["at"]?.count,
            options: options.enumerated()
                .map { ParameterOption($1, display: displays.indices.contains($0) ? displays[$0] : nil) },
            item: json["item"].map { ParameterOption($0, display: itemDisplay) },
            reason: json["reason"].flatMap(ReasonDescription.init(json:)),
            dialog: json["dialog"]?.string
        )
    }
}
