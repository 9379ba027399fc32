package import IntentKit

/// The origin of an intent: an extension of the program, one of intentd's sample apps, a file, or a file and Swift.
package struct IntentOrigin: Hashable, Sendable {
    /// The extension that has its handler; nil for one that is declared without Swift.
    var extensionName: String?
    /// Whether the extension belongs to the package that built the program; if not, it is one of intentd's sample apps.
    var isProgramsOwn = false
    /// The file, with the line, that declares it.
    var definition: String?

    /// For people: `UnicornChat (sample app)`, `config/intents/table.yaml:1`.
    package var text: String {
        let handler = self.extensionName.map { "\($0) (\(self.isProgramsOwn ? "this program" : "sample app"))" }
        return [self.definition, handler].compactMap(\.self).joined(separator: ", ")
    }

    /// For programs.
    package var json: JSONValue {
        .members([
            "extension": self.extensionName.map(JSONValue.string),
            "sample": self.extensionName == nil ? nil : .bool(!self.isProgramsOwn),
            "definition": self.definition.map(JSONValue.string),
        ])
    }
}
