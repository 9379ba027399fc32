package import IntentKit
package import IntentRuntime

extension LedgerStore {
    /// Ties the store and a deployment to each other, or checks that they are (R31).
    ///
    /// An effect's key is the position of its request, so the same key means something else in another deployment. Its
    /// requests would be answered with results of the first one's, and nothing would be done for them. A store without
    /// a deployment takes this one if nothing was done in it yet, or if the deployment names it (both are from before
    /// stores named deployments).
    /// - Throws: ``DeploymentError`` when one of the two belongs to another; `StoreError`; ``StoreBusyError``;
    ///   ``LogError``.
    package func join(_ deployment: Deployment, on log: any EventLog) async throws {
        let known = try await deployment.claimedStore(on: log)
        // A deployment of another store is refused first, so that this store is not tied to it.
        if known == nil || known == self.identifier {
            let found = try await self.tie(to: deployment, isNamedByIt: known != nil)
            guard found["identifier"]?.string == deployment.id else { throw self.deploymentError(deployment, found) }
        }
        try await deployment.claim(store: self.identifier, on: log)
    }

    /// The deployment that the store belongs to now; null if it is not known.
    private func tie(to deployment: Deployment, isNamedByIt: Bool) async throws -> JSONValue {
        try await self.write { store in
            if let row = try store.query("SELECT identifier, prefix FROM deployment", []).first { return .object(row) }
            let used = try store.query(
                "SELECT 1 AS used WHERE EXISTS (SELECT 1 FROM effects) OR EXISTS (SELECT 1 FROM closed_ledgers)",
                []
            )
            if !used.isEmpty, !isNamedByIt { return .null }
            let row: JSONObject = ["identifier": .string(deployment.id), "prefix": .string(deployment.prefix)]
            try store.execute(
                "INSERT INTO deployment (identifier, prefix) VALUES ($1, $2)",
                [.string(deployment.id), .string(deployment.prefix)]
            )
            return .object(row)
        }
    }

    private func deploymentError(_ deployment: Deployment, _ found: JSONValue) -> DeploymentError {
        let owner =
            found["identifier"]?.string.map { "deployment \($0) (topics \(found["prefix"]?.string ?? "").*)" }
            ?? "an unnamed deployment"
        return DeploymentError(
            "The store \(self.place) (id \(self.identifier)) belongs to \(owner), but the topics \(deployment.prefix).* "
                + "belong to deployment \(deployment.id): requests would get the results of other requests without being "
                + "handled (R31). Use the topics of the store (--prefix, --brokers), or the data directory of the topics "
                + "(--data). If the store's own topics are permanently lost, move \(self.place) away, and a new store is "
                + "created."
        )
    }
}
