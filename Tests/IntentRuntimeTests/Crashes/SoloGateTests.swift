@testable import IntentRuntime
import Testing

@Suite("The gate for solo turns (R56)")
struct SoloGateTests {
    @Test("waiting → solo → free: a solo turn waits until the others have left, and those that come later wait for it")
    func soloWaitsForOthersToLeave() {
        var gate = SoloGate()
        let (first, second) = (gate.claimNumber(), gate.claimNumber())
        #expect(gate.enter(first, isSolo: false).admitted == [first])
        #expect(gate.enter(second, isSolo: false).admitted == [second])
        let suspect = gate.claimNumber()
        #expect(gate.enter(suspect, isSolo: true) == .init(waiting: suspect))
        let late = gate.claimNumber()
        #expect(gate.enter(late, isSolo: false) == .init())
        #expect(gate.leave(first) == .init())
        #expect(gate.leave(second) == .init(admitted: [suspect], soloist: .init(number: suspect, isAlone: true)))
        #expect(gate.leave(suspect) == .init(admitted: [late], rests: true))
        #expect(gate.isOpen)
    }

    @Test(
        "running → stubborn → free: a turn that does not end is no longer waited for; the solo turn is then not alone"
    )
    func stubbornTurnIsNotWaitedForAgain() {
        var gate = SoloGate()
        let (hung, suspect) = (gate.claimNumber(), gate.claimNumber())
        _ = gate.enter(hung, isSolo: false)
        _ = gate.enter(suspect, isSolo: true)
        let action = gate.stopWaiting(suspect)
        #expect(action == .init(admitted: [suspect], soloist: .init(number: suspect, isAlone: false)))
        #expect(gate.stopWaiting(suspect) == .init(), "it runs already")
        _ = gate.leave(suspect)
        _ = gate.endRest()
        // The hung turn is known by now: no other turn waits for it again.
        let next = gate.claimNumber()
        #expect(gate.enter(next, isSolo: true).soloist == .init(number: next, isAlone: false))
        _ = gate.leave(next)
        _ = gate.endRest()
        _ = gate.leave(hung)
        let last = gate.claimNumber()
        #expect(gate.enter(last, isSolo: true).soloist == .init(number: last, isAlone: true))
    }

    @Test("solo → stubborn: a turn that is alone for too long is joined by the others, and no longer waited for")
    func longSoloTurnIsJoined() {
        var gate = SoloGate()
        let (suspect, other) = (gate.claimNumber(), gate.claimNumber())
        _ = gate.enter(suspect, isSolo: true)
        _ = gate.enter(other, isSolo: false)
        #expect(gate.endSolo(suspect) == .init(admitted: [other], rests: true))
        #expect(gate.endSolo(suspect) == .init())
        #expect(gate.leave(suspect) == .init())
        #expect(gate.leave(other) == .init())
    }

    @Test("waiting → running: between two solo turns the others run for a while")
    func othersRunBetweenSoloTurns() {
        var gate = SoloGate()
        let (first, second, other) = (gate.claimNumber(), gate.claimNumber(), gate.claimNumber())
        _ = gate.enter(first, isSolo: true)
        _ = gate.enter(second, isSolo: true)
        #expect(gate.leave(first) == .init(rests: true))
        #expect(gate.enter(other, isSolo: false).admitted == [other])
        #expect(gate.endRest() == .init(waiting: second))
        #expect(gate.leave(other).soloist == .init(number: second, isAlone: true))
    }

    /// The random walk's own knowledge of which turn is where.
    private struct Model {
        var inside: Set<Int> = []
        var outside: Set<Int> = []
        var suspects: Set<Int> = []
        var soloist: SoloGate.Soloist?
        var waiting: Int?
        var isResting = false
        /// The turns that were running when a waiting turn gave up, or the time was up.
        var overdue: Set<Int> = []
    }

    @Test("In any order of arrivals, a solo turn is alone, and every turn runs", arguments: 1...40)
    func randomOrderKeepsSoloTurnAlone(seed: UInt64) {
        var random = seed
        func pick(_ count: Int) -> Int { Int(SplitMix64.next(&random) % UInt64(count)) }
        var gate = SoloGate()
        var model = Model()
        func apply(_ action: SoloGate.Action) {
            if action.rests {
                model.soloist = nil
                model.isResting = true
            }
            if let waiting = action.waiting { model.waiting = waiting }
            for number in action.admitted {
                #expect(model.outside.remove(number) != nil, "\(number) was let in twice")
                model.inside.insert(number)
            }
            guard let soloist = action.soloist else { return }
            model.waiting = nil
            model.soloist = soloist
            let others = model.inside.subtracting([soloist.number])
            #expect(soloist.isAlone == others.isEmpty)
            #expect(others.isSubset(of: model.overdue), "\(others) run beside one who is to be alone")
        }
        for step in 0..<20_000 {
            // At the end they only leave, until none waits any more.
            let isEnding = step > 400
            if isEnding, model.outside.isEmpty { break }
            switch pick(isEnding ? 4 : 10) {
            case 0, 1:
                if let number = model.inside.sorted().dropFirst(pick(max(1, model.inside.count))).first {
                    model.inside.remove(number)
                    model.overdue.remove(number)
                    model.suspects.remove(number)
                    if model.soloist?.number == number { model.soloist = nil }
                    apply(gate.leave(number))
                }
            case 2:
                if let waiting = model.waiting {
                    model.overdue.formUnion(model.inside)
                    apply(gate.stopWaiting(waiting))
                } else if let soloist = model.soloist {
                    model.overdue.insert(soloist.number)
                    apply(gate.endSolo(soloist.number))
                }
            case 3:
                if model.isResting {
                    model.isResting = false
                    apply(gate.endRest())
                }
            default:
                let number = gate.claimNumber()
                let isSolo = pick(3) == 0
                #expect(!model.inside.contains(number) && !model.outside.contains(number))
                if isSolo { model.suspects.insert(number) }
                model.outside.insert(number)
                let isClosed = model.soloist != nil || model.waiting != nil
                let action = gate.enter(number, isSolo: isSolo)
                if isClosed { #expect(action == .init(), "somebody is alone") }
                apply(action)
            }
        }
        #expect(model.outside.isEmpty, "\(model.outside) were never let in")
    }
}
