extension EventLogConformance {
    /// One promise and its test.
    package struct Check: Sendable, CustomStringConvertible {
        /// The promise, in a few words.
        package let name: String
        /// Throws when the promise is not kept.
        let body: @Sendable (Workbench) async throws -> Void

        /// The promise.
        package var description: String { self.name }

        /// All checks.
        package static let all: [Check] =
            Self.records + Self.topicsAndOffsets + Self.lanes + Self.isolation + Self.commits + Self.groups
            + Self.readers + Self.members
    }
}
