/* A stack of its own for who is told of a crash.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void ns_crash_stack_use (void);

G_END_DECLS
