public import IntentKit

/// How a ride ended, and what is left to do.
public struct INRideCompletionStatus: ParameterValue, Codable {
    public var isCompleted: Bool
    /// Whether the ride was cancelled before that.
    public var isCanceled: Bool
    /// Whether something is still left to do.
    public var isOutstanding: Bool?
    /// What the user may say about it.
    public var feedbackType: INRideFeedbackTypeOptions?
    /// What was paid.
    public var paymentAmount: INCurrencyAmount?
    /// Tips to choose from.
    public var defaultTippingOptions: [INCurrencyAmount]?

    public init(
        isCompleted: Bool,
        isCanceled: Bool,
        isOutstanding: Bool? = nil,
        feedbackType: INRideFeedbackTypeOptions? = nil,
        paymentAmount: INCurrencyAmount? = nil,
        defaultTippingOptions: [INCurrencyAmount]? = nil
    ) {
        self.isCompleted = isCompleted
        self.isCanceled = isCanceled
        self.isOutstanding = isOutstanding
        self.feedbackType = feedbackType
        self.paymentAmount = paymentAmount
        self.defaultTippingOptions = defaultTippingOptions
    }

    public static let typeName = "rideCompletionStatus"

    /// Reads an object with `isCompleted`, `isCanceled`.
    public init?(json: JSONValue) {
        guard let isCompleted = json["isCompleted"]?.bool,
            let isCanceled = json["isCanceled"]?.bool
        else { return nil }
        self.init(
            isCompleted: isCompleted,
            isCanceled: isCanceled,
            isOutstanding: json["isOutstanding"]?.bool,
            feedbackType: json["feedbackType"].flatMap(INRideFeedbackTypeOptions.init(json:)),
            paymentAmount: json["paymentAmount"].flatMap(INCurrencyAmount.init(json:)),
            defaultTippingOptions: json["defaultTippingOptions"].flatMap([INCurrencyAmount].init(json:))
        )
    }

    /// An object; members without a value are omitted.
    public var json: JSONValue {
        .members([
            "isCompleted": self.isCompleted.json,
            "isCanceled": self.isCanceled.json,
            "isOutstanding": self.isOutstanding?.json,
            "feedbackType": self.feedbackType?.json,
            "paymentAmount": self.paymentAmount?.json,
            "defaultTippingOptions": self.defaultTippingOptions?.json,
        ])
    }
}
