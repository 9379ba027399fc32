/// A record: its key, value and headers are parts of one content.
///
/// Reading a part copies it; ``RecordContent/withParts(_:)`` reads all of them in place.
package protocol ContentRecord {
    /// Key, value and headers.
    var content: RecordContent { get set }
}

extension ContentRecord {
    package var key: [UInt8]? {
        get { self.content.key }
        set { self.content = RecordContent(key: newValue, value: self.value, headers: self.headers) }
    }

    /// The value; nil for a tombstone.
    package var value: [UInt8]? {
        get { self.content.value }
        set { self.content = RecordContent(key: self.key, value: newValue, headers: self.headers) }
    }

    /// The headers, in the order in which they were written.
    package var headers: [LogHeader] {
        get { self.content.headers }
        set { self.content = RecordContent(key: self.key, value: self.value, headers: newValue) }
    }

    /// The last header of that name as text; nil when there is none, or it is not UTF-8.
    package func header(_ name: String) -> String? { self.content.header(name) }
}
