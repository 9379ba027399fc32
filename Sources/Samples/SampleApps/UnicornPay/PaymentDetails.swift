import IntentKit

/// The common parts of the confirmations and responses of both intents.
enum PaymentDetails {
    /// Creates a refusal, with a word for programs and a sentence for people.
    static func failure<IntentType: Intent>(
        _ problem: PaymentProblem,
        _ error: String,
        _ description: String,
        _ details: JSONObject = [:]
    ) -> IntentResponse<IntentType> {
        var details = details
        details["error"] = .string(error)
        details["errorDescription"] = .string(description)
        return IntentResponse(
            code: IntentType.Code(rawValue: problem.rawValue) ?? .failure,
            userActivity: UserActivity(userInfo: details),
            details: details
        )
    }

    /// The refusal because of the user's account, before anything else is checked.
    static func accountFailure<IntentType: Intent>(_ terms: PaymentTerms) -> IntentResponse<IntentType>? {
        guard let account = terms.account else {
            let description = "Open an account with \(UnicornPay.name) first."
            return Self.failure(.failureRequiringAppLaunch, "noAccount", description)
        }
        return switch account.problem {
        case .failureNotEligible?:
            Self.failure(.failureNotEligible, "notEligible", "You cannot use \(UnicornPay.name).")
        case .failureCredentialsUnverified?:
            Self.failure(.failureCredentialsUnverified, "credentialsUnverified", "Prove who you are first.")
        case .failureTermsAndConditionsAcceptanceRequired?:
            Self.failure(
                .failureTermsAndConditionsAcceptanceRequired,
                "termsNotAccepted",
                "Accept the terms and conditions of \(UnicornPay.name) first."
            )
        case .failureNoBankAccount?:
            Self.failure(.failureNoBankAccount, "noBankAccount", "Add a bank account first.")
        case let other?: Self.failure(other, other.rawValue, "The account cannot be used.")
        case nil: nil
        }
    }

    /// The refusal because of the amount, with the bounds.
    static func amountFailure<IntentType: Intent>(
        _ problem: PaymentProblem,
        _ amount: Money,
        _ terms: PaymentTerms
    ) -> IntentResponse<IntentType> {
        var details: JSONObject = ["currencyAmount": amount.currencyAmount.json]
        if let currency = terms.currency {
            func json(_ coins: Int64) -> JSONValue {
                Money(minorUnits: coins, currencyCode: amount.currencyCode).currencyAmount.json
            }
            let most = min(currency.maximum, terms.paymentLimit ?? .max, terms.dailyLimit ?? .max)
            details["minimum"] = json(currency.minimum)
            details["maximum"] = json(most)
        }
        return switch problem {
        case .failurePaymentsAmountBelowMinimum:
            Self.failure(problem, "amountBelowMinimum", "That is too little.", details)
        case .failurePaymentsAmountAboveMaximum:
            Self.failure(problem, "amountAboveMaximum", "That is too much.", details)
        default:
            Self.failure(
                problem,
                "currencyUnsupported",
                "\(UnicornPay.name) does not pay in \(amount.currencyCode).",
                details
            )
        }
    }
}
