import IntentKit

extension CityRide {
    /// The largest number of places that a name may mean.
    private static let maximumMatches = 20

    /// The places that a name means: the user's own of that name, else that of everybody; if there is none, those of
    /// everybody that have all of its words.
    ///
    /// Case, accents and spacing make no difference (R25). A place with coordinates means itself.
    static func places(
        matching place: Placemark,
        of userID: String?,
        in store: any StoreTransaction
    ) throws -> [Placemark] {
        if place.coordinate != nil { return [place] }
        let key = JSONValue.string(place.name.matchingKey)
        for owner in [userID, ""].compactMap({ $0 }) {
            let exact = try Self.places("user_id = ? AND name_key = ?", [.string(owner), key], in: store)
            if !exact.isEmpty { return exact }
        }
        let words = place.name.matchingWords
        guard !words.isEmpty else { return [] }
        return try Self.places("user_id = ''", [], in: store).filter { $0.name.matchingWords.isSuperset(of: words) }
            .prefix(Self.maximumMatches).map { $0 }
    }

    private static func places(
        _ condition: String,
        _ arguments: [JSONValue],
        in store: any StoreTransaction
    ) throws -> [Placemark] {
        try store.query(
            "SELECT name, latitude, longitude FROM ride_places WHERE \(condition) ORDER BY name LIMIT 1000",
            arguments
        )
        .compactMap { Placemark(json: .object($0)) }
    }
}
