/* Names of interfaces with published specifications.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/rpc/ns-rpc.h"

/* clang-format off */
/* [MS-RPCE], [MS-LSAD], [MS-SAMR], [MS-NRPC], [MS-DRSR], [MS-SCMR], [MS-RRP], [MS-SRVS], [MS-WKST],
 * [MS-EVEN], [MS-TSCH], [MS-RPRN], [MS-DCOM], [MS-DNSP]. */
static const struct
{
  const char *id;
  const char *name;
} interfaces[] = {
  { "e1af8308-5d1f-11c9-91a4-08002b14a0fa", "epmapper" },
  { "12345778-1234-abcd-ef00-0123456789ab", "lsarpc" },
  { "12345778-1234-abcd-ef00-0123456789ac", "samr" },
  { "12345678-1234-abcd-ef00-01234567cffb", "netlogon" },
  { "e3514235-4b06-11d1-ab04-00c04fc2dcd2", "drsuapi" },
  { "367abb81-9844-35f1-ad32-98f038001003", "svcctl" },
  { "338cd001-2244-31f1-aaaa-900038001003", "winreg" },
  { "4b324fc8-1670-01d3-1278-5a47bf6ee188", "srvsvc" },
  { "6bffd098-a112-3610-9833-46c3f87e345a", "wkssvc" },
  { "82273fdc-e32a-18c3-3f78-827929dc23ea", "eventlog" },
  { "86d35949-83c9-4044-b424-db363231fd0c", "schedule" },
  { "12345678-1234-abcd-ef00-0123456789ab", "spoolss" },
  { "99fcfec4-5260-101b-bbcb-00aa0021347a", "IObjectExporter" },
  { "000001a0-0000-0000-c000-000000000046", "ISystemActivator" },
  { "50abc2a4-574d-40b3-9d66-ee4fd5fba076", "dnsserver" },
};
/* clang-format on */

/**
 * ns_rpc_interface_name: (skip)
 * @interface_id: ID of an interface
 *
 * Returns: (nullable): its name in the specification
 */
const char *
ns_rpc_interface_name (const NsGuid *interface_id)
{
  char text[NS_GUID_TEXT_SIZE];
  guint i;

  ns_guid_to_text (interface_id, text);
  for (i = 0; i < G_N_ELEMENTS (interfaces); i++)
    if (g_ascii_strcasecmp (interfaces[i].id, text) == 0)
      return interfaces[i].name;
  return NULL;
}
