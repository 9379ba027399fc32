import CLibFuzzer
import Foundation

/// libFuzzer's loop.
enum LibFuzzer {
    typealias Body = (UnsafeRawBufferPointer) throws -> Void

    /// The body that runs for every input.
    ///
    /// libFuzzer calls back on the thread on which it was started, without a context: this is set once, before that.
    nonisolated(unsafe) private static var body: Body = { _ in }

    /// Runs the body for every input that libFuzzer generates; an error that it throws is a crash.
    static func run(_ arguments: [String], _ body: @escaping Body) {
        self.body = body
        var strings = arguments.map { strdup($0) } + [nil]
        var count = CInt(arguments.count)
        strings.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            _ = LLVMFuzzerRunDriver(&count, &start) { bytes, count in
                do {
                    try LibFuzzer.body(UnsafeRawBufferPointer(start: bytes, count: count))
                } catch {
                    fatalError("\(error)")
                }
                return 0
            }
        }
    }

    /// Registers a closure that runs when libFuzzer ends the process.
    static func atEnd(_ body: @escaping () -> Void) {
        Self.end = body
        atexit { LibFuzzer.end() }
    }

    /// Set once, before libFuzzer is started.
    nonisolated(unsafe) private static var end: () -> Void = {}
}
