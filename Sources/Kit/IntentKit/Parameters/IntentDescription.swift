import Synchronization

/// The description of an intent's type: its parameters as declared at its properties.
///
/// It is made once for a type, since it inspects a prototype; turns only use it to read values.
final class IntentDescription<IntentType: Intent>: Sendable {
    /// A parameter of the type.
    struct Member: Sendable {
        let property: String
        /// Its description without its Swift type.
        let description: ParameterDescription
        let declaration: ParameterDeclaration
        let rules: ParameterRules
    }

    /// The intent without values, whose wrappers hold the declarations.
    private let prototype: IntentType
    /// The parameters, in the order of the properties.
    let members: [Member]
    /// What is wrong with the type, naming the property; nil when nothing is.
    let problem: String?

    private let wireNames: [String: String]

    /// The description of a type; made once, when it is first needed.
    static func known() -> IntentDescription<IntentType> {
        let type = ObjectIdentifier(IntentType.self)
        let known = IntentDescriptions.byType.withLock { $0[type] }
        if let description = known as? IntentDescription<IntentType> { return description }
        // This runs outside the lock, since it calls the author's initializer. If two are made at once, either is fine.
        let description = IntentDescription<IntentType>()
        IntentDescriptions.byType.withLock { $0[type] = description }
        return description
    }

    private init() {
        let prototype = IntentDescribing.$isActive.withValue(true) { IntentType() }
        var declared: [(property: String, declaration: ParameterDeclaration)] = []
        var problems: [String] = []
        for child in Mirror(reflecting: prototype).children {
            // The wrapper of `name` is stored as `_name`.
            let label = child.label ?? ""
            let property = label.hasPrefix("_") ? label.dropFirst() : label[...]
            if let declaration = (child.value as? any DeclaredParameter)?.declaration {
                declared.append((String(property), declaration))
            } else {
                problems.append(
                    "\(property) is not a @Parameter, and an intent holds nothing else: write @Parameter before it, or "
                        + "make it static"
                )
            }
        }
        let names = declared.map { $0.declaration.name ?? $0.property }
        let members = declared.map { property, declaration in
            var dependsOn: Set<String> = []
            for path in declaration.dependencies {
                let found = (Self.read(path, of: prototype) as? any DeclaredParameter)?.declaration
                guard let index = declared.firstIndex(where: { $0.declaration === found }) else {
                    let root = type(of: path as AnyKeyPath).rootType
                    let whose = root == IntentType.self ? "a property that is not a parameter" : "a property of \(root)"
                    problems.append(
                        "\(property) depends on \(whose): write \\\(IntentType.self).$name with the name of a parameter"
                    )
                    continue
                }
                if declared[index].declaration === declaration {
                    problems.append("\(property) depends on itself: take it out of `dependsOn:`")
                }
                dependsOn.insert(names[index])
            }
            if declaration.isSensitive, declaration.isSearchable {
                problems.append("\(property) is sensitive, so it cannot be searchable: take out one of the two (R90)")
            }
            let rules = ParameterRules(declaration)
            if let problem = rules.problem { problems.append("\(property): \(problem)") }
            return Member(
                property: property,
                description: ParameterDescription(
                    name: declaration.name ?? property,
                    title: declaration.title,
                    typeName: declaration.typeName,
                    isList: declaration.isList,
                    dependsOn: dependsOn,
                    isSensitive: declaration.isSensitive,
                    isSearchable: declaration.isSearchable,
                    accepts: { declaration.canonical($0) != nil },
                    isMissing: declaration.isMissing
                ),
                declaration: declaration,
                rules: rules
            )
        }
        for (index, name) in names.enumerated() where names[..<index].contains(name) {
            problems.append(
                "\(declared[index].property) has the name \(name), which another parameter already has: choose another "
                    + "one with @Parameter(name:)"
            )
        }
        if problems.isEmpty { problems += Self.problems(ofReading: declared.map(\.property)) }
        self.prototype = prototype
        self.members = members
        self.wireNames = Dictionary(
            members.filter { $0.property != $0.description.name }.map { ($0.property, $0.description.name) }
        ) { $1 }
        self.problem = problems.first.map { "\(IntentType.self).\($0)." }
    }

    /// The value at a path; nil when the path begins at another type.
    private static func read(_ path: AnyKeyPath, of value: Any) -> Any? { value[keyPath: path] }

    /// Finds what prevents reading an intent's values: custom coding keys, or a custom initializer.
    private static func problems(ofReading properties: [String]) -> [String] {
        guard let keys = try? CodingKeyProbe.keys(of: IntentType.self) else {
            return ["init(from:) fails: leave it to the compiler"]
        }
        guard let lost = properties.first(where: { !keys.contains($0) }) else { return [] }
        return ["\(lost) is not read under its own name: leave CodingKeys out, and write @Parameter(name:)"]
    }

    /// Makes an intent from an interaction's values; values of another type are left out.
    func intent(_ values: JSONObject) -> IntentType {
        // Describing the type has checked that the initializer can run.
        (try? IntentType(from: IntentDecoder(values: values, wireNames: self.wireNames))) ?? self.prototype
    }

    /// The intent's name, with the values that are set.
    func snapshot(of intent: IntentType) -> IntentSnapshot {
        var parameters = JSONObject()
        for child in Mirror(reflecting: intent).children {
            let property = String((child.label ?? "").dropFirst())
            guard let member = self.members.first(where: { $0.property == property }),
                let value = (child.value as? any DeclaredParameter)?.json
            else { continue }
            parameters[member.description.name] = value
        }
        return IntentSnapshot(name: IntentType.intentName, parameters: parameters)
    }

    /// The intent with the defaults of the parameters that are still missing.
    func completed(_ snapshot: IntentSnapshot) -> IntentSnapshot {
        var snapshot = snapshot
        for member in self.members {
            guard let value = member.declaration.defaultValue else { continue }
            if snapshot.parameters[member.description.name].map(member.rules.isMissing) ?? true {
                snapshot.parameters[member.description.name] = value
            }
        }
        return snapshot
    }

    func prompt(_ name: String, locale: String) -> String? {
        self.members.first { $0.description.name == name }?.declaration.prompt?.text(locale: locale)
    }

    /// The index of the parameter to which a path leads; nil when it belongs to another intent.
    func index(of path: PartialKeyPath<IntentType>) -> Int? {
        let declaration = (self.prototype[keyPath: path] as? any DeclaredParameter)?.declaration
        return self.members.firstIndex { $0.declaration === declaration }
    }
}

/// The descriptions that were made so far.
private enum IntentDescriptions {
    static let byType = Mutex<[ObjectIdentifier: any Sendable]>([:])
}

/// Whether an intent's type is being described: only then do wrappers keep the declarations at their properties.
///
/// Every initializer of a structure runs the initial values of its properties, including the compiler's own
/// `init(from:)`. Without this, each turn would make all declarations again.
enum IntentDescribing {
    /// Whether a prototype is being made.
    @TaskLocal static var isActive = false
}
