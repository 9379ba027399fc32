import Foundation
import NIOCore

@testable import IntentFuzzing

/// The fuzz targets.
enum FuzzTarget: String, CaseIterable {
    /// Frames to a broker.
    case wire
    /// Events to the stages.
    case events
    /// Files of definitions, vocabularies and prompts.
    case files

    /// Hands the target to libFuzzer, which ends the process.
    func run(_ arguments: [String]) throws {
        switch self {
        case .wire: try WireTarget.run(arguments)
        case .events: try EventsTarget.run(arguments)
        case .files: FilesTarget.run(arguments)
        }
    }

    /// Writes the first corpus.
    func writeSeeds(to directory: URL) throws {
        let seeds: [String: [UInt8]] =
            switch self {
            case .wire: WireSeeds.all.mapValues { Array($0.readableBytesView) }
            case .events: EventSeeds.all
            case .files: try FilesTarget.seeds()
            }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (name, bytes) in seeds { try Data(bytes).write(to: directory.appending(path: name)) }
    }
}
