// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: the RevueSDK authors

#include <tox/tox.h>

// Waiting on sockets; what of it Swift's own Glibc module shows differs by toolchain.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/// Names the calling thread; the first 15 bytes are kept. prctl is variadic, which Swift cannot call.
static inline void revue_name_thread(const char *name) { (void)prctl(PR_SET_NAME, name, 0, 0, 0); }
