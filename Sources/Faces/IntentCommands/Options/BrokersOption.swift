import ArgumentParser
import IntentOperations

/// The Kafka that a command works on.
struct BrokersOption: ParsableArguments {
    @Option(
        name: .customLong("brokers"),
        help: ArgumentHelp(
            "Kafka brokers. (default: the embedded broker)",
            valueName: "host:port,…"
        )
    )
    private var text: String?

    /// The addresses; empty for the embedded broker.
    var brokers: [String] { Self.addresses(in: self.text ?? "") }

    func validate() throws {
        guard let text else { return }
        let addresses = Self.addresses(in: text)
        guard !addresses.isEmpty else { throw ValidationError("--brokers needs at least one HOST:PORT") }
        for address in addresses where BrokerAddress(address) == nil {
            throw ValidationError("--brokers: '\(address)' is not HOST:PORT, such as localhost:9092")
        }
    }

    private static func addresses(in text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }.filter { !$0.isEmpty }.map(String.init)
    }
}
