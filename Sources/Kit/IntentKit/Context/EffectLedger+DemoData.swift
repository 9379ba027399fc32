extension EffectLedger {
    /// Fills the stores of some extensions for the users of a demo or a test, once per user and run.
    ///
    /// - Parameters:
    ///   - extensions: The extensions; those without demo data are skipped.
    ///   - users: The users.
    ///   - run: Distinguishes one run from another.
    /// - Throws: What the ledger throws.
    package func addDemoData(of extensions: [IntentExtension], for users: Set<String>, run: String) async throws {
        for userID in users.sorted() {
            for intentExtension in extensions {
                guard let addDemoData = intentExtension.addDemoData else { continue }
                let key = EffectKey(request: "demo-data \(run)", name: "\(intentExtension.name) \(userID)", ordinal: 0)
                _ = try await self.perform(key) { store in
                    try addDemoData(userID, store)
                    return .null
                }
            }
        }
    }
}
