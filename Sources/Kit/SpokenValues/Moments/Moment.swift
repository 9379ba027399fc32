/// A moment or range in local time.
enum Moment: Hashable {
    /// A time of day without a day, in seconds.
    case clock(Int)
    case point(Point)
    /// An end that is nil is open.
    case range(start: Point?, end: Point?)

    enum Point: Hashable {
        case day(CivilDay)
        /// Seconds since 1970-01-01T00:00 of local time, and minutes east of UTC if they were said.
        case local(Int, zone: Int?)
        /// Seconds since 1970.
        case instant(Int)
    }

    /// What a text is read as.
    enum Goal { case date, time, dateTime, dateRange }
}
