internal import DeclaredIntents
internal import Foundation
internal import IntentKit
internal import KafkaLog
internal import Yams

/// Combines the configuration: command line over environment over file over defaults (R52).
package struct ConfigurationReader {
    /// The configuration so far.
    private(set) var configuration = Configuration()
    /// The problems, in the order in which they were found.
    private(set) var problems: [ConfigurationProblem] = []
    private let environment: [String: String]

    /// Whether more problems would not be shown; they are not looked for, since suggestions take time.
    private var isFull: Bool { self.problems.count > OperationError.maximumProblems }

    /// Creates a reader that has read nothing; secrets that the file refers to come from this environment.
    init(environment: [String: String]) {
        self.environment = environment
    }

    /// The file that is read when none is named.
    static let defaultPath = "config/intentd.yaml"

    /// Reads all sources.
    ///
    /// - Parameters:
    ///   - file: The named file; nil for the default one, which need not exist.
    ///   - environment: The environment's variables.
    ///   - options: The settings of the command line: setting, option, value.
    /// - Returns: The configuration, without problems.
    /// - Throws: ``OperationError`` that lists all problems (78); a named file that is missing (66).
    package static func read(
        file: String?,
        environment: [String: String],
        options: [(setting: Setting, option: String, value: SettingValue)]
    ) throws(OperationError) -> Configuration {
        var reader = ConfigurationReader(environment: environment)
        let named = file ?? environment["INTENTD_CONFIG"]
        if named != nil || FileManager.default.fileExists(atPath: Self.defaultPath) {
            reader.read(try YAMLFile(named ?? Self.defaultPath, invalid: .configuration))
        }
        reader.configuration.file = named ?? Self.defaultPath
        reader.readEnvironment()
        for (setting, option, value) in options {
            reader.configuration.values[setting.key] = .init(value: value, origin: .commandLine(option))
        }
        guard reader.problems.isEmpty else {
            throw OperationError(.configuration, problems: reader.problems.map(\.description))
        }
        return reader.configuration
    }

    mutating func read(_ file: YAMLFile) {
        guard let root = file.root, !Self.isNull(root) else { return }
        self.read(root, path: "", file: file.path)
    }

    private mutating func read(_ node: Node, path: String, file: String) {
        guard let mapping = node.mapping else {
            let subject = path.isEmpty ? "a configuration" : path
            self.report(node, file, "\(subject) must be a mapping of keys to values, not \(Self.kind(of: node))")
            return
        }
        for (keyNode, value) in mapping where !self.isFull {
            guard let name = keyNode.scalar?.string else {
                self.report(keyNode, file, "a key must be a string")
                continue
            }
            let key = path.isEmpty ? name : "\(path).\(name)"
            if let setting = Setting.all.first(where: { $0.key == key }) {
                self.read(value, as: setting, file: file)
            } else if let setting = Setting.all.first(where: { $0.formerKey == key }) {
                self.readFormer(value, as: setting, named: keyNode, file: file)
            } else if key == "kafka" {
                self.readKafka(value, path: "", file: file)
            } else if key == "intents" {
                self.readIntents(value, file: file)
            } else if Setting.all.contains(where: { $0.key.hasPrefix(key + ".") }) {
                if !Self.isNull(value) { self.read(value, path: key, file: file) }
            } else {
                self.report(keyNode, file, "unknown setting \(ShownText.of(key))\(Self.hint(key))")
            }
        }
    }

    /// Reads a setting by its former key; both keys in one file are a problem.
    private mutating func readFormer(_ node: Node, as setting: Setting, named keyNode: Node, file: String) {
        if Self.isNull(node) { return }
        let key = setting.formerKey ?? setting.key
        if self.configuration.values[setting.key] != nil {
            return self.report(
                keyNode,
                file,
                "\(key) is the former name of \(setting.key), which is set too: remove it"
            )
        }
        let origin = ValueOrigin.file(file, line: YAMLFile.line(of: keyNode))
        self.configuration.warnings.append("\(origin): \(key) is deprecated; use \(setting.key)")
        self.read(node, as: setting, file: file)
    }

    private static func hint(_ key: String) -> String {
        // In a section the misspelt part is the last one: the whole key is near to many others.
        if let dot = key.lastIndex(of: ".") {
            let section = key[...dot]
            let names = Setting.all.map(\.key).filter { $0.hasPrefix(section) }
                .map { String($0.dropFirst(section.count)) }
            let found = NearMiss.find(String(key[dot...].dropFirst()), among: names)
            if !found.isEmpty { return NearMiss.hint(key, among: found.map { section + $0 }) }
        }
        let sections = Set(Setting.all.compactMap { $0.key.split(separator: ".").dropLast().first.map(String.init) })
        return NearMiss.hint(key, among: Setting.all.map(\.key) + sections.sorted() + ["kafka", "intents"])
    }

    private mutating func read(_ node: Node, as setting: Setting, file: String) {
        if Self.isNull(node) { return }
        var value: SettingValue?
        let elementType = if case .list(let type) = setting.type { type } else { setting.type }
        if let text = setting.type.isList ? node.scalar?.string : Self.text(of: node, in: elementType) {
            value = setting.type.read(text)
        } else if let elements = node.sequence?.map({ Self.text(of: $0, in: elementType) }) {
            let texts = elements.compactMap(\.self)
            // An empty list is one that nothing has been added to yet.
            if setting.type.isList, elements.isEmpty { value = .list([]) }
            if value == nil, texts.count == elements.count { value = setting.type.read(texts) }
        }
        guard let value else {
            let isElementWrong = setting.type.isList && node.sequence != nil
            let found =
                node.scalar.map { setting.type.shown($0.string) }
                ?? (isElementWrong ? "the given value" : Self.kind(of: node))
            self.report(node, file, "\(setting.key) must be \(setting.type.expectation), not \(found)")
            return
        }
        self.configuration.values[setting.key] = .init(value: value, origin: .file(file, line: YAMLFile.line(of: node)))
    }

    /// The text of a value, or of an element of a list; of a secret's source also `{env: NAME}` and `{file: PATH}`.
    private static func text(of node: Node, in type: SettingType) -> String? {
        guard type == .secretSource, let members = node.mapping, members.count == 1,
            let (key, value) = members.first, let kind = key.scalar?.string, let source = value.scalar?.string
        else { return node.scalar?.string }
        return "\(kind):\(source)"
    }

    private mutating func readIntents(_ node: Node, file: String) {
        if Self.isNull(node) { return }
        guard let mapping = node.mapping else {
            self.report(node, file, "intents must be a mapping of intent names to settings")
            return
        }
        let policies = ConfirmationPolicy.allCases.map(\.rawValue)
        for (nameNode, settings) in mapping where !self.isFull {
            let name = nameNode.scalar?.string ?? ""
            guard let members = settings.mapping else {
                self.report(
                    settings,
                    file,
                    "intents.\(ShownText.of(name)) must be a mapping, such as {confirmation: always}"
                )
                continue
            }
            for (keyNode, value) in members {
                let key = keyNode.scalar?.string ?? ""
                guard key == "confirmation" else {
                    let hint = NearMiss.hint(key, among: ["confirmation"])
                    self.report(
                        keyNode,
                        file,
                        "unknown setting intents.\(ShownText.of(name)).\(ShownText.of(key))\(hint)"
                    )
                    continue
                }
                guard let policy = value.scalar.flatMap({ ConfirmationPolicy(rawValue: $0.string) }) else {
                    let found = value.scalar.map { "\"\(ShownText.of($0.string))\"" } ?? Self.kind(of: value)
                    let expected = policies.joined(separator: " or ")
                    self.report(
                        value,
                        file,
                        "intents.\(ShownText.of(name)).confirmation must be \(expected), not \(found)"
                    )
                    continue
                }
                let origin = ValueOrigin.file(file, line: YAMLFile.line(of: value))
                self.configuration.confirmations[name] = .init(value: policy, origin: origin)
            }
        }
    }

    private mutating func readKafka(_ node: Node, path: String, file: String) {
        if Self.isNull(node) { return }
        guard let mapping = node.mapping else {
            self.report(node, file, "kafka must be a mapping of librdkafka properties to values")
            return
        }
        for (keyNode, value) in mapping where !self.isFull {
            let name = keyNode.scalar?.string ?? ""
            let property = path.isEmpty ? name : "\(path).\(name)"
            let origin = ValueOrigin.file(file, line: YAMLFile.line(of: value))
            if let text = value.scalar?.string {
                self.add(KafkaProperty(name: property, value: text, source: .literal, origin: origin))
            } else if let reference = value.mapping, reference.count == 1,
                let (kind, source) = reference.first.map({ ($0.key.scalar?.string, $0.value.scalar?.string) }),
                let source, kind == "env" || kind == "file"
            {
                self.addSecret(property, from: kind == "env" ? .environment(source) : .file(source), origin: origin)
            } else if value.mapping != nil {
                self.readKafka(value, path: property, file: file)
            } else {
                self.report(
                    value,
                    file,
                    "kafka.\(ShownText.of(property)) must be a string, {env: NAME} or {file: PATH}"
                )
            }
        }
    }

    private mutating func add(_ property: KafkaProperty) {
        if let objection = KafkaLog.objection(to: property.name, value: property.value) {
            let names = KafkaLog.propertyNames
            let hint = names.contains(property.name) ? "" : NearMiss.hint(property.name, among: names)
            let message = "kafka.\(ShownText.of(property.name)) \(objection)\(hint)"
            return self.problems.append(ConfigurationProblem(origin: property.origin, message: message))
        }
        self.configuration.kafka[property.name] = property
    }

    private mutating func addSecret(_ name: String, from source: KafkaProperty.Source, origin: ValueOrigin) {
        var value: String?
        switch source {
        case .environment(let variable):
            value = self.environment[variable]
            if value == nil {
                let message =
                    "kafka.\(ShownText.of(name)) comes from the environment variable \(ShownText.of(variable)), which is not set"
                self.problems.append(ConfigurationProblem(origin: origin, message: message))
            }
        case .file(let path):
            do {
                value = try InputFile.text(of: path)
                if value?.last?.isNewline == true { value?.removeLast() }
            } catch {
                let message = "kafka.\(ShownText.of(name)) comes from a file: \(error.message)"
                self.problems.append(ConfigurationProblem(origin: origin, message: message))
            }
        case .literal: break
        }
        if let value { self.add(KafkaProperty(name: name, value: value, source: source, origin: origin)) }
    }

    private mutating func report(_ node: Node, _ file: String, _ message: String) {
        let origin = ValueOrigin.file(file, line: YAMLFile.line(of: node))
        self.problems.append(ConfigurationProblem(origin: origin, message: message))
    }

    private static func isNull(_ node: Node) -> Bool {
        guard let scalar = node.scalar, scalar.style == .plain || scalar.style == .any else { return false }
        return ["", "~", "null"].contains(scalar.string)
    }

    private static func kind(of node: Node) -> String {
        switch node {
        case .mapping: "a mapping"
        case .sequence: "a list"
        case .scalar: "a text"
        case .alias: "an alias"
        }
    }
}

