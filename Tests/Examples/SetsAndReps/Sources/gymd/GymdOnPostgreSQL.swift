#if PostgreSQL
import IntentCommands
import PostgreSQLLedger
import SetsAndReps

/// The same, with ledgers at addresses such as `postgresql://gym@db.example/gym` as well.
@main
enum Gymd {
    static func main() async {
        await IntentdCommand.main(extensions: [.gym], ledger: .postgreSQL)
    }
}
#endif
