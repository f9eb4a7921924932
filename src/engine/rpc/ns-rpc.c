/* Microsoft-Windows-RPC.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/rpc/ns-rpc.h"

#include "engine/ns-builder.h"

/**
 * ns_rpc_interface_name: (skip)
 * @interface_id: identifier of an interface
 *
 * Returns: (nullable): what its specification calls it
 */
const char *
ns_rpc_interface_name (const NsGuid *interface_id)
{
  return NULL;
}

static void
rpc_start (NsBuilder *builder)
{
}

static void
rpc_stop (NsBuilder *builder)
{
}

const NsPart ns_rpc_part = {
  .name = "rpc",
  .start = rpc_start,
  .stop = rpc_stop,
};
