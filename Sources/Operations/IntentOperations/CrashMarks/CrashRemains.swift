package import IntentRuntime

/// What a worker's process that crashed has left behind (R56).
package struct CrashRemains: Sendable {
    /// The turns that were running.
    package var turns: [TurnKey]
    /// Where it crashed, in words; nil when that is not known.
    package var site: String?

    /// Reads what the process of a worker has left; nothing when its files belong to another deployment.
    package init(of worker: String, in data: DataDirectory, deployment: String) {
        let remains = MarkFile.remains(at: data.marks(worker), deployment: deployment)
        self.turns = remains.marks.map(\.turn)
        self.site = remains.crash?.description
    }
}
