/// What is known of a deployment's groups.
package struct ConsoleGroups: Hashable, Sendable {
    /// How far they are behind, by topic.
    package var lags: [ConsoleLag]
    /// Who reads for them; nil where that is not told.
    package var members: [ConsoleMember]?

    /// Describes groups.
    package init(lags: [ConsoleLag], members: [ConsoleMember]?) {
        self.lags = lags
        self.members = members
    }
}
