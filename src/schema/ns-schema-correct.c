/* Corrects descriptions that are known to be wrong or incomplete.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-provider-guids.h"
#include "schema/ns-schema-correct.h"

#include <string.h>

/* Sets the type of binary fields of TCPIP and AFD that contain an address: a SOCKADDR, or an
 * address of 4 or 16 bytes if the name contains IP. `DLAddress` is a link-layer address. */
static void
restore_address (NsSchemaField *field)
{
  if (field->in_type != NS_IN_BINARY ||
      (field->out_type != NS_OUT_NULL && field->out_type != NS_OUT_HEXBINARY) ||
      strstr (field->name, "Addr") == NULL || strstr (field->name, "DL") != NULL ||
      strstr (field->name, "Dl") != NULL || strstr (field->name, "HW") != NULL)
    return;
  field->out_type = strstr (field->name, "IP") != NULL ? NS_OUT_IPV6 : NS_OUT_SOCKETADDRESS;
}

static gboolean
has_bare_addresses (const NsGuid *provider)
{
  static const NsGuid providers[] = {
    /* Microsoft-Windows-TCPIP */
    NS_GUID_TCPIP,
    /* Microsoft-Windows-Winsock-AFD */
    NS_GUID_WINSOCK_AFD,
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (providers); i++)
    if (ns_guid_equal (provider, &providers[i]))
      return TRUE;
  return FALSE;
}

/* Two manifests of Windows differ from the events. Kernel-Network declares connid as UInt32, but
 * 64-bit systems write eight bytes; the .NET runtime's CLRStackWalk declares two frames, but writes
 * FrameCount of them. */
/**
 * ns_schema_correct_fields:
 * @provider: provider of the event
 * @fields: (inout) (array length=n_fields): its fields
 * @n_fields: number of fields
 *
 * Corrects known errors in descriptions of Windows.
 */
void
ns_schema_correct_fields (const NsGuid *provider, NsSchemaField *fields, guint n_fields)
{
  static const NsGuid kernel_network = NS_GUID_KERNEL_NETWORK;
  static const NsGuid dotnet_runtime = NS_GUID_DOTNET_RUNTIME;
  gboolean is_network = ns_guid_equal (provider, &kernel_network);
  gboolean is_runtime = ns_guid_equal (provider, &dotnet_runtime);
  guint i;

  if (has_bare_addresses (provider))
    for (i = 0; i < n_fields; i++)
      restore_address (&fields[i]);
  if (!is_network && !is_runtime)
    return;
  for (i = 0; i < n_fields; i++)
    {
      NsSchemaField *field = &fields[i];

      if (is_network && field->in_type == NS_IN_UINT32 && strcmp (field->name, "connid") == 0)
        {
          field->in_type = NS_IN_POINTER;
          field->out_type = NS_OUT_UNSIGNEDLONG;
        }
      if (is_runtime && i > 0 && field->in_type == NS_IN_POINTER && field->count == 2 &&
          strcmp (field->name, "Stack") == 0 && strcmp (fields[i - 1].name, "FrameCount") == 0)
        {
          field->count = (guint16) (i - 1);
          field->flags = (field->flags | NS_FIELD_COUNT_REF) & (guint16) ~NS_FIELD_FIXED_COUNT;
        }
    }
}

static gboolean
has_same_names (const NsSchema *a, const NsSchema *b)
{
  guint i;

  if (a->n_fields != b->n_fields || a->n_top != b->n_top)
    return FALSE;
  for (i = 0; i < a->n_fields; i++)
    if (strcmp (a->fields[i].name, b->fields[i].name) != 0)
      return FALSE;
  return TRUE;
}

static void
enrich (NsSchemaField *field, const NsSchemaField *rich)
{
  const guint16 size_flags = NS_FIELD_LENGTH_REF | NS_FIELD_FIXED_LENGTH;

  if (field->in_type != rich->in_type || field->out_type != NS_OUT_NULL)
    return;
  field->out_type = rich->out_type;
  if (field->map == NULL)
    field->map = rich->map;
  if (field->length == 0 && (field->flags & size_flags) == 0)
    {
      field->length = rich->length;
      field->flags |= rich->flags & size_flags;
    }
}

/**
 * ns_schema_correct_from:
 * @pool: owns the layout
 * @schema: (inout): the layout of a user's manifest
 * @provider: its provider
 * @rich: (nullable): the built-in layout of the same event
 *
 * Manifests that tools recreate from a running system lack the display properties of fields. Copies
 * them from a layout with the same fields.
 */
void
ns_schema_correct_from (NsSchemaPool *pool,
                        NsSchema *schema,
                        const NsGuid *provider,
                        const NsSchema *rich)
{
  NsSchemaField *fields;
  guint i;

  if (schema->n_fields == 0)
    return;
  fields = ns_arena_dup (pool->arena, schema->fields, schema->n_fields * sizeof *fields);
  if (rich != NULL && has_same_names (schema, rich))
    for (i = 0; i < schema->n_fields; i++)
      enrich (&fields[i], &rich->fields[i]);
  ns_schema_correct_fields (provider, fields, schema->n_fields);
  schema->fields = fields;
}
