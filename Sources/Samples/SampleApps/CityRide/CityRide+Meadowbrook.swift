public import IntentKit
import SiriKitIntents

extension CityRide {
    /// The city with which the service begins: an area, fares, places that everybody knows, and vehicles.
    static let meadowbrook = StoreMigration(
        "rides/meadowbrook",
        sql: """
            INSERT INTO ride_area_corners (area, position, latitude, longitude) VALUES
                ('Meadowbrook', 0, 49.95, 14.3),
                ('Meadowbrook', 1, 49.95, 14.5),
                ('Meadowbrook', 2, 50.0, 14.52),
                ('Meadowbrook', 3, 50.05, 14.5),
                ('Meadowbrook', 4, 50.05, 14.3),
                ('Meadowbrook', 5, 50.01, 14.28);
            INSERT INTO ride_tariffs (identifier, name, seats, base, per_kilometer, minimum, speed, disclaimer) VALUES
                ('economy', 'Economy', 4, 250, 110, 500, 30, NULL),
                ('comfort', 'Comfort', 4, 400, 160, 800, 30, NULL),
                ('van', 'Van', 6, 500, 190, 1000, 27, 'Room for six people or a lot of luggage.');
            INSERT INTO ride_places (user_id, name_key, name, latitude, longitude) VALUES
                ('', 'centralstation', 'Central Station', 50.0, 14.4),
                ('', 'northstation', 'North Station', 50.04, 14.41),
                ('', 'airport', 'Airport', 50.03, 14.32),
                ('', 'opera', 'Opera', 49.99, 14.42),
                ('', 'oldmill', 'Old Mill', 50.01, 14.39),
                ('', 'castlehill', 'Castle Hill', 50.005, 14.38),
                ('', 'university', 'University', 49.975, 14.45),
                ('', 'lakesideresort', 'Lakeside Resort', 50.2, 14.6);
            INSERT INTO ride_vehicles (identifier, option, registration_plate, manufacturer, model, driver_name, driver_rating,
                driver_phone, latitude, longitude) VALUES
                ('economy-1', 'economy', 'MB 101', 'Skoda', 'Fabia', 'Ada', '4.7', '+1 555 1000', 49.9877, 14.3511),
                ('economy-2', 'economy', 'MB 108', 'Renault', 'Zoe', 'Bela', '4.9', '+1 555 1001', 49.9701, 14.405),
                ('economy-3', 'economy', 'MB 115', 'Toyota', 'Yaris', 'Cyril', '4.8', '+1 555 1002', 50.0058, 14.4574),
                ('economy-4', 'economy', 'MB 122', 'Kia', 'Niro', 'Dora', '4.7', '+1 555 1003', 49.9676, 14.3907),
                ('economy-5', 'economy', 'MB 129', 'Skoda', 'Fabia', 'Emil', '4.7', '+1 555 1004', 49.9818, 14.4071),
                ('economy-6', 'economy', 'MB 136', 'Renault', 'Zoe', 'Flora', '4.8', '+1 555 1005', 50.0229, 14.3473),
                ('economy-7', 'economy', 'MB 143', 'Toyota', 'Yaris', 'Gustav', '4.7', '+1 555 1006', 50.0091, 14.4116),
                ('economy-8', 'economy', 'MB 150', 'Kia', 'Niro', 'Hana', '4.8', '+1 555 1007', 50.0054, 14.3855),
                ('economy-9', 'economy', 'MB 157', 'Skoda', 'Fabia', 'Ivan', '4.9', '+1 555 1008', 49.9683, 14.4502),
                ('economy-10', 'economy', 'MB 164', 'Renault', 'Zoe', 'Jana', '4.9', '+1 555 1009', 49.9943, 14.4057),
                ('comfort-1', 'comfort', 'MB 171', 'Tesla', 'Model 3', 'Karel', '4.7', '+1 555 1010', 50.0042, 14.4255),
                ('comfort-2', 'comfort', 'MB 178', 'Volvo', 'S60', 'Lena', '4.9', '+1 555 1011', 50.0057, 14.4194),
                ('comfort-3', 'comfort', 'MB 185', 'Tesla', 'Model 3', 'Milos', '4.7', '+1 555 1012', 49.9718, 14.4297),
                ('comfort-4', 'comfort', 'MB 192', 'Volvo', 'S60', 'Nora', '5.0', '+1 555 1013', 50.0083, 14.3995),
                ('comfort-5', 'comfort', 'MB 199', 'Tesla', 'Model 3', 'Otto', '5.0', '+1 555 1014', 50.0194, 14.3952),
                ('comfort-6', 'comfort', 'MB 206', 'Volvo', 'S60', 'Petra', '4.8', '+1 555 1015', 49.9903, 14.3648),
                ('van-1', 'van', 'MB 213', 'Ford', 'Tourneo', 'Radim', '4.9', '+1 555 1016', 50.0139, 14.3642),
                ('van-2', 'van', 'MB 220', 'VW', 'Multivan', 'Sofie', '5.0', '+1 555 1017', 50.0018, 14.4525),
                ('van-3', 'van', 'MB 227', 'Ford', 'Tourneo', 'Tomas', '4.7', '+1 555 1018', 49.9852, 14.4672),
                ('van-4', 'van', 'MB 234', 'VW', 'Multivan', 'Vera', '4.9', '+1 555 1019', 50.0008, 14.3531);
            """
    )

    /// Gives a user of a demo or a test a home, a place to work and a card, and the service its usual terms.
    ///
    /// When it runs again, it resets everything to this state and deletes the user's rides.
    /// - Throws: What the store throws.
    public static func addDemoData(for userID: String, in store: any StoreTransaction) throws {
        try Self.setTerms(RideTerms(), in: store)
        try Self.setAccount(of: userID, .active, in: store)
        try store.execute("DELETE FROM rides WHERE user_id = ?", [.string(userID)])
        try store.execute("DELETE FROM ride_surges", [])
        try Self.add(Placemark(name: "Home", latitude: 49.985, longitude: 14.37), of: userID, in: store)
        try Self.add(Placemark(name: "Work", latitude: 50.015, longitude: 14.46), of: userID, in: store)
        try Self.setPaymentMethods(
            of: userID,
            [
                INPaymentMethod(type: .credit, name: "Meadow Card", identificationHint: "4711"),
                INPaymentMethod(type: .debit, name: "Family Account", identificationHint: "0815"),
            ],
            in: store
        )
    }
}
