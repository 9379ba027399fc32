import GRDB
import IntentKit
import IntentLab
import IntentLedger
import Testing

@Suite("R30, R31: ledger entries of other requests, after topics were restored")
struct RequestIdentityTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("store.sqlite")
    }

    private static let lost = RequestIdentity(name: "ann-1", content: "tea")
    private static let other = RequestIdentity(name: "ann-1", content: "coffee")

    private func key(_ identity: RequestIdentity) -> EffectKey {
        EffectKey(request: "7:3", name: "pay", ordinal: 0, identity: identity, originIdentity: identity)
    }

    @Test("The last request of a partition is found by its number, among effects and ended requests")
    func findsLastRequestOfPartition() async throws {
        let ledger = try await SQLiteLedger.open(at: self.path)
        #expect(try await ledger.lastRequest(inPartition: 7) == nil)
        for request in ["7:0", "7:9", "7:1000", "7:998", "70:5000", "6:7000", "demo-data 7:1"] {
            _ = try await ledger.perform(EffectKey(request: request, name: "pay", ordinal: 0)) { _ in 1 }
        }
        #expect(try await ledger.lastRequest(inPartition: 7) == 1_000)
        #expect(try await ledger.close(request: "7:20001", unlessEffects: false))
        #expect(try await ledger.lastRequest(inPartition: 7) == 20_001)
        #expect(try await ledger.lastRequest(inPartition: 70) == 5_000)
        #expect(try await ledger.lastRequest(inPartition: 5) == nil)
        let archive = try #require(try await LedgerArchive.open(at: self.path))
        #expect(try await archive.lastRequest(inPartition: 7) == 20_001)
    }

    @Test(
        "An effect is not given to another request at the same position",
        arguments: [
            Self.other, RequestIdentity(name: "bob-1", content: "tea"), RequestIdentity(name: "bob-1", content: nil),
        ]
    )
    func refusesEffectOfAnotherRequest(_ stranger: RequestIdentity) async throws {
        let ledger = try await SQLiteLedger.open(at: self.path)
        #expect(try await ledger.perform(self.key(Self.lost)) { _ in "paid" } == "paid")
        #expect(try await ledger.perform(self.key(Self.lost)) { _ in "again" } == "paid")
        await #expect(throws: ForeignRequestError(request: "7:3")) {
            try await ledger.perform(self.key(stranger)) { _ in "other" }
        }
        #expect(try await ledger.effects(origin: "7:3") == ["pay"])
    }

    @Test("The end of a request is not taken for that of another one at the same position")
    func refusesEndOfAnotherRequest() async throws {
        let ledger = try await SQLiteLedger.open(at: self.path)
        func close(_ identity: RequestIdentity?) async throws -> Bool {
            try await ledger.close(request: "7:3", origin: "7:3", identity: identity, unlessEffects: false)
        }
        #expect(try await close(Self.lost))
        #expect(try await close(Self.lost))
        await #expect(throws: ForeignRequestError(request: "7:3")) { try await close(Self.other) }
        await #expect(throws: ForeignRequestError(request: "7:3")) {
            try await ledger.perform(self.key(Self.other)) { _ in "other" }
        }
        let late = self.key(Self.lost)
        await #expect(throws: LedgerClosedError(late)) { try await ledger.perform(late) { _ in "late" } }
    }

    @Test("R48: a redriven request shares its original's effects, whatever it asks for, and no other user's")
    func redriveSharesEffectsOfItsOriginal() async throws {
        let ledger = try await SQLiteLedger.open(at: self.path)
        _ = try await ledger.perform(self.key(Self.lost)) { _ in "paid" }
        func redriven(_ name: String) -> EffectKey {
            EffectKey(
                request: "7:9",
                origin: "7:3",
                name: "pay",
                ordinal: 0,
                identity: RequestIdentity(name: "ann-1~1", content: "coffee"),
                originIdentity: RequestIdentity(name: name, content: nil)
            )
        }
        #expect(try await ledger.perform(redriven("ann-1")) { _ in "again" } == "paid")
        await #expect(throws: ForeignRequestError(request: "7:3")) {
            try await ledger.perform(redriven("bob-1")) { _ in "other" }
        }
    }

    @Test("A file of an earlier version gets the columns; rows without an identity are accepted")
    func olderFileGetsIdentityColumns() async throws {
        try await DatabaseQueue(path: self.path)
            .write { database in
                try database.execute(
                    sql: """
                        CREATE TABLE effects (request TEXT NOT NULL, name TEXT NOT NULL, ordinal INTEGER NOT NULL,
                        result TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (request, name, ordinal)) STRICT;
                        CREATE TABLE closed_ledgers (request TEXT NOT NULL PRIMARY KEY) STRICT;
                        INSERT INTO effects VALUES ('7:3', 'pay', 0, '"paid"', 0);
                        INSERT INTO closed_ledgers VALUES ('7:3');
                        """
                )
            }
        let ledger = try await SQLiteLedger.open(at: self.path)
        #expect(try await ledger.perform(self.key(Self.other)) { _ in "again" } == "paid")
        let closed = try await ledger.close(request: "7:3", origin: "7:3", identity: Self.other, unlessEffects: false)
        #expect(closed)
        #expect(try await ledger.lastRequest(inPartition: 7) == 3)
    }

    @Test("An identity's text in the ledger is read back")
    func identityRoundTripsAsText() {
        for identity in [Self.lost, RequestIdentity(name: "0f", content: nil)] {
            #expect(RequestIdentity(text: identity.text) == identity)
        }
    }
}
