internal import DeclaredIntents
package import IntentKit

/// All intents that this process supports: registry, tables, and masking.
package struct IntentSet: Sendable {
    package let registry: IntentRegistry
    /// The extensions as they were registered, settings applied.
    package let extensions: [IntentExtension]
    /// The origin of each intent, by its name.
    let origins: [String: IntentOrigin]
    /// The files of declared intents that were read.
    package let definitionFiles: [String]
    /// Secrets that declared intents need and that are not where their definitions say: `file:line: …`.
    let missingSecrets: [String]
    /// What is unwise in declared intents although they can be carried out: `file:line: …`.
    package let warnings: [String]
    /// The terms that all users share (R36).
    package let vocabularies: GlobalVocabularies
    /// The files of global vocabularies that were read.
    package let vocabularyFiles: [String]
    /// The files of prompts that were read.
    package let promptFiles: [String]

    /// The tables that the handlers need.
    package var migrations: [StoreMigration] { self.extensions.flatMap(\.migrations) }
    /// Whether a handler calls effects or reads stores.
    var needsLedger: Bool { self.extensions.contains { $0.registrations.contains(where: \.usesLedger) } }

    /// Collects the intents of the program, of files and, where they are served, of the sample apps, and applies the
    /// configuration to them (R65).
    ///
    /// - Throws: ``OperationError`` (78) that lists everything that is wrong.
    package init(
        _ configuration: Configuration,
        sources: HandlerSources = .current,
        directory: String = DefinitionFiles.directory
    ) throws(OperationError) {
        let declared = try DefinitionFiles(configuration, directory: directory)
        let vocabularies = VocabularyFiles(directory: configuration.text(.vocabularies) ?? "")
        let prompts = PromptFiles(directory: configuration.text(.promptsDirectory) ?? "")
        let unreadable = declared.problems + vocabularies.problems + prompts.problems
        guard unreadable.isEmpty else {
            throw OperationError(.configuration, problems: unreadable)
        }
        let own = Set(sources.own.map(\.name))
        var extensions = sources.own + Self.samples(configuration, beside: sources)
        Self.add(declared, to: &extensions)
        let problems = Self.apply(configuration, to: &extensions)
        guard problems.isEmpty else {
            throw OperationError(.configuration, problems: problems.map(\.description))
        }
        let unknown =
            prompts.unknownNames(among: extensions.flatMap(\.registrations))
            + vocabularies.unknownParameters(among: extensions.flatMap(\.registrations))
        guard unknown.isEmpty else { throw OperationError(.configuration, problems: unknown) }
        for extensionIndex in extensions.indices {
            for index in extensions[extensionIndex].registrations.indices {
                extensions[extensionIndex].registrations[index].prompts = prompts.texts
            }
        }
        do throws(IntentRegistry.ConfigurationError) {
            self.registry = try IntentRegistry(
                extensions,
                presentation: sources.ownPresentation
                    + Self.samplePresentation(configuration, beside: sources, of: extensions)
            )
        } catch {
            throw OperationError(.configuration, error.description)
        }
        self.extensions = extensions
        self.origins = Self.origins(of: extensions, own: own, declared)
        self.definitionFiles = declared.files
        self.missingSecrets = declared.missingSecrets
        self.warnings =
            declared.definitions.flatMap { definition, location in
                definition.warnings.map { "\(location): \(definition.name): \($0)" }
            } + Self.warnings(configuration, sources, servesNothing: extensions.isEmpty)
        self.vocabularies = GlobalVocabularies(vocabularies.vocabularies)
        self.vocabularyFiles = vocabularies.files
        self.promptFiles = prompts.files
        guard configuration.hasLedger || !self.needsLedger else {
            let names = extensions.flatMap(\.registrations).filter(\.usesLedger).map(\.intentName).sorted()
            throw OperationError(
                .configuration,
                "\(configuration.entry(.ledger)?.origin.description ?? ""): ledger is none, but the handlers of "
                    + "\(names.joined(separator: ", ")) make effects or read stores (R31)"
            )
        }
    }

    /// The problems to log in a process that lacks intents.
    private static func warnings(
        _ configuration: Configuration,
        _ sources: HandlerSources,
        servesNothing: Bool
    ) -> [String] {
        var warnings: [String] = []
        if configuration.servesSamples, sources.samples.isEmpty {
            let origin = configuration.entry(.samples)?.origin ?? .byDefault
            warnings.append("\(origin): samples is true, but this program has no sample apps; intentd itself has them")
        }
        if servesNothing {
            let samples = sources.samples.isEmpty ? "" : ", or serve the sample apps (--samples)"
            warnings.append("no intents are served: declare some in \(DefinitionFiles.directory)\(samples)")
        }
        return warnings
    }

    /// Checks that this process can carry the intents out, not only show what was done.
    ///
    /// - Throws: ``OperationError`` (78) that names the missing secrets; never their values.
    func checkSecrets() throws(OperationError) {
        guard self.missingSecrets.isEmpty else {
            throw OperationError(.configuration, self.missingSecrets.joined(separator: "\n"))
        }
    }

    /// The sample apps that are served, without the intents that the program handles itself or that need a ledger when
    /// there is none.
    private static func samples(_ configuration: Configuration, beside sources: HandlerSources) -> [IntentExtension] {
        let own = Set(sources.own.flatMap(\.registrations).map(\.intentName))
        return Self.served(configuration, sources)
            .compactMap { sample -> IntentExtension? in
                var kept = sample
                kept.registrations.removeAll {
                    own.contains($0.intentName) || (!configuration.hasLedger && $0.usesLedger)
                }
                kept.restrictedWhileLocked.formIntersection(kept.registrations.map(\.intentName))
                return kept.registrations.isEmpty ? nil : kept
            }
    }

    private static func served(_ configuration: Configuration, _ sources: HandlerSources) -> [IntentExtension] {
        guard configuration.servesSamples else { return [] }
        return configuration.text(.messagesApp).flatMap { sources.samples[$0] } ?? []
    }

    /// The presenters of the sample apps that are served, for the intents that the program neither draws nor handles.
    private static func samplePresentation(
        _ configuration: Configuration,
        beside sources: HandlerSources,
        of extensions: [IntentExtension]
    ) -> [IntentUIExtension] {
        let own = Set(sources.own.flatMap(\.registrations).map(\.intentName))
        let drawn = sources.ownPresentation.reduce(into: own) { $0.formUnion($1.supportedIntents) }
        let supported = Set(extensions.flatMap(\.registrations).map(\.intentName))
        guard configuration.servesSamples else { return [] }
        return sources.samplePresentation.map { sample in
            var kept = sample
            kept.supportedIntents = sample.supportedIntents.intersection(supported).subtracting(drawn)
            return kept
        }
    }

    /// Adds declared intents; one that is declared `swift` takes over the handler of its name.
    private static func add(_ declared: DefinitionFiles, to extensions: inout [IntentExtension]) {
        var registrations: [IntentRegistration] = []
        for (definition, _) in declared.definitions {
            let extensionIndex = extensions.indices.first { index in
                extensions[index].registrations.contains { $0.intentName == definition.name }
            }
            if let extensionIndex,
                let index = extensions[extensionIndex].registrations
                    .firstIndex(where: { $0.intentName == definition.name })
            {
                let handler = extensions[extensionIndex].registrations[index]
                extensions[extensionIndex].registrations[index] = definition.makeRegistration(handledBy: handler)
            } else {
                registrations.append(definition.makeRegistration())
            }
        }
        if !registrations.isEmpty {
            extensions.append(IntentExtension("declared intents") { registrations })
        }
    }

    private static func origins(
        of extensions: [IntentExtension],
        own: Set<String>,
        _ declared: DefinitionFiles
    ) -> [String: IntentOrigin] {
        var origins: [String: IntentOrigin] = [:]
        for intentExtension in extensions {
            for registration in intentExtension.registrations {
                origins[registration.intentName] = IntentOrigin(
                    extensionName: intentExtension.name,
                    isProgramsOwn: own.contains(intentExtension.name)
                )
            }
        }
        for (definition, location) in declared.definitions {
            if definition.handling != .swift { origins[definition.name] = IntentOrigin() }
            origins[definition.name]?.definition = location
        }
        return origins
    }

    /// Applies confirmation policies and the list of intents that are restricted while locked.
    private static func apply(
        _ configuration: Configuration,
        to extensions: inout [IntentExtension]
    ) -> [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        let names = extensions.flatMap(\.registrations).map(\.intentName)
        // Suggestions take time, and further problems are not shown.
        var isFull: Bool { problems.count > OperationError.maximumProblems }
        let known = Set(names)
        for (name, policy) in configuration.confirmations.sorted(by: { $0.key < $1.key })
        where !known.contains(name) && !isFull {
            let message =
                "intents.\(ShownText.of(name)): unknown intent\(NearMiss.hint(name, among: names))"
            problems.append(ConfigurationProblem(origin: policy.origin, message: message))
        }
        var extensionIndices: [String: Int] = [:]
        for extensionIndex in extensions.indices {
            for index in extensions[extensionIndex].registrations.indices {
                let name = extensions[extensionIndex].registrations[index].intentName
                extensionIndices[name] = extensionIndices[name] ?? extensionIndex
                guard let policy = configuration.confirmations[name] else { continue }
                if extensions[extensionIndex].registrations[index].isFinancial, policy.value != .always {
                    let message =
                        "intents.\(name).confirmation must be always: this intent moves money or cannot be undone, "
                        + "and no configuration can relax that (R29)"
                    problems.append(ConfigurationProblem(origin: policy.origin, message: message))
                }
                extensions[extensionIndex].registrations[index].confirmation = policy.value
            }
        }
        for name in configuration.list(.restrictedWhileLocked) where !isFull {
            if let extensionIndex = extensionIndices[name] {
                extensions[extensionIndex].restrictedWhileLocked.insert(name)
            } else {
                let origin = configuration.entry(.restrictedWhileLocked)?.origin ?? .byDefault
                let message =
                    "restrictedWhileLocked: unknown intent \(ShownText.of(name))\(NearMiss.hint(name, among: names)); "
                    + "register a handler for it, or remove it from the list (R15)"
                problems.append(ConfigurationProblem(origin: origin, message: message))
            }
        }
        return problems
    }
}
