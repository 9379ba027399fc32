import IntentKit
import SampleApps
import SiriKitIntents
import Testing

/// The vocabulary of messages, calls and payments is SiriKit's: names, order and numbers as Apple's headers have them.
@Suite("SiriKit's catalog of messages, calls and payments")
struct MoneyCatalogTests {
    private struct Expectation: Sendable {
        var parameters: [String]
        var codes: [String]
    }

    private static let extensions = [MessagesExtension.make(), CallsExtension.make(), PaymentsExtension.make()]

    private static let intents: [String: Expectation] = [
        "INSendMessageIntent": Expectation(
            parameters: [
                "recipients", "outgoingMessageType", "content", "speakableGroupName", "conversationIdentifier",
                "serviceName", "sender", "attachments",
            ],
            codes: [
                "unspecified", "ready", "inProgress", "success", "failure", "failureRequiringAppLaunch",
                "failureMessageServiceNotAvailable", "failureRequiringInAppAuthentication",
            ]
        ),
        "INSearchForMessagesIntent": Expectation(
            parameters: [
                "recipients", "recipientsOperator", "senders", "sendersOperator", "searchTerms",
                "searchTermsOperator", "attributes", "dateTimeRange", "identifiers", "identifiersOperator",
                "notificationIdentifiers", "notificationIdentifiersOperator", "speakableGroupNames",
                "speakableGroupNamesOperator", "conversationIdentifiers", "conversationIdentifiersOperator",
            ],
            codes: [
                "unspecified", "ready", "inProgress", "success", "failure", "failureRequiringAppLaunch",
                "failureMessageServiceNotAvailable", "failureMessageTooManyResults",
                "failureRequiringInAppAuthentication",
            ]
        ),
        "INSetMessageAttributeIntent": Expectation(
            parameters: [
                "identifiers", "attribute",
            ],
            codes: [
                "unspecified", "ready", "inProgress", "success", "failure", "failureRequiringAppLaunch",
                "failureMessageNotFound", "failureMessageAttributeNotSet",
            ]
        ),
        "INStartCallIntent": Expectation(
            parameters: [
                "callRecordFilter", "callRecordToCallBack", "audioRoute", "destinationType", "contacts",
                "callCapability",
            ],
            codes: [
                "unspecified", "ready", "continueInApp", "userConfirmationRequired", "failure",
                "failureRequiringAppLaunch", "failureCallingServiceNotAvailable", "failureContactNotSupportedByApp",
                "failureAirplaneModeEnabled", "failureUnableToHandOff", "failureAppConfigurationRequired",
                "failureCallInProgress", "failureCallRinging", "failureRequiringInAppAuthentication",
            ]
        ),
        "INStartAudioCallIntent": Expectation(
            parameters: [
                "destinationType", "contacts",
            ],
            codes: [
                "unspecified", "ready", "continueInApp", "failure", "failureRequiringAppLaunch",
                "failureAppConfigurationRequired", "failureCallingServiceNotAvailable",
                "failureContactNotSupportedByApp", "failureNoValidNumber",
            ]
        ),
        "INStartVideoCallIntent": Expectation(
            parameters: [
                "contacts"
            ],
            codes: [
                "unspecified", "ready", "continueInApp", "failure", "failureRequiringAppLaunch",
                "failureAppConfigurationRequired", "failureCallingServiceNotAvailable",
                "failureContactNotSupportedByApp", "failureInvalidNumber",
            ]
        ),
        "INSearchCallHistoryIntent": Expectation(
            parameters: [
                "dateCreated", "recipient", "callCapabilities", "callTypes", "unseen",
            ],
            codes: [
                "unspecified", "ready", "continueInApp", "failure", "failureRequiringAppLaunch",
                "failureAppConfigurationRequired", "inProgress", "success",
            ]
        ),
        "INSendPaymentIntent": Expectation(
            parameters: [
                "payee", "currencyAmount", "note",
            ],
            codes: [
                "unspecified", "ready", "inProgress", "success", "failure", "failureRequiringAppLaunch",
                "failureCredentialsUnverified", "failurePaymentsAmountBelowMinimum",
                "failurePaymentsAmountAboveMaximum", "failurePaymentsCurrencyUnsupported",
                "failureInsufficientFunds", "failureNoBankAccount", "failureNotEligible",
                "failureTermsAndConditionsAcceptanceRequired",
            ]
        ),
        "INRequestPaymentIntent": Expectation(
            parameters: [
                "payer", "currencyAmount", "note",
            ],
            codes: [
                "unspecified", "ready", "inProgress", "success", "failure", "failureRequiringAppLaunch",
                "failureCredentialsUnverified", "failurePaymentsAmountBelowMinimum",
                "failurePaymentsAmountAboveMaximum", "failurePaymentsCurrencyUnsupported", "failureNoBankAccount",
                "failureNotEligible", "failureTermsAndConditionsAcceptanceRequired",
            ]
        ),
    ]

    @Test(
        "Parameters are in SiriKit's order, and codes are SiriKit's",
        arguments: MoneyCatalogTests.intents.keys.sorted()
    )
    func parametersAndCodesAreSiriKits(name: String) throws {
        let expected = try #require(Self.intents[name])
        let registration = try #require(try IntentRegistry(Self.extensions)[name]).registration
        #expect(registration.parameters.map(\.name) == expected.parameters)
        #expect(registration.codes == Set(expected.codes))
    }

