/* Alignment of a trace's times with the clock of another machine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"

G_BEGIN_DECLS

/**
 * NsEtlAlignment:
 * @zero_filetime: wall-clock time at 0 ns of the other clock, as a FILETIME
 * @zero_ns: time of the other clock at 0 ns of the trace's own
 * @drift: nanoseconds that the other clock gains per nanosecond of the trace's own
 *
 * Maps the times of a trace to the clock of another machine.
 */
typedef struct
{
  guint64 zero_filetime;
  gint64 zero_ns;
  double drift;
} NsEtlAlignment;

void ns_etl_file_align (NsEtlFile *self, const NsEtlAlignment *alignment);
void ns_etl_file_set_title (NsEtlFile *self, const char *title);
const char *ns_etl_file_get_title (const NsEtlFile *self);

G_END_DECLS
