import ArgumentParser
import IntentEvents

/// The id of a user, an interaction or another thing on the command line, with the bounds of events' ids (R47).
enum IdentityArgument {
    /// Reads an id: no event has an empty one, a longer one, or one with a NUL, so that nothing would ever answer.
    /// - Throws: `ValidationError` for other texts.
    static func read(_ text: String) throws -> String {
        guard !text.isEmpty else { throw ValidationError("the id is empty") }
        let bytes = text.utf8.count
        guard bytes <= Event.maximumIDBytes else {
            throw ValidationError("the id has \(bytes) bytes; ids have \(Event.maximumIDBytes) at most")
        }
        guard !text.utf8.contains(0) else { throw ValidationError("the id contains a NUL character") }
        return text
    }
}
