public import IntentKit

/// The CityRide extension: lists and requests rides in one city, reports their status, cancels them, and accepts users'
/// feedback on them.
public enum RidesExtension {
    /// Creates the extension.
    ///
    /// - Parameters:
    ///   - hasCity: Whether the service begins with the demo's city, Meadowbrook; without it, set up a city of your own
    ///     through ``CityRide``.
    ///   - statusUpdates: The interval of status updates about the ride's position, until it ends.
    /// - Returns: The extension, with the tables that it needs.
    public static func make(
        hasCity: Bool = true,
        statusUpdates: StatusUpdates = StatusUpdates(every: .seconds(15), for: .seconds(24 * 3_600))
    ) -> IntentExtension {
        IntentExtension(
            "CityRide",
            migrations: Self.migrations + (hasCity ? [CityRide.meadowbrook] : []),
            addDemoData: hasCity ? CityRide.addDemoData(for:in:) : nil
        ) {
            IntentRegistration(confirmation: .never, isReadOnly: true) { CRListRideOptionsIntentHandler() }
            IntentRegistration(isFinancial: true) { CRRequestRideIntentHandler(statusUpdates: statusUpdates) }
            IntentRegistration(confirmation: .never, isReadOnly: true) {
                CRGetRideStatusIntentHandler(statusUpdates: statusUpdates)
            }
            IntentRegistration(isFinancial: true) { CRCancelRideIntentHandler() }
            IntentRegistration(confirmation: .byHandler) { CRSendRideFeedbackIntentHandler() }
        }
    }

    static let migrations = [
        StoreMigration(
            "rides/1",
            sql: """
                CREATE TABLE ride_terms (
                    number INTEGER NOT NULL PRIMARY KEY CHECK (number = 1),
                    is_available INTEGER NOT NULL,
                    currency_code TEXT NOT NULL,
                    accepts_cash INTEGER NOT NULL,
                    demands_feedback INTEGER NOT NULL,
                    longest_notice REAL NOT NULL,
                    free_cancellation REAL NOT NULL,
                    cancellation_fee INTEGER NOT NULL,
                    price_guarantee REAL NOT NULL,
                    pace REAL NOT NULL CHECK (pace > 0)
                ) STRICT;
                CREATE TABLE ride_area_corners (
                    area TEXT NOT NULL,
                    position INTEGER NOT NULL,
                    latitude REAL NOT NULL,
                    longitude REAL NOT NULL,
                    PRIMARY KEY (area, position)
                ) STRICT;
                CREATE TABLE ride_tariffs (
                    identifier TEXT NOT NULL PRIMARY KEY,
                    name TEXT NOT NULL,
                    seats INTEGER NOT NULL,
                    base INTEGER NOT NULL,
                    per_kilometer INTEGER NOT NULL,
                    minimum INTEGER NOT NULL,
                    speed REAL NOT NULL CHECK (speed > 0),
                    disclaimer TEXT
                ) STRICT;
                CREATE TABLE ride_surges (
                    option TEXT NOT NULL,
                    since TEXT NOT NULL,
                    percent INTEGER NOT NULL,
                    PRIMARY KEY (option, since)
                ) STRICT;
                CREATE TABLE ride_vehicles (
                    identifier TEXT NOT NULL PRIMARY KEY,
                    option TEXT NOT NULL,
                    registration_plate TEXT NOT NULL,
                    manufacturer TEXT NOT NULL,
                    model TEXT NOT NULL,
                    driver_name TEXT NOT NULL,
                    driver_rating TEXT,
                    driver_phone TEXT,
                    latitude REAL NOT NULL,
                    longitude REAL NOT NULL
                ) STRICT;
                CREATE INDEX ride_vehicles_by_option ON ride_vehicles (option);
                CREATE TABLE ride_places (
                    user_id TEXT NOT NULL,
                    name_key TEXT NOT NULL,
                    name TEXT NOT NULL,
                    latitude REAL NOT NULL,
                    longitude REAL NOT NULL,
                    PRIMARY KEY (user_id, name_key)
                ) STRICT;
                CREATE TABLE ride_accounts (
                    user_id TEXT NOT NULL PRIMARY KEY,
                    state TEXT NOT NULL
                ) STRICT;
                CREATE TABLE ride_payment_methods (
                    user_id TEXT NOT NULL,
                    position INTEGER NOT NULL,
                    method TEXT NOT NULL,
                    PRIMARY KEY (user_id, position)
                ) STRICT;
                CREATE TABLE rides (
                    identifier TEXT NOT NULL PRIMARY KEY,
                    user_id TEXT NOT NULL,
                    interaction TEXT NOT NULL,
                    option TEXT NOT NULL,
                    option_name TEXT NOT NULL,
                    pickup_name TEXT NOT NULL,
                    pickup_latitude REAL,
                    pickup_longitude REAL,
                    drop_off_name TEXT NOT NULL,
                    drop_off_latitude REAL,
                    drop_off_longitude REAL,
                    party_size INTEGER NOT NULL,
                    payment_method TEXT NOT NULL,
                    fare INTEGER NOT NULL,
                    fare_percent INTEGER NOT NULL,
                    fare_parts TEXT NOT NULL,
                    currency_code TEXT NOT NULL,
                    vehicle TEXT NOT NULL,
                    requested_at TEXT NOT NULL,
                    scheduled_start TEXT,
                    scheduled_end TEXT,
                    confirmed_at TEXT NOT NULL,
                    approaching_at TEXT NOT NULL,
                    pickup_at TEXT NOT NULL,
                    departure_at TEXT NOT NULL,
                    arrival_at TEXT NOT NULL,
                    canceled_at TEXT,
                    cancellation_fee INTEGER,
                    rating INTEGER,
                    tip INTEGER,
                    feedback_at TEXT
                ) STRICT;
                CREATE INDEX rides_by_user ON rides (user_id, requested_at);
                CREATE INDEX rides_by_arrival ON rides (arrival_at) WHERE canceled_at IS NULL;
                """
        )
    ]
}
