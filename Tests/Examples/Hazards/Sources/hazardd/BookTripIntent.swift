import IntentKit

/// Asks for a trip to be booked: a long task.
struct BookTripIntent: Intent {
    /// How it ends: `fails` for a failure at the end, anything else for a success.
    @Parameter var script: String?
}
