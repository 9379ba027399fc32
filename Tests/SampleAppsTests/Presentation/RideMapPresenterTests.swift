import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Rides on a map (R38)")
struct RideMapPresenterTests {
    private let presenter = RideMapPresenter()
    private let station = Placemark(name: "Station <north>", latitude: 48.02, longitude: 11.0)
    private let harbour = Placemark(name: "Harbour", latitude: 48.0, longitude: 11.04)

    private func interaction(
        _ status: INIntentHandlingStatus,
        parameters: JSONObject,
        response: JSONObject = [:]
    ) -> PresentedInteraction {
        PresentedInteraction(
            identifier: "i1",
            userID: "u1",
            locale: "en-US",
            intent: IntentSnapshot(name: "INRequestRideIntent", parameters: parameters),
            code: nil,
            response: response,
            handlingStatus: status
        )
    }

    private var way: JSONObject {
        ["pickupLocation": self.station.json, "dropOffLocation": self.harbour.json]
    }

    @Test("A card draws the route to scale within its size (behaviours 88, 89, 90)")
    func drawsRouteToScaleWithinSize() throws {
        let asked = self.interaction(.userConfirmationRequired, parameters: self.way)
        let place = Presentation(context: .card, maximumSize: ViewSize(width: 248, height: 1_000))
        let view = try #require(self.presenter.view(of: asked, in: place))
        #expect(view.displays == [.map])
        #expect(view.desiredSize == ViewSize(width: 248, height: 240))
        #expect(view.html.text.contains("<h1>Station &lt;north&gt; → Harbour</h1>"))
        #expect(view.html.text.contains("not yet requested"))
        // 0.04° east are 0.0268° north here, so the width of 200 points is what limits the scale.
        #expect(view.html.text.contains("<circle class=\"pickup\" cx=\"24\" cy=\"45\" r=\"6\"/>"))
        #expect(view.html.text.contains("<circle class=\"drop-off\" cx=\"224\" cy=\"195\" r=\"6\"/>"))
    }

    @Test("The vehicle is on the map once there is one, and the text says the ride's phase (behaviours 51, 88)")
    func drawsVehicleAndPhase() throws {
        let ride: JSONValue = [
            "rideIdentifier": "r1", "phase": "approachingPickup", "pickupLocation": self.station.json,
            "dropOffLocation": self.harbour.json,
            "driver": ["displayName": "Ada & Bo"],
            "vehicle": [
                "location": ["name": "now", "latitude": 48.01, "longitude": 11.02], "registrationPlate": "M-X 1",
            ],
        ]
        let done = self.interaction(.success, parameters: [:], response: ["rideStatus": ride])
        let card = try #require(self.presenter.view(of: done, in: Presentation(context: .card)))
        #expect(card.html.text.contains("<circle class=\"vehicle\" cx=\"160\" cy=\"120\" r=\"6\"/>"))
        let snippet = try #require(self.presenter.view(of: done, in: Presentation()))
        #expect(snippet.html.text.contains("on the way to you, Ada &amp; Bo, M-X 1"))
        #expect(snippet.displays.isEmpty)
        #expect(!snippet.html.text.contains("<svg"))
    }

    @Test("Without places nothing is drawn; without coordinates there is no map (behaviour 90)")
    func drawsNothingWithoutPlaces() {
        let card = Presentation(context: .card)
        #expect(self.presenter.view(of: self.interaction(.ready, parameters: [:]), in: card) == nil)
        let named = self.interaction(.ready, parameters: ["pickupLocation": "Station", "dropOffLocation": "Harbour"])
        #expect(self.presenter.view(of: named, in: card) == nil)
        #expect(self.presenter.view(of: named, in: Presentation()) != nil)
    }
}
