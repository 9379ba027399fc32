internal import IntentEvents
package import IntentKit

/// A difference between what clients read of an interaction and what they would read now (R44).
package struct ShadowDifference: Hashable, Sendable {
    /// What differs.
    package enum Kind: String, CaseIterable, Sendable {
        /// The code, the end reason, the phase, or whether it is over.
        case end
        /// Which questions are asked, in which order.
        case prompts
        /// What a question offers or accepts.
        case options
        /// What a question or a response says.
        case dialog
        /// What a handler shows: members of `response`.
        case details
        case effects
        /// The values at the end.
        case parameters
        case activity
        /// What it starts, and what it notifies of.
        case followUps
        /// Any other member.
        case other
    }

    package var kind: Kind
    /// Where: the question or the response, and the member, such as `intentConfirmation: price`; empty where the kind
    /// says it.
    package var path: String
    /// What was read, masked; nil for nothing.
    package var then: JSONValue?
    /// What would be read, masked; nil for nothing.
    package var now: JSONValue?
    /// The recorded value without a mask: it distinguishes values that the mask does not, and is not shown.
    var rawThen: JSONValue?
    /// The value now without a mask.
    var rawNow: JSONValue?
}

extension ShadowDifference {
    /// All differences of an interaction, one for each place, in the order of the records.
    ///
    /// Where the ends differ, what else a response says differs for that reason: of it only effects and parameters are
    /// compared.
    ///
    /// - Parameters:
    ///   - then: What clients read.
    ///   - now: What they would read now.
    ///   - ignoringNewMembers: Whether members that only today's version writes are ignored: another one ran the
    ///     interaction.
    ///   - ignoringActivities: Whether user activities are ignored: some are no longer on their topic.
    ///   - masked: Masks the data of an event.
    /// - Returns: The differences.
    static func all(
        _ then: ShadowTranscript,
        _ now: ShadowTranscript,
        ignoringNewMembers: Bool = false,
        ignoringActivities: Bool = false,
        masked: (JSONValue) -> JSONValue = { $0 }
    ) -> [ShadowDifference] {
        var found = Findings(ignoresNewMembers: ignoringNewMembers)
        let ends = (then.end, now.end)
        let isSameEnd = ends.0 == ends.1
        if !isSameEnd {
            let areAlike = ends.0.prefix(2) == ends.1.prefix(2)
            func text(_ end: [String?]) -> JSONValue {
                .string((areAlike ? end : Array(end.prefix(2))).compactMap(\.self).joined(separator: " "))
            }
            found.add(.end, "", text(ends.0), text(ends.1))
        }
        found.addPrompts(then.prompts, now.prompts)
        for (name, pairs) in Self.pairs(then.records, now.records) {
            if name == "activity", ignoringActivities || !isSameEnd { continue }
            for (old, new) in pairs {
                guard let one = old ?? new else { continue }
                if let old, let new {
                    found.compare(old, new, masked: masked) { kind in
                        name != "response" || isSameEnd || kind == .effects || kind == .parameters
                    }
                } else if one.type != .intentResponded || name != "response", !one.isPrompt {
                    found.addWhole(old, new, masked: masked)
                }
            }
        }
        return found.differences
    }

    /// The records of both in pairs of the same name, in the order of the first of each name.
    private static func pairs(
        _ then: [ShadowTranscript.Record],
        _ now: [ShadowTranscript.Record]
    ) -> [(name: String, pairs: [(ShadowTranscript.Record?, ShadowTranscript.Record?)])] {
        var names: [String] = []
        var byName: [String: (then: [ShadowTranscript.Record], now: [ShadowTranscript.Record])] = [:]
        for record in then + now where !names.contains(record.name) { names.append(record.name) }
        for record in then { byName[record.name, default: ([], [])].then.append(record) }
        for record in now { byName[record.name, default: ([], [])].now.append(record) }
        return names.map { name in
            let (then, now) = byName[name] ?? ([], [])
            let pairs = (0..<max(then.count, now.count))
                .map { index in
                    (
                        then.indices.contains(index) ? then[index] : nil,
                        now.indices.contains(index) ? now[index] : nil
                    )
                }
            return (name, pairs)
        }
    }

    /// Collects differences.
    private struct Findings {
        private struct Place: Hashable {
            var kind: Kind
            var path: String
        }

        let ignoresNewMembers: Bool
        private(set) var differences: [ShadowDifference] = []
        private var indices: [Place: Int] = [:]

        init(ignoresNewMembers: Bool) { self.ignoresNewMembers = ignoresNewMembers }

        /// Adds a difference; one at the same place before it is replaced, since what is read last counts.
        mutating func add(
            _ kind: Kind,
            _ path: String,
            _ then: JSONValue?,
            _ now: JSONValue?,
            raw: (JSONValue?, JSONValue?)? = nil
        ) {
            let difference = ShadowDifference(
                kind: kind,
                path: path,
                then: then,
                now: now,
                rawThen: raw.map(\.0) ?? then,
                rawNow: raw.map(\.1) ?? now
            )
            let place = Place(kind: kind, path: path)
            if let index = self.indices[place] {
                self.differences[index] = difference
            } else {
                self.indices[place] = self.differences.count
                self.differences.append(difference)
            }
        }

        /// Adds the first question that was added, is missing, or is another one.
        mutating func addPrompts(_ then: [String], _ now: [String]) {
            guard then != now else { return }
            let index = zip(then, now).prefix { $0 == $1 }.count
            let old = then.dropFirst(index)
            let new = now.dropFirst(index)
            let isAdded = old.first == new.dropFirst().first
            let isMissing = new.first == old.dropFirst().first
            self.add(
                .prompts,
                "",
                isAdded && !isMissing ? nil : old.first.map(JSONValue.string),
                isMissing && !isAdded ? nil : new.first.map(JSONValue.string)
            )
        }

