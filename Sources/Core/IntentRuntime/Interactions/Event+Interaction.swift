package import IntentEvents
internal import IntentKit

extension Event {
    /// The interaction that the event passes on; nil when there is none, or it cannot be read.
    package var interaction: Interaction? {
        var interaction: Interaction?
        self.fields.withView { interaction = $0["interaction"].flatMap { Interaction($0, of: self) } }
        return interaction
    }
}
