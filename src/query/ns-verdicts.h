/* Results by number (for example by text of a trace), so that each item is evaluated once.
 *
 * Two threads may read and write at a time: equal items always get equal results.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* By number; 0 is "not evaluated yet". */
typedef guint8 NsVerdicts;

enum
{
  NS_VERDICT_NO = 1,
  NS_VERDICT_YES = 2,
};

static inline NsVerdicts *
ns_verdicts_new (guint last_number)
{
  return g_new0 (NsVerdicts, (gsize) last_number + 1);
}

static inline guint8
ns_verdicts_get (const NsVerdicts *self, guint number)
{
  return __atomic_load_n (&self[number], __ATOMIC_RELAXED);
}

static inline void
ns_verdicts_set (NsVerdicts *self, guint number, guint8 verdict)
{
  __atomic_store_n (&self[number], verdict, __ATOMIC_RELAXED);
}

G_END_DECLS
