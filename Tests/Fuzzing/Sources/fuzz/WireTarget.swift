import Foundation
import NIOCore

@testable import IntentFuzzing

/// Frames to a broker: see `FuzzedBroker`.
enum WireTarget {
    /// Only for the summary at the end; the broker is confined to the only thread.
    nonisolated(unsafe) private static var tally = FuzzedBroker.Tally()

    static func run(_ arguments: [String]) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        LibFuzzer.atEnd {
            try? FileManager.default.removeItem(at: directory)
            let sum = Self.tally
            print("frames \(sum.frames), answered \(sum.answered), connections closed \(sum.refused)")
        }
        try FuzzedBroker.run(path: directory.appending(path: "broker.sqlite").path) { broker in
            // The broker outlives the loop, which never returns.
            withUnsafeMutablePointer(to: &broker) { broker in
                LibFuzzer.run(arguments) { bytes in
                    try broker.pointee.play(ByteBuffer(bytes: bytes))
                    Self.tally = broker.pointee.tally
                }
            }
        }
    }
}
