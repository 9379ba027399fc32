import IntentCommands
import IntentKit
import SampleApps

#if PostgreSQL
import PostgreSQLLedger
#endif

/// The program `intentd`: with the intents that files declare and, where configured, the sample apps.
@main
enum Intentd {
    static func main() async {
        #if PostgreSQL
        let ledger: LedgerSource? = .postgreSQL
        #else
        let ledger: LedgerSource? = nil
        #endif
        await IntentdCommand.main(
            samples: SampleMessagesApp.allSampleApps,
            samplePresentation: IntentUIExtension.sampleApps(),
            demonstration: .sampleApps,
            ledger: ledger
        )
    }
}
