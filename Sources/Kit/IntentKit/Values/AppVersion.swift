/// A version of an app, such as `1.10` or `2.0.1-beta.2`: compared number by number, so that 1.9 comes before 1.10.
///
/// Missing numbers count as 0: `2` and `2.0` are the same. As in semantic versioning, a `-` marks an earlier version
/// (`2.0-beta` is older than `2.0`), and what follows a `+` makes no difference.
public struct AppVersion: Hashable, Sendable, Comparable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The version as written.
    public let description: String
    /// The numbers, without zeros at the end.
    private let numbers: [Int]
    /// The parts after the `-`, separated by dots; empty for a release.
    private let preRelease: [Substring]

    /// Reads a version; nil when it does not begin with numbers separated by dots.
    public init?(_ text: String) {
        let core = text.prefix { $0 != "-" && $0 != "+" }
        var numbers: [Int] = []
        for part in core.split(separator: ".", omittingEmptySubsequences: false) {
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part) else { return nil }
            numbers.append(number)
        }
        while numbers.last == 0 { numbers.removeLast() }
        self.description = text
        self.numbers = numbers
        let suffix = text[core.endIndex...].prefix { $0 != "+" }
        self.preRelease = suffix.dropFirst().split(separator: ".")
    }

    /// Makes a version from a literal in the program; an invalid one is a mistake in the program.
    public init(stringLiteral text: StaticString) {
        guard let version = Self("\(text)") else { preconditionFailure("\(text) is not a version such as 1.10") }
        self = version
    }

    /// Older versions first.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        if lhs.numbers != rhs.numbers { return lhs.numbers.lexicographicallyPrecedes(rhs.numbers) }
        if lhs.preRelease.isEmpty || rhs.preRelease.isEmpty { return !lhs.preRelease.isEmpty && rhs.preRelease.isEmpty }
        return lhs.preRelease.lexicographicallyPrecedes(rhs.preRelease) { left, right in
            switch (Int(left), Int(right)) {
            case (let left?, let right?): left < right
            case (_?, nil): true
            case (nil, _?): false
            case (nil, nil): left < right
            }
        }
    }

    /// Whether neither is older.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.numbers == rhs.numbers && lhs.preRelease == rhs.preRelease
    }

    /// Equal versions hash alike, however they are written.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.numbers)
        hasher.combine(self.preRelease)
    }
}

extension RequestingDevice {
    /// Whether the app on the device is of that version or a newer one (behaviour 56).
    ///
    /// A device that names no version counts as up to date. One with an unreadable version counts as old, since every
    /// app can do what an old app can.
    public func hasApp(atLeast version: AppVersion) -> Bool {
        guard let appVersion = self.appVersion, !appVersion.isMissing else { return true }
        guard let present = AppVersion(appVersion) else { return false }
        return present >= version
    }
}
