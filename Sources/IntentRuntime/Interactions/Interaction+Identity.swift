internal import IntentEvents
internal import IntentKit
internal import LibCrypto

extension Interaction {
    /// What tells its request from another one that has stood at the same position (R30).
    var identity: RequestIdentity { RequestIdentity(name: self.identityName(of: self.id), content: self.content) }

    /// The same for the request whose effects it shares.
    ///
    /// What was asked for may be another when a request is sent again: the first one's is not known to it.
    func originIdentity(_ own: RequestIdentity?) -> RequestIdentity? {
        self.origin == self.request
            ? own : RequestIdentity(name: self.identityName(of: self.originalID), content: nil)
    }

    /// The length keeps one text from standing for two pairs of user and interaction.
    private func identityName(of id: InteractionID) -> String {
        Hex.text(SHA256.hash("\(self.user.id.utf8.count)|\(self.user.id)|\(id)").prefix(8))
    }
}
