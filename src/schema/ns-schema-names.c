/* Names of providers that we know, but whose events we do not describe.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-names.h"

/* As their makers document them; those of Office write task queues that code paths are joined by.
 */
static const struct
{
  NsGuid guid;
  const char *name;
} names[] = {
  { NS_GUID_INIT (0xa019725f, 0xcff1, 0x47e8, 0x8c, 0x9e, 0x8f, 0xe2, 0x63, 0x5b, 0x63, 0x88),
    "Microsoft-Office-Threadpool" },
  { NS_GUID_INIT (0x559a5658, 0x8100, 0x4d84, 0xb7, 0x56, 0x0a, 0x47, 0xa4, 0x76, 0x28, 0x0c),
    "OfficeDispatchQueue" },
  { NS_GUID_INIT (0x8736922d, 0xe8b2, 0x47eb, 0x85, 0x64, 0x23, 0xe7, 0x7e, 0x72, 0x8c, 0xf3),
    "Microsoft-Office-Events" },
  { NS_GUID_INIT (0x763fd754, 0x7086, 0x4dfe, 0x95, 0xeb, 0xc0, 0x1a, 0x46, 0xfa, 0xf4, 0xca),
    "Microsoft-Windows-DotNETRuntimePrivate" },
  { NS_GUID_INIT (0xa0c1853b, 0x5c40, 0x4b15, 0x87, 0x66, 0x3c, 0xf1, 0xc5, 0x8f, 0x98, 0x5a),
    "Microsoft-Windows-PowerShell" },
};

/**
 * ns_schema_names_find:
 * @provider: a provider
 *
 * Returns: (transfer none) (nullable): its name, when we know it
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
