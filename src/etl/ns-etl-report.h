/* Keeps account of what a walk read and of what it could not read.
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

G_END_DECLS
