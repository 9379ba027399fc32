import Foundation
@testable import IntentOperations
import IntentEvents
import IntentRuntime
import Logging
import Testing

/// Processes that really crash, each a child of the test.
@Suite("Crash marks of processes (R56)")
struct CrashFilesTests {
    private static let deployment = "d0"
    private static let turn = TurnKey(.handle, RecordPosition(.confirmed, 3, 12))

    /// Begins to watch over this process, with one turn that runs.
    private static func begin(_ path: String) async throws {
        let watch = try Self.watch(path)
        _ = await watch.enter(Self.turn)
        _ = await watch.enter(TurnKey(.resolve, RecordPosition(.requests, 7, 1 << 40), isReading: true))
        let done = await watch.enter(TurnKey(.confirm, RecordPosition(.resolved, 1, 2)))
        watch.leave(done)
        // Nothing else holds it.
        Self.kept = watch
    }

    /// `nonisolated(unsafe)`: written once, by a child that has one task.
    nonisolated(unsafe) private static var kept: CrashWatch?

    private static func watch(_ path: String, deployment: String = Self.deployment) throws -> CrashWatch {
        var logger = Logger(label: "tests")
        logger.logLevel = .critical
        let data = DataDirectory(path: path)
        try data.create(logger)
        return try CrashFiles.watch(
            data,
            worker: "w",
            deployment: deployment,
            capacity: 64,
            maxCrashes: 3,
            logger: logger
        )
    }

    /// What the process has left behind.
    private static func remains(_ path: String) -> MarkFile.Remains {
        MarkFile.remains(at: DataDirectory(path: path).marks("w"), deployment: Self.deployment)
    }

    /// A directory of a test's own.
    ///
    /// What another run has left behind would count as crashes.
    private static func directory() -> String { NSTemporaryDirectory() + "/intentd-crash-\(UUID().uuidString)" }

    @discardableResult
    private static func expectDeath(_ path: String, marked signal: Int32?) -> CrashSite? {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let remains = Self.remains(path)
        #expect(remains.signal == signal)
        #expect((remains.crash == nil) == (signal == nil))
        #if os(Linux)
        if let crash = remains.crash {
            #expect(crash.thread != 0)
            #expect(!crash.threadName.isEmpty)
            #expect(crash.instruction != nil)
            #expect(crash.description.contains("instruction 0x"))
            #expect(crash.description.contains("thread \(crash.thread)"))
        }
        #endif
        let reading = TurnKey(.resolve, RecordPosition(.requests, 7, 1 << 40), isReading: true)
        #expect(Set(remains.marks) == [TurnMark(Self.turn, .ordinary), TurnMark(reading, .ordinary)])
        return remains.crash
    }

    #if arch(x86_64)
    private static let trap = SIGILL
    #else
    private static let trap = SIGTRAP
    #endif

