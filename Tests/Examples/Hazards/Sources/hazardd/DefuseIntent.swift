import IntentKit

/// Asks for something to be defused.
struct DefuseIntent: Intent {
    /// The colour of the wire that is cut.
    @Parameter var wire: String?
}
