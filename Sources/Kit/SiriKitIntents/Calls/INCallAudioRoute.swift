public import IntentKit

/// The audio route of a call.
public enum INCallAudioRoute: String, EnumerationValue, Codable {
    /// Not specified.
    case unknown
    /// The loudspeaker.
    case speakerphoneAudioRoute
    /// A Bluetooth device.
    case bluetoothAudioRoute

    /// The title for people.
    public var title: LocalizedText? {
        switch self {
        case .unknown: nil
        case .speakerphoneAudioRoute: ["en": "speaker", "de": "Lautsprecher"]
        case .bluetoothAudioRoute: ["en": "Bluetooth", "de": "Bluetooth"]
        }
    }
}