        /// Compares two records of one name, member by member.
        mutating func compare(
            _ then: ShadowTranscript.Record,
            _ now: ShadowTranscript.Record,
            masked: (JSONValue) -> JSONValue,
            where isWanted: (Kind) -> Bool
        ) {
            guard case .data(let old) = then.content, case .data(let new) = now.content else {
                if Self.digest(then) != Self.digest(now), isWanted(.other) { self.add(.other, then.name, nil, nil) }
                return
            }
            guard old != new else { return }
            let shown = (masked(old), masked(new))
            let names = Set((old.object ?? [:]).keys).union((new.object ?? [:]).keys).sorted()
            for name in names where ShadowTranscript.isCompared(name, of: then.type) {
                guard !self.ignoresNewMembers || old[name] != nil else { continue }
                Self.leaves(old[name], new[name], [name]) { path, old, new in
                    guard let (kind, place) = Self.place(then, path), isWanted(kind) else { return }
                    self.add(
                        kind,
                        place,
                        old == nil ? nil : Self.value(at: path, in: shown.0),
                        new == nil ? nil : Self.value(at: path, in: shown.1),
                        raw: (old, new)
                    )
                }
            }
        }

        /// Adds a record that only one of the two has.
        mutating func addWhole(
            _ then: ShadowTranscript.Record?,
            _ now: ShadowTranscript.Record?,
            masked: (JSONValue) -> JSONValue
        ) {
            guard let record = then ?? now else { return }
            let type = record.type
            func compared(_ data: JSONValue) -> JSONValue {
                .object((data.object ?? [:]).filter { ShadowTranscript.isCompared($0.key, of: type) })
            }
            func content(_ record: ShadowTranscript.Record?) -> JSONValue? {
                guard case .data(let data)? = record?.content else { return nil }
                return data
            }
            let (old, new) = (content(then), content(now))
            let (kind, path): (Kind, String) =
                switch type {
                case .userActivityCreated: (.activity, "")
                case .userNotified: (.followUps, record.name)
                default: (.other, record.name)
                }
            self.add(
                kind,
                path,
                old.map { compared(masked($0)) },
                new.map { compared(masked($0)) },
                raw: (old.map(compared), new.map(compared))
            )
        }

        private static func digest(_ record: ShadowTranscript.Record) -> Int {
            switch record.content {
            case .data(let data): ShadowTranscript.digest(data, of: record.type)
            case .digest(let digest): digest
            }
        }

        /// The innermost members in which two values differ; lists and amounts are compared as a whole, and null is
        /// nothing.
        private static func leaves(
            _ then: JSONValue?,
            _ now: JSONValue?,
            _ path: [String],
            _ add: ([String], JSONValue?, JSONValue?) -> Void
        ) {
            let then = then?.isNull == true ? nil : then
            let now = now?.isNull == true ? nil : now
            guard then != now else { return }
            guard let old = then?.object, let new = now?.object, old["currencyCode"] == nil, new["currencyCode"] == nil
            else { return add(path, then, now) }
            for name in Set(old.keys).union(new.keys).sorted() { Self.leaves(old[name], new[name], path + [name], add) }
        }

        /// The member at a path, or the mask in place of an object that would contain it.
        private static func value(at path: [String], in data: JSONValue) -> JSONValue? {
            var value = data
            for name in path {
                guard value.object != nil else { return value }
                guard let member = value[name] else { return nil }
                value = member
            }
            return value
        }

        /// What a member of a record is about, and where it is; nil for one that the end itself shows.
        private static func place(_ record: ShadowTranscript.Record, _ path: [String]) -> (Kind, String)? {
            func at(_ members: some Sequence<String>) -> String {
                let text = members.joined(separator: ".")
                return text.isEmpty ? record.name : "\(record.name): \(text)"
            }
            let rest = path.dropFirst()
            if record.type == .userActivityCreated { return (.activity, path.joined(separator: ".")) }
            if record.type == .userNotified { return (.followUps, at(path)) }
            switch path[0] {
            case "dialog": return (.dialog, record.name)
            case "response": return (.details, at(rest))
            case "options": return (.options, record.name)
            case "optionDisplays", "item", "itemDisplay", "reason", "accepts": return (.options, at(path))
            case "effects": return (.effects, "")
            case "undone", "undoFailed", "effectsIncomplete": return (.effects, path.joined(separator: "."))
            case "userActivity": return (.activity, rest.joined(separator: "."))
            case "started": return (.followUps, rest.joined(separator: "."))
            case "intent" where rest.first == "parameters":
                return (.parameters, rest.dropFirst().joined(separator: "."))
            case "code", "status", "endReason", "phase", "terminal":
                return record.name == "response" ? nil : (.other, at(path))
            default: return (.other, at(path))
            }
        }
    }
}

extension ShadowTranscript {
    /// How it ends: code and end reason, which say most, then status and phase.
    fileprivate var end: [String?] {
        guard self.ending.isOver else { return ["open", nil, nil, nil] }
        let response = self.records.last { $0.name == "response" }
        guard case .data(let data)? = response?.content else {
            return [self.ending.code, self.ending.endReason, nil, nil]
        }
        return [data["code"]?.string, data["endReason"]?.string, data["status"]?.string, data["phase"]?.string]
    }
}