extension ConfigurationReader {
    /// Variables that have intentd's prefix and are not settings.
    private static let otherPrefixes = ["INTENTD_TEST_", "INTENTD_KAFKA_"]

    mutating func readEnvironment() {
        for (name, text) in self.environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix("INTENTD_") && !text.isEmpty {
            if name.hasPrefix("INTENTD_KAFKA_") {
                let property = name.dropFirst("INTENTD_KAFKA_".count).lowercased().replacing("_", with: ".")
                self.add(
                    KafkaProperty(name: property, value: text, source: .environment(name), origin: .environment(name))
                )
            } else if let setting = Setting.all.first(where: {
                $0.environmentName == name || $0.formerEnvironmentName == name
            }) {
                if setting.environmentName != name {
                    // The current name wins where both are set.
                    if self.environment[setting.environmentName]?.isEmpty == false { continue }
                    self.configuration.warnings.append("\(name) is deprecated; use \(setting.environmentName)")
                }
                guard let value = setting.type.read(text) else {
                    self.report(name, "must be \(setting.type.expectation), not \(setting.type.shown(text))")
                    continue
                }
                self.configuration.values[setting.key] = .init(value: value, origin: .environment(name))
            } else if name != "INTENTD_CONFIG", !Self.otherPrefixes.contains(where: name.hasPrefix) {
                self.report(name, "is not a setting\(NearMiss.hint(name, among: Setting.all.map(\.environmentName)))")
            }
        }
    }

    private mutating func report(_ name: String, _ message: String) {
        self.problems.append(ConfigurationProblem(origin: .environment(name), message: message))
    }
}

/// A problem in the configuration: where it is, and what would be right.
struct ConfigurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    var origin: ValueOrigin
    /// What is wrong, and what would be right.
    var message: String

    var description: String { "\(self.origin): \(self.message)" }
}
