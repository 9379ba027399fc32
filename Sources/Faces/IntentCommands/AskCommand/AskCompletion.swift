import Foundation
import IntentKit
import IntentOperations

/// The shell completions of `ask`: intents, and their parameters with values.
enum AskCompletion {
    @Sendable static func intents(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        Self.registry(words)?.intentNames.sorted() ?? []
    }

    /// `parameter=` of the intent among the words, or `parameter=value` where values are known.
    ///
    /// Values with spaces are left out: shells split them.
    @Sendable static func values(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        guard let registry = Self.registry(words),
            let registration = words.lazy.compactMap({ registry[$0]?.registration }).first
        else { return [] }
        let answers = TypedAnswer(parameters: registration.parameters, constraints: registration.constraints)
        return answers.completion([:]).corrections
            .flatMap { name, values in
                let whole = values.filter { !$0.contains(where: \.isWhitespace) }
                return whole.isEmpty ? ["\(name)="] : whole.map { "\(name)=\($0)" }
            }
    }

    /// The intents of the configuration that the words name; nil when it cannot be read.
    private static func registry(_ words: [String]) -> IntentRegistry? {
        func value(of option: String) -> String? {
            words.firstIndex(of: option).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
        }
        var options: [(setting: Setting, option: String, value: SettingValue)] = []
        if words.contains("--samples") { options.append((.samples, "--samples", .text("true"))) }
        if let file = value(of: "--definitions") { options.append((.definitions, "--definitions", .list([file]))) }
        let configuration = try? ConfigurationReader.read(
            file: value(of: "--config"),
            environment: ProcessInfo.processInfo.environment,
            options: options
        )
        return configuration.flatMap { try? IntentSet($0) }?.registry
    }
}
