/* Built-in schemas, found by binary search and decompressed when a provider is first looked up.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-builtin.h"

/**
 * ns_schema_builtin_new:
 *
 * Opens the compiled-in data, which takes some 50 µs; blocks are decompressed when a provider is
 * first looked up. If the data is invalid, a warning is logged.
 *
 * Returns: (transfer full) (nullable): the built-in schemas, which threads may share
 */
NsSchemaData *
ns_schema_builtin_new (void)
{
  g_autoptr (GError) error = NULL;
  NsSchemaData *data = ns_schema_data_new (ns_schema_shipped, ns_schema_shipped_size, &error);

  if (data == NULL)
    g_warning ("%s", error->message);
  return data;
}

static NsSchemaBlock *
find_block (NsSchemaData *data, const NsGuid *provider)
{
  gint number = data == NULL ? -1 : ns_schema_data_find (data, provider);
  g_autoptr (GError) error = NULL;
  NsSchemaBlock *block;

  if (number < 0)
    return NULL;
  block = ns_schema_data_get_block (data, (guint) number, &error);
  if (block == NULL)
    g_warning_once ("%s", error->message);
  return block;
}

/**
 * ns_schema_builtin_find:
 * @data: (nullable): the built-in schemas
 * @provider: provider of the event
 * @id: its event ID
 * @version: its version
 *
 * See ns_schema_block_find_version(). Thread-safe.
 *
 * Returns: (transfer none) (nullable): the layout, which lives as long as @data
 */
const NsSchema *
ns_schema_builtin_find (NsSchemaData *data, const NsGuid *provider, guint16 id, guint8 version)
{
  NsSchemaBlock *block = find_block (data, provider);

  return block == NULL ? NULL : ns_schema_block_find_version (block, id, version);
}

/**
 * ns_schema_builtin_choose:
 * @data: (nullable): the built-in schemas
 * @record: a record of a manifest provider
 * @depends_on_payload: (out): whether another record of the same ID and version may have another
 *   layout
 *
 * See ns_schema_block_choose(). Thread-safe.
 *
 * Returns: (transfer none) (nullable): the layout, which lives as long as @data
 */
const NsSchema *
ns_schema_builtin_choose (NsSchemaData *data, const NsRecord *record, gboolean *depends_on_payload)
{
  NsSchemaBlock *block = find_block (data, &record->guid);

  *depends_on_payload = FALSE;
  return block == NULL ? NULL : ns_schema_block_choose (block, record, depends_on_payload);
}

/**
 * ns_schema_builtin_provider_name:
 * @data: (nullable): the built-in schemas
 * @provider: a provider
 *
 * Returns: (transfer none) (nullable): its name, if there are built-in schemas for it
 */
const char *
ns_schema_builtin_provider_name (const NsSchemaData *data, const NsGuid *provider)
{
  gint number = data == NULL ? -1 : ns_schema_data_find (data, provider);

  return number < 0 ? NULL : ns_schema_data_get_name (data, (guint) number);
}

/**
 * ns_schema_builtin_find_name:
 * @data: (nullable): the built-in schemas
 * @name: name of a provider, in any case
 * @provider: (out): its GUID
 *
 * Returns: %TRUE if there are built-in schemas for a provider of that name
 */
gboolean
ns_schema_builtin_find_name (const NsSchemaData *data, const char *name, NsGuid *provider)
{
  for (guint i = 0; data != NULL && i < ns_schema_data_get_n_providers (data); i++)
    if (g_ascii_strcasecmp (ns_schema_data_get_name (data, i), name) == 0)
      {
        ns_schema_data_get_guid (data, i, provider);
        return TRUE;
      }
  return FALSE;
}

/**
 * ns_schema_builtin_keyword:
 * @data: (nullable): the built-in schemas
 * @provider: a provider
 * @bit: one bit of a keyword
 *
 * Returns: (transfer none) (nullable): the manifest's name for it
 */
const char *
ns_schema_builtin_keyword (NsSchemaData *data, const NsGuid *provider, guint64 bit)
{
  NsSchemaBlock *block = find_block (data, provider);

  return block == NULL ? NULL : ns_schema_block_get_keyword (block, bit);
}
