/// The state of a deployment's groups.
package struct ConsoleGroups: Hashable, Sendable {
    /// Their lags, by topic.
    package var lags: [ConsoleLag]
    /// Their members; nil where they are not known.
    package var members: [ConsoleMember]?

    /// Creates a state.
    package init(lags: [ConsoleLag], members: [ConsoleMember]?) {
        self.lags = lags
        self.members = members
    }
}
