/* Alternate signal stack for crash handlers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void ns_crash_stack_use (void);

G_END_DECLS
