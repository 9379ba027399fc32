import ArgumentParser
import Foundation
import IntentOperations
import Logging

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration file. (default: config/intentd.yaml)", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("The directory for this machine's files. (default: var)", valueName: "dir"))
    var data: String?

    @Option(help: "The prefix of topic names. (default: intents)")
    var prefix: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Files of declared intents besides config/intents.", valueName: "file")
    )
    var definitions: [String] = []

    @Flag(help: "Include the sample apps.")
    var samples = false

    @Option(
        help: ArgumentHelp("trace, debug, info, notice, warning, error, critical.", valueName: "level"),
        transform: Self.level
    )
    var logLevel: String?

    @Option(
        help: ArgumentHelp("The log format: text or json. (default: text)", valueName: "format"),
        transform: Self.format
    )
    var logFormat: String?

    private static func format(_ text: String) throws -> String {
        guard Setting.logFormat.type.read(text) != nil else {
            throw ValidationError("unknown log format '\(text)': use \(Setting.logFormat.type.expectation)")
        }
        return text
    }

    private static func level(_ text: String) throws -> String {
        guard Logger.Level(rawValue: text) != nil else {
            throw ValidationError("unknown log level '\(text)': use \(Setting.logLevel.type.expectation)")
        }
        return text
    }

    func validate() throws {
        if let prefix { try Self.check(prefix, Setting.prefix.type, "--prefix") }
        if let data { try Self.check(data, Setting.data.type, "--data") }
        for path in self.definitions { try Self.check(path, .path, "--definitions") }
    }

    private static func check(_ text: String, _ type: SettingType, _ option: String) throws {
        guard type.read(text) != nil else {
            throw ValidationError("\(option) must be \(type.expectation), not \(type.shown(text))")
        }
    }

    /// The effective configuration.
    ///
    /// - Parameters:
    ///   - brokers: The command's brokers, if it has the option.
    ///   - more: The settings of the command's other options.
    ///   - level: The log level unless configured.
    ///   - warns: Whether warnings are reported.
    /// - Returns: The configuration, without problems.
    /// - Throws: ``OperationError``.
    func load(
        brokers: BrokersOption? = nil,
        more: [(setting: Setting, option: String, value: SettingValue)] = [],
        level: Logger.Level = .warning,
        warns: Bool = true
    ) throws(OperationError) -> Configuration {
        var options = more
        if let data { options.append((.data, "--data", .text(data))) }
        if let prefix { options.append((.prefix, "--prefix", .text(prefix))) }
        if let logLevel { options.append((.logLevel, "--log-level", .text(logLevel))) }
        if let logFormat { options.append((.logFormat, "--log-format", .text(logFormat))) }
        if !self.definitions.isEmpty { options.append((.definitions, "--definitions", .list(self.definitions))) }
        if self.samples { options.append((.samples, "--samples", .text("true"))) }
        if let brokers, !brokers.brokers.isEmpty { options.append((.brokers, "--brokers", .list(brokers.brokers))) }
        var configuration = try ConfigurationReader.read(
            file: self.config,
            environment: ProcessInfo.processInfo.environment,
            options: options
        )
        configuration.defaultLogLevel = level
        if warns {
            for warning in configuration.warnings { StandardError.report("warning: \(warning)") }
        }
        return configuration
    }
}
