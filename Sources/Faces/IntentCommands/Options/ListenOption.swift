import ArgumentParser
import IntentOperations

/// The address on which an embedded broker listens.
struct ListenOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Listen address of the embedded broker. (default: 127.0.0.1 and a free port)",
            valueName: "host:port"
        ),
        transform: Self.address
    )
    var listen: BrokerAddress?

    /// Reads an address, or explains its form.
    static func address(_ text: String) throws -> BrokerAddress {
        guard let address = BrokerAddress(text) else {
            throw ValidationError("'\(text)' is not HOST:PORT, such as 127.0.0.1:9092")
        }
        return address
    }
}
