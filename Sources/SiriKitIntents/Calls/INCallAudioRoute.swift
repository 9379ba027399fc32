public import IntentKit

/// Where the sound of a call comes from.
public enum INCallAudioRoute: String, EnumerationValue, Codable {
    /// Not said.
    case unknown
    /// The loudspeaker.
    case speakerphoneAudioRoute
    /// A Bluetooth device.
    case bluetoothAudioRoute

    /// What people call it.
    public var title: LocalizedText? {
        switch self {
        case .unknown: nil
        case .speakerphoneAudioRoute: ["en": "speaker", "de": "Lautsprecher"]
        case .bluetoothAudioRoute: ["en": "Bluetooth", "de": "Bluetooth"]
        }
    }
}
