struct InvalidDefinition: Error {
    /// What is wrong with it; at least one.
    var problems: [DefinitionProblem]
}
