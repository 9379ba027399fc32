internal import IntentEvents
internal import IntentKit
internal import LibCrypto

extension Interaction {
    /// Distinguishes its request from another one that had the same position (R30).
    var identity: RequestIdentity { RequestIdentity(name: self.identityName(of: self.id), content: self.content) }

    /// The same for the request whose effects it shares.
    ///
    /// A redriven request may ask for something else, so the content of the first one is not known to it.
    func originIdentity(_ own: RequestIdentity?) -> RequestIdentity? {
        self.origin == self.request
            ? own : RequestIdentity(name: self.identityName(of: self.originalID), content: nil)
    }

    /// The length prevents one text from standing for two pairs of user and interaction.
    private func identityName(of id: InteractionID) -> String {
        Hex.text(SHA256.hash("\(self.user.id.utf8.count)|\(self.user.id)|\(id)").prefix(8))
    }
}
