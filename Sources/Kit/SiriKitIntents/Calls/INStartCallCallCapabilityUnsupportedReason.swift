public import IntentKit

/// Why a kind of call cannot be made.
public enum INStartCallCallCapabilityUnsupportedReason: Int, UnsupportedReason {
    /// One of the two sides has no video.
    case videoCallUnsupported = 1
    /// The app may not use the microphone.
    case microphoneNotAccessible = 2
    /// The app may not use the camera.
    case cameraNotAccessible = 3
}

public typealias INStartCallCallCapabilityResolutionResult =
    ParameterResolution<INCallCapability, INStartCallCallCapabilityUnsupportedReason>
