import IntentKit

/// Asks for a place on a guided tour.
struct TourIntent: Intent {
    /// Who guides it, of ``TourHandler/guides``.
    @Parameter var guide: String?
    /// The day; people say it in words.
    @Parameter(isRequired: true) var day: CalendarDate?
    /// What happens, as words of ``TourHandler/Turn``, separated by blanks.
    @Parameter var script: String?
}
