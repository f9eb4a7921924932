/* From the clock of one trace to that of another, for inputs of a case whose clocks differ.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _NsEtlClock NsEtlClock;

/**
 * NsEtlScale:
 * @from: raw time of the one clock
 * @to: the same moment on the other
 * @from_frequency: raw counts per second of the one clock
 * @to_frequency: of the other
 *
 * Two clocks that go evenly, and one moment at which both were read.
 */
typedef struct
{
  guint64 from;
  guint64 to;
  guint64 from_frequency;
  guint64 to_frequency;
} NsEtlScale;

void ns_etl_scale_init (NsEtlScale *self, const NsEtlClock *from, const NsEtlClock *to);
guint64 ns_etl_scale_convert (const NsEtlScale *self, guint64 raw);
void ns_etl_scale_apply (const NsEtlScale *self, guint8 *data, gsize end);

G_END_DECLS
