#if PostgreSQL
import Foundation
import IntentKit
import IntentLab
import Synchronization

@testable import PostgreSQLLedger

/// A server of a test's own, to be stopped, crashed and misconfigured.
final class OwnServer: Sendable {
    private static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "postgresql.sh").path

    private let directory: String
    /// Its address.
    let address: String

    private init(_ directory: String, _ address: String) {
        self.directory = directory
        self.address = address
    }

    /// Runs a body with a new server, and removes it.
    static func with<Value: Sendable>(_ body: (OwnServer) async throws -> Value) async throws -> Value {
        // Not in a directory of this user's own, which the server's user could not enter.
        let directory = "/tmp/intentd-postgresql-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
        try await Self.run(Self.script, "start", directory)
        let address = try String(contentsOfFile: "\(directory)/address", encoding: .utf8)
        let server = OwnServer(directory, address.trimmingCharacters(in: .whitespacesAndNewlines))
        do {
            let value = try await body(server)
            try await server.remove()
            return value
        } catch {
            try? await server.remove()
            throw error
        }
    }

    /// Starts it again.
    func start() async throws { try await Self.run(Self.script, "start", self.directory) }

    /// Stops it as if it had crashed.
    func crash() async throws { try await Self.run(Self.script, "stop", self.directory, "immediate") }

    /// Changes a setting of the running server, and waits until a new session sees it.
    func set(_ name: String, _ value: String) async throws {
        let address = self.address
        try await Self.onThread {
            try TestServer.run("ALTER SYSTEM SET \(name) = '\(value)'", on: address)
            try TestServer.run("SELECT pg_reload_conf()", on: address)
            let sql = "SELECT reset_val FROM pg_settings WHERE name = '\(name)'"
            while try TestServer.value(sql, on: address) != .string(value) {}
        }
    }

    /// Has commits wait for a standby that is not there, after they are on the server's disk; returns when they do.
    func holdCommits() async throws {
        try await self.set("synchronous_standby_names", "nobody")
        let address = self.address
        Thread.detachNewThread {
            // The server's processes learn it one after the other. The first commit that waits is cut.
            while (try? TestServer.run("SELECT pg_logical_emit_message(true, 'test', '')", on: address)) != nil {}
        }
        try await self.cut(waitingFor: "SyncRep")
    }

    /// Lets them end.
    func releaseCommits() async throws { try await self.set("synchronous_standby_names", "") }

    /// Cuts the connections of the ledger that wait for that; waits until there is one.
    func cut(waitingFor event: String) async throws {
        let sql = """
            SELECT count(pg_terminate_backend(pid)) AS n FROM pg_stat_activity
            WHERE application_name = 'intentd' AND wait_event = '\(event)' AND pid <> pg_backend_pid()
            """
        try await self.wait(until: sql)
    }

    /// Waits until a connection of the ledger waits for that.
    func waitUntilWaiting(for event: String) async throws {
        let sql =
            "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'intentd' AND wait_event = '\(event)'"
        try await self.wait(until: sql)
    }

    /// Asks again and again until the answer is not 0.
    private func wait(until sql: String) async throws {
        let address = self.address
        try await Self.onThread { while try TestServer.value(sql, on: address) == 0 {} }
    }

    /// Makes a file system of that many MiB for a table space; false where this user may not.
    func makeSmallDisk(_ size: Int) async throws -> String? {
        let path = "\(self.directory)/small"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let options = "size=\(size)m,mode=0700,uid=nobody,gid=nogroup"
        guard getuid() == 0, (try? await Self.run("/usr/bin/mount", "-t", "tmpfs", "-o", options, "tmpfs", path)) != nil
        else { return nil }
        return path
    }

    private func remove() async throws {
        try? await Self.run(Self.script, "stop", self.directory, "immediate")
        try? await Self.run("/usr/bin/umount", "\(self.directory)/small")
        try FileManager.default.removeItem(atPath: self.directory)
    }

    /// Runs a program and waits for its end.
    private static func run(_ program: String, _ arguments: String...) async throws {
        try await Self.onThread {
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw ConformanceFailure("\(program) \(arguments) has failed.")
            }
        }
    }

    /// Does what waits on a thread that is not one of Swift's: those are as few as cores, and the ledger needs them.
    private static func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
        }
    }
}
#endif
