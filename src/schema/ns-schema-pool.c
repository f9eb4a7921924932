/* Owns the layouts learned from one trace: memory, names, limits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-pool.h"

#include <string.h>

#define BLOCK_BYTES (64 * 1024)
#define SHORT_NAME 256

/**
 * ns_schema_pool_new:
 *
 * Returns: (transfer full): an empty pool
 */
NsSchemaPool *
ns_schema_pool_new (void)
{
  NsSchemaPool *self = g_new0 (NsSchemaPool, 1);

  self->arena = ns_arena_new (BLOCK_BYTES);
  self->strings = ns_strings_new ();
  return self;
}

/**
 * ns_schema_pool_free:
 * @self: (transfer full) (nullable): a pool
 */
void
ns_schema_pool_free (NsSchemaPool *self)
{
  if (self == NULL)
    return;
  ns_arena_free (self->arena);
  ns_strings_free (self->strings);
  g_free (self);
}

/**
 * ns_schema_pool_is_full:
 * @self: a pool
 *
 * Returns: %TRUE if the memory limit is reached, so that no more layouts must be added
 */
gboolean
ns_schema_pool_is_full (NsSchemaPool *self)
{
  return ns_arena_get_size (self->arena) + ns_strings_get_size (self->strings) >
         NS_SCHEMA_POOL_MAX_BYTES;
}

/**
 * ns_schema_pool_utf8:
 * @self: a pool
 * @text: (array length=n_bytes): a name in a trace
 * @n_bytes: its size in bytes
 *
 * Stores a name as valid UTF-8, without trailing blanks (Windows appends one to names from
 * manifests) and control characters.
 *
 * Returns: (transfer none) (nullable): the name; %NULL for an empty one
 */
const char *
ns_schema_pool_utf8 (NsSchemaPool *self, const char *text, gsize n_bytes)
{
  g_autofree char *name = ns_utf8_from_bytes (text, n_bytes);
  char *p;

  for (p = name; *p != '\0'; p++)
    if ((guchar) *p < 0x20)
      *p = ' ';
  g_strchomp (name);
  if (name[0] == '\0')
    return NULL;
  return ns_strings_get (self->strings, ns_strings_add (self->strings, name));
}

/**
 * ns_schema_pool_utf16:
 * @self: a pool
 * @bytes: (array length=n_bytes): a name in UTF-16LE
 * @n_bytes: its size in bytes
 *
 * Like ns_schema_pool_utf8().
 *
 * Returns: (transfer none) (nullable): the name; %NULL for an empty one
 */
const char *
ns_schema_pool_utf16 (NsSchemaPool *self, const guint8 *bytes, gsize n_bytes)
{
  g_autofree char *name = ns_utf8_from_utf16 (bytes, n_bytes);

  return ns_schema_pool_utf8 (self, name, strlen (name));
}

/**
 * ns_schema_pool_new_schema:
 * @self: a pool
 * @source: where the description comes from
 * @fields: (array length=n_fields): its fields; copied
 * @n_fields: number of fields
 *
 * Returns: (transfer none): a layout without names and structs
 */
NsSchema *
ns_schema_pool_new_schema (NsSchemaPool *self,
                           NsSchemaSource source,
                           const NsSchemaField *fields,
                           guint n_fields)
{
  NsSchema *schema = ns_arena_alloc (self->arena, sizeof *schema);

  memset (schema, 0, sizeof *schema);
  schema->source = source;
  schema->n_fields = n_fields;
  schema->n_top = n_fields;
  if (n_fields > 0)
    schema->fields = ns_arena_dup (self->arena, fields, n_fields * sizeof *fields);
  return schema;
}