    @Test("A trap marks the crash, and the process dies of it")
    func trapIsMarkedAndKills() async {
        let path = Self.directory()
        await #expect(processExitsWith: .signal(Self.trap)) { [path = path as String] in
            try await Self.begin(path)
            fatalError("a handler's defect")
        }
        Self.expectDeath(path, marked: Self.trap)
    }

    @Test("An invalid memory access marks the crash")
    func segmentationFaultIsMarked() async {
        let path = Self.directory()
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
            try await Self.begin(path)
            UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        }
        let crash = Self.expectDeath(path, marked: SIGSEGV)
        #expect(crash?.address == 8)
        #expect(crash?.description.contains("address 0x8, ") == true)
    }

    @Test("The thread that crashes is named, also when another one began to watch")
    func crashingThreadIsNamed() async {
        let path = Self.directory()
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
            try await Self.begin(path)
            let thread = Thread {
                #if os(Linux)
                // Not `Thread.name`: it has no effect until `start` has returned.
                FileHandle(forWritingAtPath: "/proc/thread-self/comm")?.write(Data("culprit".utf8))
                #endif
                UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
            }
            thread.start()
            while true { pause() }
        }
        let crash = Self.expectDeath(path, marked: SIGSEGV)
        #expect(crash?.address == 16)
        #if os(Linux)
        #expect(crash?.threadName == "culprit")
        #endif
    }

    @Test("A file of an earlier version, which does not say where the crash was, is read")
    func readsFileOfEarlierVersion() throws {
        let path = Self.directory()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let data = DataDirectory(path: path)
        try data.create(Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() })
        let file = try MarkFile(at: data.marks("w"), capacity: 4, deployment: Self.deployment)
        file.set(TurnMark(Self.turn, .ordinary), at: 1)
        var bytes = try Data(contentsOf: URL(filePath: data.marks("w")))
        // The signal, at its place in the head; and no more than the head and four marks.
        bytes[16] = UInt8(SIGSEGV)
        try bytes.prefix(64 + 4 * 16).write(to: URL(filePath: data.marks("w")))
        let remains = Self.remains(path)
        #expect(remains.signal == SIGSEGV)
        #expect(remains.marks == [TurnMark(Self.turn, .ordinary)])
        #expect(remains.crash == nil)
    }

    @Test("Endless recursion marks the crash, although the signal handler has no stack left")
    func stackOverflowIsMarked() async {
        let path = Self.directory()
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
            try await Self.begin(path)
            @inline(never) func fall(_ depth: Int) -> Int { depth < 0 ? 0 : fall(depth + 1) &+ depth }
            _ = fall(Int.random(in: 0...1))
        }
        Self.expectDeath(path, marked: SIGSEGV)
    }

    @Test("abort() marks the crash")
    func abortIsMarked() async {
        let path = Self.directory()
        await #expect(processExitsWith: .signal(SIGABRT)) { [path = path as String] in
            try await Self.begin(path)
            abort()
        }
        Self.expectDeath(path, marked: SIGABRT)
    }

    @Test("kill -9 marks nothing, so no turn is blamed")
    func killMarksNothing() async throws {
        let path = Self.directory()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            try await Self.begin(path)
            kill(getpid(), SIGKILL)
            pause()
        }
        Self.expectDeath(path, marked: nil)
    }

    @Test("A signal that another process sends marks nothing, although the process dies of it")
    func signalFromOutsideMarksNothing() async {
        let path = Self.directory()
        await #expect(processExitsWith: .signal(SIGABRT)) { [path = path as String] in
            try await Self.begin(path)
            let pid = getpid()
            let sender = Process()
            sender.executableURL = URL(fileURLWithPath: "/bin/sh")
            sender.arguments = ["-c", "kill -ABRT \(pid)"]
            try sender.run()
            sender.waitUntilExit()
            pause()
        }
        Self.expectDeath(path, marked: nil)
    }

    @Test("Signal handlers that were installed before still run")
    func earlierSignalHandlersStillRun() async {
        let path = Self.directory()
        await #expect(processExitsWith: .exitCode(42)) { [path = path as String] in
            signal(SIGSEGV) { _ in _exit(42) }
            try await Self.begin(path)
            UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        }
        Self.expectDeath(path, marked: SIGSEGV)
    }

    @Test("Crashes accumulate over restarts, and each is counted only once")
    func crashesAreCountedOncePerRestart() async throws {
        let path = Self.directory()
        defer { try? FileManager.default.removeItem(atPath: path) }
        for _ in 0..<3 {
            await #expect(processExitsWith: .signal(Self.trap)) { [path = path as String] in
                try await Self.begin(path)
                fatalError("a handler's defect")
            }
        }
        // Turns that were marked when somebody killed the process are not counted.
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            try await Self.begin(path)
            kill(getpid(), SIGKILL)
            pause()
        }
        let watch = try Self.watch(path)
        let text = try #require(FileManager.default.contents(atPath: DataDirectory(path: path).crashes))
        let counted = String(decoding: text, as: UTF8.self)
        #expect(counted.contains(#""handle/confirmed/3/12":{"alone":0"#), "\(counted)")
        #expect(counted.contains(#""deaths":3"#) && !counted.contains(#""deaths":4"#), "\(counted)")
        let pass = await watch.enter(Self.turn)
        #expect(pass.verdict == nil, "it runs alone")
        #expect(Self.remains(path).marks == [TurnMark(Self.turn, .alone)])
        watch.leave(pass)
    }

    @Test("Cleared counts are on disk before the process exits")
    func clearedCountsAreOnDiskBeforeExit() async throws {
        let path = Self.directory()
        defer { try? FileManager.default.removeItem(atPath: path) }
        await #expect(processExitsWith: .signal(Self.trap)) { [path = path as String] in
            try await Self.begin(path)
            fatalError("a handler's defect")
        }
        let watch = try Self.watch(path)
        let reading = RecordPosition(.requests, 7, 1 << 40)
        #expect(watch.suspects(of: .handle) == [Self.turn.position])
        #expect(watch.suspects(of: .resolve) == [reading])
        #expect(watch.suspects(of: .confirm).isEmpty)
        watch.forget([Self.turn, TurnKey(.resolve, reading)])
        await watch.settle()
        let text = try #require(FileManager.default.contents(atPath: DataDirectory(path: path).crashes))
        #expect(String(decoding: text, as: UTF8.self).contains(#""turns":{}"#))
        #expect(watch.suspects(of: .handle).isEmpty)
    }

    @Test("Mark files are readable by their owner only, and those of another deployment count against nobody")
    func markFilesArePrivateAndPerDeployment() async throws {
        let path = Self.directory()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let data = DataDirectory(path: path)
        try data.create(Logger(label: "tests"))
        let file = try MarkFile(at: data.marks("w"), capacity: 8, deployment: Self.deployment)
        file.set(TurnMark(Self.turn, .solo), at: 7)
        let mode = try FileManager.default.attributesOfItem(atPath: data.marks("w"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(Self.remains(path).marks == [TurnMark(Self.turn, .solo)])
        #expect(MarkFile.remains(at: data.marks("w"), deployment: "other").marks.isEmpty)
        #expect(MarkFile.remains(at: data.marks("nobody"), deployment: Self.deployment).marks.isEmpty)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: data.marks("w")))
        #expect(Self.remains(path).marks.isEmpty)
    }
}
