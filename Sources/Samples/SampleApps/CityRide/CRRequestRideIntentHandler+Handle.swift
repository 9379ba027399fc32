import Foundation
public import IntentKit
public import SiriKitIntents

extension CRRequestRideIntentHandler {
    /// Checks that the ride is available, and describes it with its price: the user says yes to that (behaviours 35,
    /// 44, 45).
    ///
    /// Nothing in the description changes with the clock alone: the user is asked again only when something has changed
    /// (R29).
    public func confirm(
        intent: INRequestRideIntent,
        context: TurnContext
    ) async throws -> INRequestRideIntentResponse {
        guard context.user.isAuthenticated else { return .authenticationRequired() }
        let order: Order
        switch try await self.order(of: intent, context) {
        case .success(let possible): order = possible
        case .failure(let refusal): return INRequestRideIntentResponse(refusal)
        }
        let trip = order.trip
        let now = context.now
        let offers = try await context.read("offers") { try CityRide.offers(for: trip, at: now, in: $0) }
        guard let offer = offers.first(where: { $0.tariff.identifier == order.option }) else {
            return INRequestRideIntentResponse(Self.noVehicle)
        }
        var response = INRequestRideIntentResponse(code: .ready, requiresUserConfirmation: true)
        response.rideStatus = INRideStatus(
            phase: .unknown,
            scheduledPickupTime: intent.scheduledPickupTime,
            pickupLocation: trip.pickup,
            dropOffLocation: trip.dropOff,
            rideOption: offer.option(order.terms.currencyCode, isDated: false)
        )
        response.details["fare"] = offer.fare.amount(order.terms.currencyCode)?.json
        response.details["partySize"] = trip.partySize.json
        response.details["paymentMethod"] = order.paymentMethod.json
        response.details["timeToPickup"] = trip.pickupDate == nil ? offer.approachText : nil
        return response
    }

    /// Books the ride with the nearest vehicle that is free at this moment, at the agreed price or less.
    public func handle(
        intent: INRequestRideIntent,
        context: TurnContext
    ) async throws -> INRequestRideIntentResponse {
        let order: Order
        switch try await self.order(of: intent, context) {
        case .success(let possible): order = possible
        case .failure(let refusal): return INRequestRideIntentResponse(refusal)
        }
        let book = RideBook(of: context.user.id)
        let identifier = context.makeIdentifier()
        let interaction = context.interactionID
        let now = context.now
        let ride = try await context.effect("requestRide") { store -> Ride? in
            let offers = try CityRide.offers(for: order.trip, at: now, isAgreed: true, in: store)
            guard let offer = offers.first(where: { $0.tariff.identifier == order.option }) else { return nil }
            let ride = Ride(
                identifier: identifier,
                interaction: interaction,
                option: offer.tariff.identifier,
                optionName: offer.tariff.name,
                pickup: order.trip.pickup,
                dropOff: order.trip.dropOff,
                partySize: order.trip.partySize,
                paymentMethod: order.paymentMethod,
                fare: offer.fare,
                currencyCode: order.terms.currencyCode,
                vehicle: offer.vehicle,
                requestedAt: now,
                scheduledFor: intent.scheduledPickupTime,
                schedule: offer.schedule
            )
            try book.add(ride, in: store)
            return try book.ride(identifier, in: store)
        }
        guard let ride else { return INRequestRideIntentResponse(Self.noVehicle) }
        return self.response(on: ride, at: now)
    }
}

extension CRRequestRideIntentHandler {
    /// Reports the progress of the ride, until it is over.
    public func statusUpdate(
        for intent: INRequestRideIntent,
        context: TurnContext
    ) async throws -> StatusUpdate<INRequestRideIntent> {
        let book = RideBook(of: context.user.id)
        let interaction = context.interactionID
        let ride = try await context.read("ride") { try book.ride(ofInteraction: interaction, in: $0) }
        guard let ride else { return StatusUpdate(IntentResponse(code: .failure), isLast: true) }
        return StatusUpdate(
            self.response(on: ride, at: context.now),
            isLast: ride.phase(at: context.now) == .completed
        )
    }

    /// The full response about a ride that was booked.
    private func response(on ride: Ride, at time: Date) -> INRequestRideIntentResponse {
        var response = INRequestRideIntentResponse(code: .success)
        response.rideStatus = ride.status(at: time)
        response.details["fare"] = ride.fare.amount(ride.currencyCode)?.json
        response.details["partySize"] = ride.partySize.json
        response.details["paymentMethod"] = ride.paymentMethod.json
        return response
    }
}
