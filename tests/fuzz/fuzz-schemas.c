/* Fuzz target: a file of built-in schemas, and a single block without its checksums.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "fuzz/ns-fuzz.h"
#include "schema/ns-payload.h"
#include "schema/ns-schema-data.h"

#include <string.h>

static void
use_up (NsSchemaBlock *block, const guint8 *data, gsize size)
{
  NsRecord record = { .flags = NS_RECORD_MANIFEST,
                      .pointer_size = 8,
                      .payload = data,
                      .payload_size = (guint16) MIN (size, 64) };
  guint n = MIN (ns_schema_block_get_n_events (block), 64);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      gboolean depends_on_payload;
      const NsSchema *schema;

      record.id = ns_schema_block_get_id (block, i);
      record.version = ns_schema_block_get_version (block, i);
      schema = ns_schema_block_choose (block, &record, &depends_on_payload);
      if (schema == NULL)
        ns_fuzz_fail ("an event without a layout");
      ns_payload_append_json (schema, &record, NULL, text);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) refusal = NULL;
  g_autoptr (NsSchemaData) file = ns_schema_data_new (data, size, &error);
  g_autoptr (NsSchemaBlock) block =
      ns_schema_block_new ("Fuzz", g_memdup2 (data, MAX (size, 1)), size, &refusal);

  if ((file == NULL) != (error != NULL) || (block == NULL) != (refusal != NULL))
    ns_fuzz_fail ("an error without a word, or a word without an error");
  if (block != NULL)
    use_up (block, data, size);
  for (guint i = 0; file != NULL && i < MIN (ns_schema_data_get_n_providers (file), 16); i++)
    {
      NsSchemaBlock *one = ns_schema_data_get_block (file, i, NULL);

      if (one != NULL)
        use_up (one, data, size);
    }
  return 0;
}
