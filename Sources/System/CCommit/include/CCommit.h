#ifndef CCOMMIT_H
#define CCOMMIT_H

/// The commit that this program was built from: SOURCE_COMMIT of the build's environment, "unknown" without it.
const char *_Nonnull ccommit(void);

#endif
