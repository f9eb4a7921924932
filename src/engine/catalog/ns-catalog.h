/* The catalogue: one row for each known provider, of etl/ns-provider-guids.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-provider-guids.h"

G_BEGIN_DECLS

/* Event classes of the kernel, and providers: a value for each row of NS_PROVIDER_ROWS. */
#define NS_PROVIDER_VALUE(id, name, use) NS_PROVIDER_##id,
typedef enum
{
  NS_PROVIDER_UNKNOWN,
  NS_PROVIDER_ROWS (NS_PROVIDER_VALUE) NS_N_PROVIDERS
} NsProviderId;
#undef NS_PROVIDER_VALUE

/* What a provider's records are for, without looking into them. */
typedef enum
{
  NS_PROVIDER_USE_OTHER,
  NS_PROVIDER_USE_NETWORK, /* operations of the network, by pointers and ids */
  NS_PROVIDER_USE_NAMES,   /* operations that have no pointers: look-ups of names */
  NS_PROVIDER_USE_FLOWS,   /* operations that have addresses only */
  NS_PROVIDER_USE_PACKETS,
  NS_PROVIDER_USE_PROCESS, /* one process, which a field names */
  NS_PROVIDER_USE_WORK,    /* the process that writes it */
  NS_PROVIDER_USE_MACHINE,
  NS_PROVIDER_USE_HEADER,      /* the session that wrote the trace */
  NS_PROVIDER_USE_STACKS,      /* other records: where they were written */
  NS_PROVIDER_USE_DESCRIPTION, /* other records: how they are laid out */
} NsProviderUse;

NsProviderId ns_catalog_find (const NsGuid *guid);
NsProviderId ns_catalog_find_name (const char *name);
const NsGuid *ns_catalog_get_guid (NsProviderId provider);
const char *ns_catalog_get_name (NsProviderId provider);
NsProviderUse ns_catalog_get_use (NsProviderId provider);

G_END_DECLS
