internal import Foundation

/// Turns valid input into invalid input: a few random changes at a time, the same ones for the same seed.
package struct ByteMutator {
    private var numbers: SeededNumbers

    /// Creates a mutator.
    package init(seed: UInt64) { self.numbers = SeededNumbers(seed: seed) }

    /// The inputs in a directory, by name: the corpus of earlier fuzzing.
    ///
    /// - Throws: When the directory cannot be read.
    package static func corpus(_ directory: String) throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
            .map { ($0, Array(FileManager.default.contents(atPath: directory + "/" + $0) ?? Data())) }
    }

    /// The input with one to four changes.
    package mutating func mutated(_ input: [UInt8], with other: [UInt8]) -> [UInt8] {
        var bytes = input
        for _ in 0...self.below(4) { self.change(&bytes, with: other) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8], with other: [UInt8]) {
        guard !bytes.isEmpty else {
            bytes = other
            return
        }
        let start = self.below(bytes.count)
        let length = 1 + self.below(min(16, bytes.count - start))
        switch self.below(7) {
        case 0: bytes[start] ^= 1 << UInt8(self.below(8))
        case 1: bytes[start] = UInt8(self.below(256))
        case 2: bytes[start] = ([0, 1, 0x7F, 0x80, 0xFF] as [UInt8])[self.below(5)]
        case 3: bytes.removeSubrange(start..<start + length)
        case 4: bytes.insert(contentsOf: bytes[start..<start + length], at: start)
        case 5 where !other.isEmpty:
            let from = self.below(other.count)
            bytes.replaceSubrange(start..<start + length, with: other[from..<min(other.count, from + length)])
        default: bytes.removeLast(self.below(bytes.count))
        }
    }

    /// A number below the bound.
    package mutating func below(_ bound: Int) -> Int { Int(self.numbers.next() % UInt64(max(1, bound))) }
}
