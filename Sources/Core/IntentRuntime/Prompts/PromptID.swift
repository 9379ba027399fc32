package import IntentEvents
package import IntentKit

/// The parts of a prompt's id, `<interaction>/<r|c|h>/<n>` (R12).
package struct PromptID: Hashable, Sendable, CustomStringConvertible {
    /// The interaction's id; it may itself contain slashes.
    package var interaction: InteractionID
    /// The stage that asked.
    package var stage: Stage
    /// The prompt's number in the interaction.
    package private(set) var number: Int

    /// The highest number that a prompt can have.
    private static let maximumNumber = Int(Int32.max)

    package init(interaction: InteractionID, stage: Stage, number: Int) {
        self.interaction = interaction
        self.stage = stage
        self.number = number
    }

    /// Reads a prompt's id; nil when it has another form, or a number that no prompt can have.
    package init?(_ text: String) {
        // The search uses bytes, not characters: the end of an interaction's id may combine with the slash into one
        // character.
        let slash = UInt8(ascii: "/")
        guard let last = text.utf8.lastIndex(of: slash), let first = text.utf8[..<last].lastIndex(of: slash),
            let stage = Stage(letter: text[text.utf8.index(after: first)..<last]),
            let number = Int(text[text.utf8.index(after: last)...]), (1...Self.maximumNumber).contains(number)
        else { return nil }
        self.init(interaction: InteractionID(String(text[..<first])), stage: stage, number: number)
    }

    package var description: String { "\(self.interaction.text)/\(self.stage.letter)/\(self.number)" }

    package var json: JSONValue { .string(self.description) }
}

extension Event {
    /// The prompt that it is about (`data.promptId`), if it names one.
    var promptID: PromptID? { self["promptId"]?.string.flatMap { PromptID($0) } }
}
