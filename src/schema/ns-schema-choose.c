/* Chooses the layout of a record among those of its event: by version, and by the fit of the
 * payload.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-block.h"

#include "schema/ns-payload.h"

/* Maximum number of layouts of one ID that are tried for a payload; Windows has at most 16. */
#define MAX_TRIES 64

/* Finds the rows of @version among the @n rows from @first on. Returns their position, or the
 * position at which they would be; @n_exact: (out): their number. */
static guint
find_version (const NsSchemaBlock *block, guint first, guint n, guint8 version, guint *n_exact)
{
  guint begin = 0;

  while (begin < n && ns_schema_block_get_version (block, first + begin) < version)
    begin++;
  *n_exact = 0;
  while (begin + *n_exact < n &&
         ns_schema_block_get_version (block, first + begin + *n_exact) == version)
    ++*n_exact;
  return begin;
}

/* Returns the newest layout of the highest version before @begin. */
static guint
find_lower (const NsSchemaBlock *block, guint first, guint begin)
{
  guint8 version = ns_schema_block_get_version (block, first + begin - 1);
  guint n_exact;

  return find_version (block, first, begin, version, &n_exact);
}

/**
 * ns_schema_block_find_version:
 * @self: a block
 * @id: ID of an event
 * @version: its version
 *
 * Apart from a few events, new versions only append fields, so an unknown version is read with the
 * nearest lower one. If builds have different layouts of a version, the newest is returned.
 *
 * Returns: (transfer none) (nullable): the layout, which lives as long as the block
 */
const NsSchema *
ns_schema_block_find_version (NsSchemaBlock *self, guint16 id, guint8 version)
{
  guint n, n_exact;
  guint first = ns_schema_block_find (self, id, &n);
  guint begin = find_version (self, first, n, version, &n_exact);

  if (n_exact == 0 && begin == 0)
    return NULL;
  if (n_exact == 0)
    begin = find_lower (self, first, begin);
  return ns_schema_block_get (self, first + begin);
}

static gboolean
go_on_cb (const NsPayloadItem *item, gpointer user_data)
{
  return TRUE;
}

static gboolean
fits (const NsSchema *schema, const NsRecord *record)
{
  return ns_payload_walk (schema, record, go_on_cb, NULL) == NS_PAYLOAD_EXACT;
}

/* Returns the first layout that covers all bytes of the payload, by distance of its version from
 * the record's, lower versions first. */
static const NsSchema *
find_fitting (NsSchemaBlock *self, const NsRecord *record, guint first, guint n, guint begin)
{
  guint version = record->version & 0xff;
  guint low = begin;
  guint high = begin;
  guint n_tries;

  for (n_tries = 0; n_tries < MAX_TRIES && (low > 0 || high < n); n_tries++)
    {
      guint to_low =
          low > 0 ? version - ns_schema_block_get_version (self, first + low - 1) : G_MAXUINT;
      guint to_high =
          high < n ? ns_schema_block_get_version (self, first + high) - version : G_MAXUINT;
      guint number = first + (to_low <= to_high ? --low : high++);
      const NsSchema *schema = ns_schema_block_get (self, number);

      if (fits (schema, record))
        return schema;
    }
  return NULL;
}

/**
 * ns_schema_block_choose:
 * @self: a block
 * @record: a record of its provider
 * @depends_on_payload: (out): whether another record of the same ID and version may have another
 *   layout
 *
 * Returns the layout of the record's ID and version. If builds differ, that is the newest one that
 * covers all bytes of the payload, else the newest. An unknown version is read with the nearest
 * version that covers all bytes, else with the nearest lower one.
 *
 * Thread-safe.
 *
 * Returns: (transfer none) (nullable): the layout, which lives as long as the block
 */
const NsSchema *
ns_schema_block_choose (NsSchemaBlock *self, const NsRecord *record, gboolean *depends_on_payload)
{
  guint n, n_exact;
  guint first = ns_schema_block_find (self, record->id, &n);
  guint begin = find_version (self, first, n, (guint8) record->version, &n_exact);
  const NsSchema *schema = NULL;

  *depends_on_payload = n > 0 && n_exact != 1;
  if (n_exact == 1)
    return ns_schema_block_get (self, first + begin);
  for (guint i = 0; i < MIN (n_exact, MAX_TRIES); i++)
    if (fits (ns_schema_block_get (self, first + begin + i), record))
      return ns_schema_block_get (self, first + begin + i);
  if (n_exact == 0)
    schema = find_fitting (self, record, first, n, begin);
  return schema != NULL ? schema
                        : ns_schema_block_find_version (self, record->id, (guint8) record->version);
}
