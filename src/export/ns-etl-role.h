/* The role of a provider's records when a part of a trace is exported.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/catalog/ns-catalog.h"
#include "etl/ns-etl-record.h"

G_BEGIN_DECLS

NsProviderUse ns_etl_role_of (const NsRecord *record);

G_END_DECLS
