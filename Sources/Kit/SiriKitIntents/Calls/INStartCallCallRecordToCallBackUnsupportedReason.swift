public import IntentKit

/// Why a call cannot be returned.
public enum INStartCallCallRecordToCallBackUnsupportedReason: Int, UnsupportedReason {
    case noMatchingCall = 1
}

public typealias INCallRecordResolutionResult =
    ParameterResolution<INCallRecord, INStartCallCallRecordToCallBackUnsupportedReason>
