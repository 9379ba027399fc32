/// The capabilities of a user's line, as the app last reported them.
public struct CallLine: Hashable, Sendable, Codable {
    /// Whether the user's session is valid.
    public var hasSession = true
    /// Whether the user has signed out and must sign in again inside the app.
    public var isSignedOut = false
    /// Whether the user has set the app up.
    public var isConfigured = true
    /// Whether the device is in airplane mode.
    public var isInAirplaneMode = false
    /// Whether calls can be made at all.
    public var isServiceAvailable = true
    /// Whether there is an app that accepts calls.
    public var canHandOff = true
    /// Whether the app may use the microphone.
    public var hasMicrophone = true
    /// Whether the app may use the camera.
    public var hasCamera = true
    /// Whether several people can be called at once.
    public var takesGroupCalls = false
    /// The number of the user's voicemail, if there is one.
    public var voicemailNumber: String?

    /// Creates a line without any problem and without voicemail.
    public init() {}

    /// The columns of the yes-or-no properties.
    static let columns: [(name: String, property: any WritableKeyPath<CallLine, Bool> & Sendable)] = [
        ("has_session", \.hasSession), ("is_signed_out", \.isSignedOut), ("is_configured", \.isConfigured),
        ("is_in_airplane_mode", \.isInAirplaneMode), ("is_service_available", \.isServiceAvailable),
        ("can_hand_off", \.canHandOff), ("has_microphone", \.hasMicrophone), ("has_camera", \.hasCamera),
        ("takes_group_calls", \.takesGroupCalls),
    ]
}
