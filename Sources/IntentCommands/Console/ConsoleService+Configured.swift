import IntentConsole

extension ConsoleService {
    /// Serves a console at the configured address.
    ///
    /// - Returns: nil when the configuration says `none`.
    /// - Throws: ``CommandFailure`` when the address is invalid (78), or is in use and not the usual one (69).
    static func start(_ source: ConsoleSource, _ configuration: Configuration) async throws -> ConsoleService? {
        let text = configuration.text(.consoleListen) ?? "none"
        guard text != "none" else { return nil }
        let origin = configuration.entry(.consoleListen)?.origin ?? .byDefault
        guard let address = BrokerAddress(text) else {
            throw CommandFailure(
                .configuration,
                "\(origin): console.listen must be HOST:PORT, such as \(Self.usualAddress), or none; it is \(text)"
            )
        }
        return try await Self.start(
            source,
            at: address,
            isUsual: text == Self.usualAddress,
            logger: configuration.logger("intentd.console")
        )
    }
}
