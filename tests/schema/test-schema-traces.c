/* Tests that real traces decode completely.
 *
 * The number of events must equal that of an independent decoder, and no payload may be too short.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-file.h"
#include "schema/ns-payload.h"

#include <json-glib/json-glib.h>
#include <string.h>

typedef struct
{
  NsSchemas *schemas;
  guint64 n_exact[NS_SCHEMA_NONE + 1];
  guint64 n_longer;
  guint64 n_wrong;
  guint64 n_values;
} Counts;

static const char *
find_traces (void)
{
  const char *dir = g_getenv ("NETSTITCH_TEST_TRACES");

  if (dir == NULL || !g_file_test (dir, G_FILE_TEST_IS_DIR))
    {
      g_test_skip ("no traces");
      return NULL;
    }
  return dir;
}

static gboolean
learn_cb (const NsRecord *record, gpointer user_data)
{
  ns_schemas_learn (((Counts *) user_data)->schemas, record);
  return TRUE;
}

static gboolean
count_value_cb (const NsPayloadItem *item, gpointer user_data)
{
  ((Counts *) user_data)->n_values++;
  return TRUE;
}

static gboolean
count_cb (const NsRecord *record, gpointer user_data)
{
  Counts *counts = user_data;
  const NsSchema *schema = ns_schemas_find (counts->schemas, record);
  NsPayloadResult result = ns_payload_walk (schema, record, count_value_cb, counts);

  if (result == NS_PAYLOAD_EXACT)
    counts->n_exact[schema->source]++;
  else if (result == NS_PAYLOAD_LONGER)
    counts->n_longer++;
  else
    counts->n_wrong++;
  return TRUE;
}

static void
count_file (const char *path, Counts *counts)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (NsEtlFile) file = ns_etl_file_open (path, NULL, &error);

  g_assert_no_error (error);
  ns_etl_file_walk (file, NS_ETL_WALK_FILE_ORDER, NULL, learn_cb, counts, NULL, NULL, &error);
  g_assert_no_error (error);
  ns_etl_file_walk (file, NS_ETL_WALK_FILE_ORDER, NULL, count_cb, counts, NULL, NULL, &error);
  g_assert_no_error (error);
}

static guint64
get_count (JsonObject *decoded, const char *name)
{
  return json_object_has_member (decoded, name)
             ? (guint64) json_object_get_int_member (decoded, name)
             : 0;
}

static void
check_file (const char *dir, const char *name, JsonObject *truth)
{
  JsonObject *decoded = json_object_get_object_member (truth, "decoded");
  g_autofree char *path = g_build_filename (dir, name, NULL);
  Counts counts = { .schemas = ns_schemas_new (NULL) };

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_message ("%s", name);
      count_file (path, &counts);
      g_assert_cmpuint (counts.n_wrong, ==, 0);
      g_assert_cmpuint (ns_schemas_get_n_rejected (counts.schemas), ==, 0);
      g_assert_cmpuint (counts.n_exact[NS_SCHEMA_TRACELOGGING],
                        ==,
                        get_count (decoded, "tracelogging"));
      g_assert_cmpuint (counts.n_exact[NS_SCHEMA_EMBEDDED],
                        ==,
                        get_count (decoded, "metadata") +
                            get_count (decoded, "metadata with bytes left"));
    }
  ns_schemas_free (counts.schemas);
}

static void
test_every_described_event_is_exact (void)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  const char *dir = find_traces ();
  g_autofree char *path = NULL;
  g_autoptr (GList) names = NULL;
  JsonObject *root;
  GList *l;

  if (dir == NULL)
    return;
  path = g_build_filename (dir, "counts.json", NULL);
  if (!json_parser_load_from_file (parser, path, NULL))
    {
      g_test_skip ("no counts");
      return;
    }
  root = json_node_get_object (json_parser_get_root (parser));
  names = json_object_get_members (root);
  for (l = names; l != NULL; l = l->next)
    check_file (dir, l->data, json_object_get_object_member (root, l->data));
}

typedef struct
{
  NsSchemas *schemas;
  guint n_events;
  guint n_named;
} Network;

static gboolean
check_network_cb (const NsRecord *record, gpointer user_data)
{
  static const char *const names[] = { "PID", "size", "daddr", "saddr", "dport", "sport" };
  Network *network = user_data;
  const NsSchema *schema = ns_schemas_find (network->schemas, record);
  gboolean has_all = TRUE;
  NsPayloadItem item;
  guint i;

  if ((record->flags & NS_RECORD_MANIFEST) == 0)
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    has_all = has_all && ns_payload_find (schema, record, names[i], &item);
  network->n_events++;
  network->n_named += has_all ? 1 : 0;
  return TRUE;
}

static void
test_kernel_network_has_names_for_all (void)
{
  const char *dir = find_traces ();
  g_autoptr (NsSchemas) schemas = ns_schemas_new (NULL);
  Network network = { .schemas = schemas };
  g_autoptr (NsEtlFile) file = NULL;
  g_autofree char *path = NULL;

  if (dir == NULL)
    return;
  path = g_build_filename (dir, "KernelNetwork.etl", NULL);
  file = ns_etl_file_open (path, NULL, NULL);
  if (file == NULL)
    {
      g_test_skip ("no such trace");
      return;
    }
  ns_etl_file_walk (file,
                    NS_ETL_WALK_FILE_ORDER,
                    NULL,
                    check_network_cb,
                    &network,
                    NULL,
                    NULL,
                    NULL);
  g_assert_cmpuint (network.n_events, ==, 8923);
  g_assert_cmpuint (network.n_named, ==, 8923);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schema/traces/exact", test_every_described_event_is_exact);
  g_test_add_func ("/schema/traces/kernel-network", test_kernel_network_has_names_for_all);
  return g_test_run ();
}
