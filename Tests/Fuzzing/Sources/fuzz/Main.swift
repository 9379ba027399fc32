import Foundation

/// Fuzzes the target that `INTENTD_FUZZ_TARGET` names, with libFuzzer's options; `fuzz seeds DIRECTORY` writes what it
/// begins with.
///
/// The target is no argument because libFuzzer starts itself again with the ones that it got.
private func start() throws {
    let name = ProcessInfo.processInfo.environment["INTENTD_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
        let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
        FileHandle.standardError.write(Data("INTENTD_FUZZ_TARGET is one of \(names)\n".utf8))
        exit(64)
    }
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "seeds" {
        try target.writeSeeds(to: URL(filePath: arguments[2]))
    } else {
        try target.run(arguments)
    }
    exit(0)
}

/// Whether `start` has been called; libFuzzer calls back on one thread.
nonisolated(unsafe) private var isStarted = false

/// The first that libFuzzer's own `main` calls, and again whenever its loop is entered: a target enters it from
/// `start`, inside of whatever it has opened, and never comes back.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> CInt {
    guard !isStarted else { return 0 }
    isStarted = true
    do { try start() } catch { fatalError("\(error)") }
    return 0
}

/// Has to be there, and is never called: each target gives the loop its own.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_: UnsafePointer<UInt8>?, _: Int) -> CInt { 0 }
