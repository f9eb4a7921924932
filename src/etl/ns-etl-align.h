/* Times of a trace by the clock of another machine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"

G_BEGIN_DECLS

/**
 * NsEtlAlignment:
 * @zero_filetime: the wall clock where the other clock tells 0 ns
 * @zero_ns: the time by the other clock where the trace's own tells 0 ns
 * @drift: nanoseconds that the other clock gains in one of the trace's own
 *
 * Where the times of a trace lie on the clock of another machine.
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
