import Foundation
import IntentKit

/// An appointment as it is in the book.
struct Appointment: Codable, Hashable, Sendable {
    var id: String
    var pet: String
    var service: String
    var start: Date
}

/// Somebody else has taken that time.
struct TimeTaken: Error {}

/// The practice's book, inside a transaction.
struct Practice {
    /// The zone of its clocks, wherever the user is.
    static let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

    static let migrations = [
        StoreMigration(
            "vet/1",
            sql: """
                CREATE TABLE pets (
                    user_id TEXT NOT NULL, identifier TEXT NOT NULL, name TEXT NOT NULL, breed TEXT,
                    PRIMARY KEY (user_id, identifier)
                );
                CREATE TABLE appointments (
                    start INTEGER PRIMARY KEY, id TEXT NOT NULL, user_id TEXT NOT NULL, pet TEXT NOT NULL,
                    service TEXT NOT NULL
                );
                CREATE TABLE notes (user_id TEXT NOT NULL, pet TEXT NOT NULL, answer TEXT NOT NULL)
                """
        )
    ]

    private let store: any StoreTransaction

    init(_ store: any StoreTransaction) {
        self.store = store
    }

    /// The half hours of a day from nine to five, on the practice's clocks.
    static func times(on day: Date) -> [Date] {
        let nine = day.at(hour: 9, in: Self.zone)
        return (0..<16).map { nine.addingTimeInterval(Double($0) * 1_800) }
    }

    static func doctor(at time: Date) -> String {
        (Self.times(on: time).firstIndex(of: time) ?? 0).isMultiple(of: 2) ? "Dr. Marx" : "Dr. Lee"
    }

    func pets(of user: String) throws -> [Pet] {
        try self.store.query(
            "SELECT identifier, name, breed FROM pets WHERE user_id = $1 ORDER BY identifier",
            [.string(user)],
            as: Pet.self
        )
    }

    /// The times of a day that nobody has taken.
    func free(on day: Date) throws -> [Date] {
        let taken = try Set(self.store.query("SELECT start FROM appointments", [], as: Int64.self))
        return Self.times(on: day).filter { !taken.contains($0.seconds) }
    }

    func book(_ appointment: Appointment, for user: String) throws {
        let count = try self.store.execute(
            """
            INSERT INTO appointments (start, id, user_id, pet, service) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (start) DO NOTHING
            """,
            [
                .integer(appointment.start.seconds), .string(appointment.id), .string(user), .string(appointment.pet),
                .string(appointment.service),
            ]
        )
        guard count == 1 else { throw TimeTaken() }
    }

    func cancel(_ appointment: Appointment) throws {
        try self.store.execute("DELETE FROM appointments WHERE id = $1", [.string(appointment.id)])
    }

    func note(_ answer: String, about pet: String, of user: String) throws {
        try self.store.execute(
            "INSERT INTO notes (user_id, pet, answer) VALUES ($1, $2, $3)",
            [.string(user), .string(pet), .string(answer)]
        )
    }

    /// The pets of demos and tests; Zoe has none.
    static func addDemoData(for user: String, in store: any StoreTransaction) throws {
        let pets = [("p-1", "Bello", "Dachshund"), ("p-2", "Bello", "Poodle"), ("p-3", "Minka", "Tabby cat")]
        for (identifier, name, breed) in pets where user != "zoe" {
            try store.execute(
                "INSERT INTO pets (user_id, identifier, name, breed) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
                [.string(user), .string(identifier), .string(name), .string(breed)]
            )
        }
    }
}
