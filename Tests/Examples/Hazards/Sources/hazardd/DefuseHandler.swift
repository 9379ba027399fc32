import Foundation
import IntentKit

/// Cuts the wire; for users whose name begins with `killer`, the process ends then.
///
/// For those whose name begins with `blocker`, the thread is held for as many seconds as the variable `HAZARD_SECONDS` says.
struct DefuseHandler: IntentHandler {
    var handling: Handling<DefuseIntent> {
        Handle { intent, context in
            let user = context.user.id
            let arguments: [JSONValue] = [.string(user), .string(intent.wire ?? "red")]
            try await context.effect("cut") { store in
                try store.execute("INSERT INTO wires_cut (user_id, wire) VALUES (?, ?)", arguments)
            }
            guard !user.hasPrefix("killer") else { fatalError("the wrong wire") }
            if user.hasPrefix("blocker"),
                let seconds = ProcessInfo.processInfo.environment["HAZARD_SECONDS"].flatMap(TimeInterval.init)
            {
                usleep(useconds_t(seconds * 1_000_000))
            }
            return IntentResponse(code: .success)
        }
    }
}

extension IntentExtension {
    /// What can go wrong.
    static let hazards = IntentExtension(
        "Hazards",
        migrations: [
            StoreMigration("hazards/1", sql: "CREATE TABLE wires_cut (user_id TEXT NOT NULL, wire TEXT NOT NULL)"),
            StoreMigration(
                "hazards/2",
                sql: """
                    CREATE TABLE bookings (
                        interaction TEXT NOT NULL, part TEXT NOT NULL, token TEXT NOT NULL,
                        cancelled INTEGER NOT NULL DEFAULT 0
                    )
                    """
            ),
        ]
    ) {
        IntentRegistration(version: "1", confirmation: .never) { DefuseHandler() }
        IntentRegistration(version: "1", confirmation: .never) { BookTripHandler() }
        TourHandler.registration
    }
}
