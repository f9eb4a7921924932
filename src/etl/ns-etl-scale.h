/* Converts raw times between the clocks of two traces, for inputs of a case with different clocks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _NsEtlClock NsEtlClock;

/**
 * NsEtlScale:
 * @from: raw time of the source clock
 * @to: the same moment in the target clock
 * @from_frequency: raw counts per second of the source clock
 * @to_frequency: raw counts per second of the target clock
 *
 * A linear conversion: one moment in both clocks, and their frequencies.
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
