internal import CLibCurl

/// libcurl itself.
package enum CurlLibrary {
    /// The version of the library that is loaded.
    package static var version: String { String(cString: clibcurl_version()) }
}
