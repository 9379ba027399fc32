public import IntentKit

public typealias INRequestPaymentIntentResponse = IntentResponse<INRequestPaymentIntent>

extension INRequestPaymentIntentResponse {
    /// The request as it was recorded; kept in the response's details under the same name.
    public var paymentRecord: INPaymentRecord? {
        get { self.details["paymentRecord"].flatMap(INPaymentRecord.init(json:)) }
        set { self.details["paymentRecord"] = newValue?.json }
    }
}
