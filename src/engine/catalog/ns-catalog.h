/* The catalogue: one row for each known provider, from etl/ns-provider-guids.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-provider-guids.h"

G_BEGIN_DECLS

/* Providers and event classes of the kernel: a value for each row of NS_PROVIDER_ROWS. */
#define NS_PROVIDER_VALUE(id, name, use) NS_PROVIDER_##id,
typedef enum
{
  NS_PROVIDER_UNKNOWN,
  NS_PROVIDER_ROWS (NS_PROVIDER_VALUE) NS_N_PROVIDERS
} NsProviderId;
#undef NS_PROVIDER_VALUE

/* Kind of a provider's records, regardless of their content. */
typedef enum
{
  NS_PROVIDER_USE_OTHER,
  NS_PROVIDER_USE_NETWORK, /* network operations with pointers and IDs */
  NS_PROVIDER_USE_NAMES,   /* operations without pointers: name look-ups */
  NS_PROVIDER_USE_FLOWS,   /* operations with addresses only */
  NS_PROVIDER_USE_PACKETS,
  NS_PROVIDER_USE_PROCESS, /* about a process in a field */
  NS_PROVIDER_USE_WORK,    /* about the process that writes the event */
  NS_PROVIDER_USE_MACHINE,
  NS_PROVIDER_USE_HEADER,      /* about the session that wrote the trace */
  NS_PROVIDER_USE_STACKS,      /* call stacks of other records */
  NS_PROVIDER_USE_DESCRIPTION, /* schemas of other records */
} NsProviderUse;

NsProviderId ns_catalog_find (const NsGuid *guid);
NsProviderId ns_catalog_find_name (const char *name);
const NsGuid *ns_catalog_get_guid (NsProviderId provider);
const char *ns_catalog_get_name (NsProviderId provider);
NsProviderUse ns_catalog_get_use (NsProviderId provider);

G_END_DECLS
