import IntentConsole

extension ConsoleService {
    /// Serves a console at the configured address.
    ///
    /// - Returns: nil when the configuration says `none`.
    /// - Throws: ``CommandFailure`` (69) when the address is in use and not the usual one.
    static func start(_ source: ConsoleSource, _ configuration: Configuration) async throws -> ConsoleService? {
        guard let address = configuration.listenAddress(.consoleListen) else { return nil }
        return try await Self.start(
            source,
            at: address,
            isUsual: address == Self.usualAddress,
            logger: configuration.logger("intentd.console")
        )
    }
}
