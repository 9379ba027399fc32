import GRDB
import InMemoryLog
import IntentKit
import IntentLab
import IntentLedger
import IntentRuntime
import Testing

@Suite("R31: a store belongs to one deployment, and a deployment to one store")
struct StoreDeploymentTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("store.sqlite")
    }

    private func deployment(_ prefix: String = "intents", on log: InMemoryLog) async throws -> Deployment {
        try await Deployment.create(TopicPlan(prefix: prefix, partitions: 1), on: log).deployment
    }

    /// Opens the store for a deployment, as a worker does.
    @discardableResult
    private func work(_ deployment: Deployment, on log: InMemoryLog) async throws -> SQLiteLedger {
        let ledger = try await SQLiteLedger.open(at: self.path)
        try await ledger.join(deployment, on: log)
        return ledger
    }

    private func act(_ ledger: SQLiteLedger) async throws {
        _ = try await ledger.perform(EffectKey(request: "0:0", name: "pay", ordinal: 0)) { _ in "paid" }
    }

    /// Leaves the file as an intentd would that did not write deployments into stores.
    private func makeOld() throws {
        try DatabaseQueue(path: self.path).inDatabase { try $0.execute(sql: "DROP TABLE deployment") }
    }

    @Test("A store is refused after its topics were recreated, with both ids and a remedy")
    func refusesStoreAfterTopicsWereRecreated() async throws {
        let old = InMemoryLog()
        let first = try await self.deployment(on: old)
        try await self.act(try await self.work(first, on: old))
        try await self.work(first, on: old)
        let new = InMemoryLog()
        let second = try await self.deployment(on: new)
        let error = await #expect(throws: DeploymentError.self) { try await self.work(second, on: new) }
        for part in [first.id, second.id, self.path, "--data", "--prefix", "away"] {
            #expect(error?.description.contains(part) == true, "\(part): \(error?.description ?? "")")
        }
        // The refusal has not tied the new topics to this store.
        #expect(try await second.claimedStore(on: new) == nil)
    }

    @Test("Other topics of the same broker are refused, used or not")
    func refusesOtherPrefixOfSameBroker() async throws {
        let log = InMemoryLog()
        try await self.work(try await self.deployment(on: log), on: log)
        let other = try await self.deployment("other", on: log)
        let error = await #expect(throws: DeploymentError.self) { try await self.work(other, on: log) }
        #expect(error?.description.contains("intents.*") == true)
    }

    @Test("A store of an earlier version joins the deployment that names it, or any if it is unused")
    func oldStoreJoinsItsDeployment() async throws {
        let log = InMemoryLog()
        let deployment = try await self.deployment(on: log)
        try await self.act(try await self.work(deployment, on: log))
        try self.makeOld()
        try await self.work(deployment, on: log)
        let other = try await self.deployment("other", on: log)
        await #expect(throws: DeploymentError.self) { try await self.work(other, on: log) }
        // When a store has effects and does not name its deployment, nobody knows which deployment they belong to.
        try self.makeOld()
        let error = await #expect(throws: DeploymentError.self) { try await self.work(other, on: log) }
        #expect(error?.description.contains("unnamed deployment") == true)
        try await self.work(deployment, on: log)
        try self.makeOld()
        try DatabaseQueue(path: self.path).inDatabase { try $0.execute(sql: "DELETE FROM effects") }
        try await self.work(other, on: log)
        await #expect(throws: DeploymentError.self) { try await self.work(deployment, on: log) }
    }

    @Test("A closed ledger counts as use")
    func closedLedgerCountsAsUse() async throws {
        let log = InMemoryLog()
        _ = try await SQLiteLedger.open(at: self.path).close(request: "0:0", unlessEffects: false)
        let deployment = try await self.deployment(on: log)
        await #expect(throws: DeploymentError.self) { try await self.work(deployment, on: log) }
    }

    @Test("Of two deployments that start on one new store at once, one gets it")
    func oneOfTwoDeploymentsGetsNewStore() async throws {
        let log = InMemoryLog()
        let deployments = [try await self.deployment("a", on: log), try await self.deployment("b", on: log)]
        let path = self.path
        let joined = await withTaskGroup(of: Bool.self) { group in
            for deployment in deployments {
                group.addTask {
                    do {
                        try await SQLiteLedger.open(at: path).join(deployment, on: log)
                        return true
                    } catch {
                        return false
                    }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(joined.count { $0 } == 1)
    }
}
