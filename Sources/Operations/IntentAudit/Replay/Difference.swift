package import IntentKit

/// The first member in which two values differ.
package struct Difference: Hashable, Sendable {
    /// The path to it: `responses[0].response.numbers[2]`.
    package var path: String
    /// The recorded value; nil when there was none.
    package var then: JSONValue?
    /// The value now; nil when there is none.
    package var now: JSONValue?

    package init(path: String, then: JSONValue?, now: JSONValue?) {
        self.path = path
        self.then = then
        self.now = now
    }

    /// Finds the first difference between two values, with members in the order of their names; nil when they are
    /// equal.
    package static func first(_ then: JSONValue, _ now: JSONValue, path: String = "") -> Difference? {
        guard then != now else { return nil }
        switch (then, now) {
        case (.object(let then), .object(let now)):
            for name in Set(then.keys).union(now.keys).sorted() where then[name] != now[name] {
                let memberPath = path.isEmpty ? name : "\(path).\(name)"
                guard let old = then[name], let new = now[name] else {
                    return Difference(path: memberPath, then: then[name], now: now[name])
                }
                return Self.first(old, new, path: memberPath)
            }
            return nil
        case (.array(let then), .array(let now)):
            for (index, (old, new)) in zip(then, now).enumerated() where old != new {
                return Self.first(old, new, path: "\(path)[\(index)]")
            }
            let index = min(then.count, now.count)
            return Difference(
                path: "\(path)[\(index)]",
                then: then.indices.contains(index) ? then[index] : nil,
                now: now.indices.contains(index) ? now[index] : nil
            )
        default:
            return Difference(path: path, then: then, now: now)
        }
    }

    /// The difference for `--json`.
    package var json: JSONValue { .members(["path": .string(self.path), "then": self.then, "now": self.now]) }
}
