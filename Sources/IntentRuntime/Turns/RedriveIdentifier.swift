internal import LibCrypto

/// The id of a request that `dead-letters redrive` sends again (R48): it proves who sent it.
///
/// A redriven request shares the effects of the one that it follows, so a client must not be able to name one as it
/// likes. The deployment's id goes into the digest, which is in `state` and so with the operators alone; user and
/// interaction do, so that the proof is good for nobody else.
package enum RedriveIdentifier {
    /// Makes the id.
    ///
    /// - Parameters:
    ///   - deployment: The deployment's random id.
    ///   - origin: The position of the first request, `partition:offset`.
    ///   - user: The user.
    ///   - interaction: The id of the new interaction.
    /// - Returns: 32 digits, always the same ones.
    package static func make(deployment: String, origin: String, user: String, interaction: String) -> String {
        // The length keeps one text from standing for two pairs of user and interaction.
        let text = "\(deployment)|redrive|\(origin)|\(user.utf8.count)|\(user)|\(interaction)"
        return Hex.text(SHA256.hash(text).prefix(16))
    }

    /// The id of a redriven interaction, `<id>~<n>`, in its parts; 0 for one that is no such id.
    package static func split(_ id: String) -> (base: String, number: Int) {
        guard let tilde = id.lastIndex(of: "~"), let number = Int(id[id.index(after: tilde)...]) else { return (id, 0) }
        return (String(id[..<tilde]), number)
    }
}
