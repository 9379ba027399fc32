import IntentKit

/// Asks for something to be defused.
struct DefuseIntent: Intent {
    enum Code: String, IntentResponseCode { case ready, success, failure }

    /// The colour of the wire that is cut.
    var wire: String?

    static let parameters: [IntentParameter<Self>] = [.init("wire", \.wire)]
}
