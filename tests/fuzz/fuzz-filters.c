/* Fuzz target: the XML that netsh writes about the Windows Filtering Platform.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "fuzz/ns-fuzz.h"
#include "schema/ns-schema-filters.h"

static void
check_name (const char *name)
{
  if (name != NULL &&
      (strlen (name) > NS_SCHEMA_FILTERS_MAX_TEXT || !g_utf8_validate (name, -1, NULL)))
    ns_fuzz_fail ("a name that is no text, or too long");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (NsSchemaFilters) filters = ns_schema_filters_new ((const char *) data, size, &error);
  guint i;

  if ((filters == NULL) != (error != NULL))
    ns_fuzz_fail ("refused without a reason");
  for (i = 0; filters != NULL && i < 100; i++)
    {
      check_name (ns_schema_filters_get_name (filters, i));
      check_name (ns_schema_filters_get_provider (filters, i));
      check_name (ns_schema_filters_get_layer (filters, i));
    }
  return 0;
}
