/* Names of known providers without built-in schemas.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-provider-guids.h"
#include "schema/ns-schema-names.h"

/* Names as documented by the vendors; the providers of Office log the task queues that connect
 * code paths. */
static const struct
{
  NsGuid guid;
  const char *name;
} names[] = {
  { NS_GUID_OFFICE_THREADPOOL, "Microsoft-Office-Threadpool" },
  { NS_GUID_OFFICE_DISPATCH_QUEUE, "OfficeDispatchQueue" },
  { NS_GUID_OFFICE_EVENTS, "Microsoft-Office-Events" },
  { NS_GUID_DOTNET_RUNTIME_PRIVATE, "Microsoft-Windows-DotNETRuntimePrivate" },
  { NS_GUID_POWERSHELL, "Microsoft-Windows-PowerShell" },
};

/**
 * ns_schema_names_find:
 * @provider: a provider
 *
 * Returns: (transfer none) (nullable): its name; %NULL: unknown
 */
const char *
ns_schema_names_find (const NsGuid *provider)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (ns_guid_equal (&names[i].guid, provider))
      return names[i].name;
  return NULL;
}
