package import IntentEvents
package import IntentKit

/// The turns that were running when processes crashed, and what is to be done about each (R56).
///
/// A turn is `unknown` until a process crashes while it runs. Then it is a *suspect*, and each further crash counts.
/// With ``maxCrashes`` crashes it runs alone. If the process crashes then, it is *condemned*. If other turns would not
/// end, so that it was alone in name only, it is condemned only after as many such crashes again, and at least two: one
/// of them may be due to another turn, which is a suspect itself from then on. When a turn is committed, it is unknown
/// again.
package struct SuspectTurns: Hashable, Sendable {
    /// The crash counts of a turn.
    package struct Suspicion: Hashable, Sendable {
        /// How many processes crashed while it ran.
        package var deaths = 0
        /// How many of them while it was the only one admitted, beside turns that would not end.
        package var soloDeaths = 0
        /// How many of them while nothing else ran.
        package var deathsAlone = 0
        /// The time of the last crash.
        package var lastAt = Timestamp(milliseconds: 0)

        package init() {}
    }

    /// How a turn is to be run.
    package enum Treatment: Hashable, Sendable {
        /// It runs beside others.
        case ordinary
        /// It runs alone; each crash beyond the limit doubles the time for which others wait.
        case solo(surplus: Int)
        /// It ends without its handler.
        case condemned(CrashVerdict)
    }

    /// How many turns are remembered: those with the most crashes, then the latest.
    package static let limit = 32_768
    /// How many crashes a turn may have before it runs alone.
    package let maxCrashes: Int
    package private(set) var suspicions: [TurnKey: Suspicion] = [:]

    package init(maxCrashes: Int) { self.maxCrashes = max(1, maxCrashes) }

    package var isEmpty: Bool { self.suspicions.isEmpty }

    /// A process has crashed while these turns ran; each turn counts once.
    package mutating func recordCrash(of marks: [TurnMark], at now: Timestamp) {
        var companies: [TurnKey: TurnMark.Company] = [:]
        for mark in marks {
            let other = companies[mark.turn]
            companies[mark.turn] =
                other.map { $0.rawValue > mark.company.rawValue ? $0 : mark.company } ?? mark.company
        }
        for (turn, company) in companies {
            var suspicion = self.suspicions[turn] ?? Suspicion()
            suspicion.deaths += 1
            suspicion.lastAt = now
            switch company {
            case .ordinary: break
            case .solo: suspicion.soloDeaths += 1
            case .alone: suspicion.deathsAlone += 1
            }
            self.suspicions[turn] = suspicion
        }
        guard self.suspicions.count > Self.limit else { return }
        let ordered = self.suspicions.sorted { lhs, rhs in
            (lhs.value.deaths, lhs.value.lastAt.milliseconds, lhs.key.description)
                > (rhs.value.deaths, rhs.value.lastAt.milliseconds, rhs.key.description)
        }
        self.suspicions = Dictionary(uniqueKeysWithValues: ordered.prefix(Self.limit).map { ($0.key, $0.value) })
    }

    /// How a turn is to be run.
    package func treatment(of turn: TurnKey) -> Treatment {
        guard let suspicion = self.suspicions[turn], suspicion.deaths >= self.maxCrashes else { return .ordinary }
        guard suspicion.deathsAlone == 0, suspicion.soloDeaths < max(2, self.maxCrashes) else {
            return .condemned(CrashVerdict(deaths: suspicion.deaths, isUndecoded: turn.isReading))
        }
        return .solo(surplus: suspicion.deaths - self.maxCrashes)
    }

    /// A turn was committed: its crash count is dropped.
    package mutating func forget(_ turn: TurnKey) { self.suspicions[turn] = nil }

    // MARK: The form in a file

    /// The form in a file.
    package var json: JSONValue {
        .object(
            Dictionary(
                uniqueKeysWithValues: self.suspicions.map { turn, suspicion in
                    (
                        turn.description,
                        [
                            "deaths": .integer(Int64(suspicion.deaths)),
                            "solo": .integer(Int64(suspicion.soloDeaths)),
                            "alone": .integer(Int64(suspicion.deathsAlone)),
                            "at": .integer(suspicion.lastAt.milliseconds),
                        ]
                    )
                }
            )
        )
    }

    /// Restores the counts from a file; unreadable entries are skipped.
    package mutating func restore(_ json: JSONValue) {
        for (name, entry) in json.object ?? [:] {
            guard let turn = TurnKey(name), let deaths = entry["deaths"]?.integer, deaths > 0 else { continue }
            var suspicion = Suspicion()
            suspicion.deaths = Int(clamping: deaths)
            suspicion.soloDeaths = Int(clamping: max(0, entry["solo"]?.integer ?? 0))
            suspicion.deathsAlone = Int(clamping: max(0, entry["alone"]?.integer ?? 0))
            suspicion.lastAt = Timestamp(milliseconds: entry["at"]?.integer ?? 0)
            self.suspicions[turn] = suspicion
        }
    }
}
