import Synchronization

/// A number that many threads add to.
final class AtomicNumber: Sendable {
    private let bits = Atomic<UInt64>(0)

    var value: Double { Double(bitPattern: self.bits.load(ordering: .relaxed)) }

    func set(_ value: Double) { self.bits.store(value.bitPattern, ordering: .relaxed) }

    func add(_ amount: Double) {
        var old = self.bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (exchanged, original) = self.bits.weakCompareExchange(
                expected: old,
                desired: new,
                ordering: .relaxed
            )
            if exchanged { return }
            old = original
        }
    }
}
