import Foundation
import GRDB
import IntentKit
import IntentLab
import Testing

@testable import IntentLedger

@Suite("Trial writes to a store")
struct StoreTrialTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.path = self.directory.file("store.sqlite")
    }

    /// The rows that a trial would leave.
    private static func rows(_ ledger: SQLiteLedger) async throws -> JSONValue {
        try await ledger.read { .array(try $0.query("SELECT * FROM deployment", []).map(JSONValue.object)) }
    }

    /// Why a ledger takes no write.
    private static func refusal(_ ledger: SQLiteLedger) async throws -> String {
        let error = await #expect(throws: StoreBusyError.self) { try await ledger.tryWriting() }
        return error?.message ?? ""
    }

    @Test("A trial write leaves nothing, also beside effects; a lock held by another process is reported")
    func trialLeavesNothingAndReportsLock() async throws {
        let ledger = try await SQLiteLedger.open(at: self.path, busyTimeout: .milliseconds(20))
        try await ledger.tryWriting()
        let key = EffectKey(request: "0:1", name: "note", ordinal: 0)
        async let effect = ledger.perform(key) { _ in 1 }
        try await ledger.tryWriting()
        #expect(try await effect == 1)
        #expect(try await ledger.effects(origin: "0:1") == ["note"])
        #expect(try await Self.rows(ledger) == [])
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: self.path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        // Reading is possible all the while.
        #expect(try await Self.rows(ledger) == [])
        #expect(try await Self.refusal(ledger).contains("locked"))
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await ledger.tryWriting()
    }

    @Test("A full disk and a file system that has become read-only are reported as such", .enabled(if: getuid() == 0))
    func reportsFullDiskAndReadOnlyFileSystem() async throws {
        // Without the right to mount, nothing can be tried.
        guard Self.run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", self.directory.path) else { return }
        defer { Self.run("umount", "--lazy", self.directory.path) }
        let ledger = try await SQLiteLedger.open(at: self.path)
        try await ledger.tryWriting()
        let rest = self.directory.file("rest")
        #expect(FileManager.default.createFile(atPath: rest, contents: nil))
        let file = try #require(FileHandle(forWritingAtPath: rest))
        while (try? file.write(contentsOf: [UInt8](repeating: 1, count: 512))) != nil {}
        try file.close()
        #expect(try await Self.refusal(ledger).contains("full"))
        try FileManager.default.removeItem(atPath: rest)
        try await ledger.tryWriting()

        #expect(Self.run("mount", "--bind", self.directory.path, self.directory.path))
        #expect(Self.run("mount", "-o", "remount,bind,ro", self.directory.path))
        let message = try await Self.refusal(ledger)
        Self.run("umount", "--lazy", self.directory.path)
        #expect(message == "the file system of \(self.path) is read-only")
        try await ledger.tryWriting()
    }

    /// Runs a program, and says whether it succeeded.
    @discardableResult
    private static func run(_ words: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
