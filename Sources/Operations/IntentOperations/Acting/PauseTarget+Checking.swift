package import IntentEvents
package import IntentKit

extension Pause.Target {
    /// Refuses an intent or an app that is not served, before it is paused.
    /// - Throws: ``OperationError``, `usage`, with the name that may be meant.
    package func check(in registry: IntentRegistry) throws(OperationError) {
        let (kind, name, names): (String, String, [String]) =
            switch self {
            case .intent(let name): ("intent", name, registry.intentNames)
            case .app(let name): ("app", name, registry.appNames)
            }
        guard !names.contains(name) else { return }
        throw OperationError(
            .usage,
            "Unknown \(kind): \(SafeText.line(name))\(NearMiss.hint(name, among: names)); "
                + "`intentd intents` lists the intents"
        )
    }
}

extension IntentRegistry {
    /// The names of the extensions that serve intents, sorted.
    package var appNames: [String] { Set(self.intentNames.compactMap { self[$0]?.extensionName }).sorted() }
}
