public import IntentKit

public struct INCancelRideIntent: Intent {
    public static let title: LocalizedText? = ["en": "Cancel a ride", "de": "Fahrt absagen"]

    public enum Code: String, IntentResponseCode {
        /// No code was given.
        case unspecified
        /// The intent can be handled.
        case ready
        case success
        case failure
    }

    /// The service's identifier of the ride; without one, the ride that it can be about.
    @Parameter(
        title: ["en": "ride", "de": "Fahrt"],
        prompt: ["en": "Which ride do you want to cancel?", "de": "Welche Fahrt möchtest du absagen?"]
    )
    public var rideIdentifier: String?

    public init() {}
}

public typealias INCancelRideIntentResponse = IntentResponse<INCancelRideIntent>

extension INCancelRideIntentResponse {
    /// What it costs to cancel now; none while it is free; kept in the response's details under the same name.
    public var cancellationFee: INCurrencyAmount? {
        get { self.details["cancellationFee"].flatMap(INCurrencyAmount.init(json:)) }
        set { self.details["cancellationFee"] = newValue?.json }
    }

    /// From when on cancelling costs something; kept in the response's details under the same name.
    public var cancellationFeeThreshold: OffsetDateTime? {
        get { self.details["cancellationFeeThreshold"].flatMap(OffsetDateTime.init(json:)) }
        set { self.details["cancellationFeeThreshold"] = newValue?.json }
    }
}
