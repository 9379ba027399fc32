import IntentCommands

#if PostgreSQL
import PostgreSQLLedger
#endif

/// The program `intentd`: with the intents that files declare and, where configured, the sample apps.
@main
enum Intentd {
    static func main() async {
        #if PostgreSQL
        await IntentdCommand.main(ledger: .postgreSQL)
        #else
        await IntentdCommand.main()
        #endif
    }
}
