import Foundation

/// Fuzzes the target that `INTENTD_FUZZ_TARGET` names, with libFuzzer's options; `fuzz seeds DIRECTORY` writes the
/// first corpus.
///
/// The target is not an argument because libFuzzer starts itself again with its own arguments.
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

/// Called first by libFuzzer's own `main`, and again whenever its loop is entered: a target enters the loop from
/// `start`, inside whatever it has opened, and never returns.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> CInt {
    guard !isStarted else { return 0 }
    isStarted = true
    do { try start() } catch { fatalError("\(error)") }
    return 0
}

/// Must exist, but is never called: each target passes its own closure to the loop.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_: UnsafePointer<UInt8>?, _: Int) -> CInt { 0 }
