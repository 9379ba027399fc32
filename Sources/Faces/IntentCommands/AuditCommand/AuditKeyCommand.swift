import ArgumentParser
import IntentOperations
import IntentRuntime

/// `intentd audit key`: prints the public half of the key that signs anchors, or makes the key.
struct AuditKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Print the public key that verifies signed anchors, or create a key pair.",
        discussion: """
            The private key is in the file that audit.keyFile or --file names; only its owner may read it. Give auditors \
            the public key through a different channel than the anchors. They pass it to `intentd audit verify \
            --public-key`.
            """
    )

    @Flag(help: "Create a new key; the file must not exist.")
    var make = false

    @Option(help: ArgumentHelp("The private key's file. (default: audit.keyFile)", valueName: "file"))
    var file: String?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let more = self.file.map { [(Setting.auditKeyFile, "--file", SettingValue.text($0))] } ?? []
        let configuration = try self.common.load(more: more)
        guard let file = SigningKeyFile(configuration) else {
            throw OperationError(
                .usage,
                "name the private key's file with --file, or with audit.keyFile (configuration)"
            )
        }
        StandardOutput.print((self.make ? try file.make() : try file.read()).publicKey.description)
    }
}