    private static func list<Reason: UnsupportedReason>(_ type: Reason.Type) -> [String] {
        type.allCases.map { "\($0.rawValue) \($0.name)" }
    }

    @Test("Reasons have SiriKit's numbers and names")
    func reasonsAreSiriKits() {
        #expect(
            Self.list(INSendMessageRecipientUnsupportedReason.self) == [
                "1 noAccount", "2 offline", "3 messagingServiceNotEnabledForRecipient", "4 noValidHandle",
                "5 requestedHandleInvalid", "6 noHandleForLabel",
            ]
        )
        #expect(
            Self.list(INSendPaymentPayeeUnsupportedReason.self) == [
                "1 credentialsUnverified", "2 insufficientFunds", "3 noAccount", "4 noValidHandle",
            ]
        )
        #expect(
            Self.list(INSendPaymentCurrencyAmountUnsupportedReason.self) == [
                "1 paymentsAmountBelowMinimum", "2 paymentsAmountAboveMaximum", "3 paymentsCurrencyUnsupported",
            ]
        )
        #expect(
            Self.list(INRequestPaymentPayerUnsupportedReason.self) == [
                "1 credentialsUnverified", "2 noAccount", "3 noValidHandle",
            ]
        )
        #expect(
            Self.list(INRequestPaymentCurrencyAmountUnsupportedReason.self) == [
                "1 paymentsAmountBelowMinimum", "2 paymentsAmountAboveMaximum", "3 paymentsCurrencyUnsupported",
            ]
        )
        #expect(
            Self.list(INStartCallContactUnsupportedReason.self) == [
                "1 noContactFound", "2 multipleContactsUnsupported", "3 noHandleForLabel", "4 invalidHandle",
                "5 unsupportedMmiUssd", "6 noCallHistoryForRedial", "7 noUsableHandleForRedial",
            ]
        )
        #expect(
            Self.list(INStartCallCallCapabilityUnsupportedReason.self) == [
                "1 videoCallUnsupported", "2 microphoneNotAccessible", "3 cameraNotAccessible",
            ]
        )
        #expect(
            Self.list(INStartCallCallRecordToCallBackUnsupportedReason.self) == [
                "1 noMatchingCall"
            ]
        )
    }

    private static func names<Value: EnumerationValue>(_ type: Value.Type) -> [String] { type.allCases.map(\.rawValue) }

    @Test("Enumerations have SiriKit's names, in its order")
    func enumerationsAreSiriKits() {
        #expect(
            Self.names(INMessageType.self) == [
                "unspecified", "text", "audio", "digitalTouch", "handwriting", "sticker", "tapbackLiked",
                "tapbackDisliked", "tapbackEmphasized", "tapbackLoved", "tapbackQuestioned", "tapbackLaughed",
                "mediaCalendar", "mediaLocation", "mediaAddressCard", "mediaImage", "mediaVideo", "mediaPass",
                "mediaAudio", "paymentSent", "paymentRequest", "paymentNote", "animoji", "activitySnippet", "file",
                "link",
            ]
        )
        #expect(
            Self.names(INMessageAttribute.self) == [
                "unknown", "read", "unread", "flagged", "unflagged", "played",
            ]
        )
        #expect(
            Self.names(INConditionalOperator.self) == [
                "all", "any", "none",
            ]
        )
        #expect(
            Self.names(INCallRecordType.self) == [
                "unknown", "outgoing", "missed", "received", "latest", "voicemail", "ringing", "inProgress",
                "onHold",
            ]
        )
        #expect(
            Self.names(INCallDestinationType.self) == [
                "unknown", "normal", "emergency", "voicemail", "redial", "callBack",
            ]
        )
        #expect(
            Self.names(INCallCapability.self) == [
                "unknown", "audioCall", "videoCall",
            ]
        )
        #expect(
            Self.names(INCallAudioRoute.self) == [
                "unknown", "speakerphoneAudioRoute", "bluetoothAudioRoute",
            ]
        )
        #expect(
            Self.names(INPaymentStatus.self) == [
                "unknown", "pending", "completed", "canceled", "failed", "unpaid",
            ]
        )
        #expect(
            Self.names(INPaymentMethodType.self) == [
                "unknown", "checking", "savings", "brokerage", "debit", "credit", "prepaid", "store", "applePay",
            ]
        )
    }

    @Test("Option sets have SiriKit's bits, and are arrays of names on the wire")
    func optionSetsAreSiriKits() {
        #expect(INMessageAttributeOptions(rawValue: 31).json == ["read", "unread", "flagged", "unflagged", "played"])
        #expect(INMessageAttributeOptions(json: ["played"])?.rawValue == 16)
        #expect(INMessageAttributeOptions(json: ["nothing"]) == nil)
        #expect(
            INCallRecordTypeOptions(rawValue: 255).json == [
                "outgoing", "missed", "received", "latest", "voicemail", "ringing", "inProgress", "onHold",
            ]
        )
        #expect(INCallRecordTypeOptions(json: ["onHold"])?.rawValue == 128)
        #expect(INCallRecordTypeOptions(json: ["nothing"]) == nil)
        #expect(INCallCapabilityOptions(rawValue: 3).json == ["audioCall", "videoCall"])
        #expect(INCallCapabilityOptions(json: ["videoCall"])?.rawValue == 2)
        #expect(INCallCapabilityOptions(json: ["nothing"]) == nil)
    }
}
