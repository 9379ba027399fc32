internal import CLibCurl

/// libcurl itself.
package enum CurlLibrary {
    /// The version of the loaded library.
    package static var version: String { String(cString: clibcurl_version()) }
}
