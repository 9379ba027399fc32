public import IntentKit

public typealias INSendPaymentIntentResponse = IntentResponse<INSendPaymentIntent>

extension INSendPaymentIntentResponse {
    /// The payment as it was recorded; kept in the response's details under the same name.
    public var paymentRecord: INPaymentRecord? {
        get { self.details["paymentRecord"].flatMap(INPaymentRecord.init(json:)) }
        set { self.details["paymentRecord"] = newValue?.json }
    }
}
