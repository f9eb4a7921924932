/* Collects what a walk read and what it could not read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-file.h"

G_BEGIN_DECLS

void ns_etl_report_init (NsEtlReport *self);
void ns_etl_report_reset (NsEtlReport *self);
void ns_etl_report_clear (NsEtlReport *self);
void ns_etl_report_add (NsEtlReport *self, guint64 offset, const char *what);
void ns_etl_report_add_beside (NsEtlReport *self, guint64 offset, const char *what);
void ns_etl_report_add_buffer (NsEtlReport *self,
                               guint16 cpu,
                               gboolean has_loss,
                               guint64 n_records,
                               guint64 min_raw,
                               guint64 max_raw);

G_END_DECLS
