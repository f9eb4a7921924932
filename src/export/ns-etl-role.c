/* The role of a provider's records when a part of a trace is exported.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/catalog/ns-catalog.h"
#include "export/ns-etl-role.h"

/* WebIO's records of its thread pool. */
#define FIRST_POOL_ID 59995

/**
 * ns_etl_role_of:
 * @record: a record
 *
 * Returns: what it is for
 */
NsProviderUse
ns_etl_role_of (const NsRecord *record)
{
  NsProviderId provider = ns_catalog_find (&record->guid);

  if (provider == NS_PROVIDER_WEBIO && record->id >= FIRST_POOL_ID)
    return NS_PROVIDER_USE_WORK;
  return ns_catalog_get_use (provider);
}
