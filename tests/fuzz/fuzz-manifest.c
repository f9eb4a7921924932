/* Fuzz target: the XML of an instrumentation manifest.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "fuzz/ns-fuzz.h"
#include "schema/ns-schema-manifest.h"

static void
count_cb (const NsGuid *provider, guint16 id, guint8 version, NsSchema *schema, gpointer user_data)
{
  guint *n = user_data;

  if (schema->n_fields > NS_SCHEMA_MAX_FIELDS)
    ns_fuzz_fail ("more fields than there may be");
  ++*n;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (NsSchemaPool) pool = ns_schema_pool_new ();
  guint n = 0;

  ns_schema_manifest_parse (pool, (const char *) data, size, NS_SCHEMA_USER, count_cb, &n, NULL);
  return 0;
}
