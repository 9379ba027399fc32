// The compiler silently ignores a misspelt feature name, so nobody would notice a manifest that stops enabling one.
// These guards turn that into a build error.
#if !hasFeature(ExistentialAny)
#error("ExistentialAny is not enabled")
#endif
#if !hasFeature(InternalImportsByDefault)
#error("InternalImportsByDefault is not enabled")
#endif
#if !hasFeature(MemberImportVisibility)
#error("MemberImportVisibility is not enabled")
#endif
#if !hasFeature(NonisolatedNonsendingByDefault)
#error("NonisolatedNonsendingByDefault is not enabled")
#endif
#if !hasFeature(InferIsolatedConformances)
#error("InferIsolatedConformances is not enabled")
#endif
#if !hasFeature(ImmutableWeakCaptures)
#error("ImmutableWeakCaptures is not enabled")
#endif
