/* Fuzz target: the MOF text of event classes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "fuzz/ns-fuzz.h"
#include "schema/ns-schema-mof.h"

#include <string.h>

static void
check_cb (const NsGuid *event_class,
          guint8 opcode,
          guint8 version,
          NsSchema *schema,
          gpointer user_data)
{
  guint i;

  if (schema->n_fields > NS_SCHEMA_MAX_FIELDS || schema->n_top != schema->n_fields)
    ns_fuzz_fail ("more fields than there may be");
  for (i = 0; i < schema->n_fields; i++)
    if (schema->fields[i].name == NULL ||
        ((schema->fields[i].flags & NS_FIELD_COUNT_REF) != 0 && schema->fields[i].count >= i))
      ns_fuzz_fail ("a field without name, or counted by one behind it");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (NsSchemaPool) pool = ns_schema_pool_new ();
  g_autoptr (GError) error = NULL;
  gboolean is_good = ns_schema_mof_parse (pool, (const char *) data, size, check_cb, NULL, &error);

  if (is_good != (error == NULL))
    ns_fuzz_fail ("an error without a word, or a word without an error");
  if (error != NULL && !g_str_has_prefix (error->message, "line "))
    ns_fuzz_fail ("an error that names no line");
  return 0;
}
