public import IntentKit

public enum INCallAudioRoute: String, EnumerationValue, Codable {
    case unknown
    case speakerphoneAudioRoute
    case bluetoothAudioRoute

    public var title: LocalizedText? {
        switch self {
        case .unknown: nil
        case .speakerphoneAudioRoute: ["en": "speaker", "de": "Lautsprecher"]
        case .bluetoothAudioRoute: ["en": "Bluetooth", "de": "Bluetooth"]
        }
    }
}
