/* Tests the parent-child relations of activity IDs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-activity-ids.h"
#include "story.h"

/* Maximum number of ancestors that are searched (ns-activity-ids.c). */
#define MAX_SEARCH 256

static NsGuid
id_of (guint32 number)
{
  return (NsGuid) NS_GUID_INIT (number, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
}

/* Writes an event with activity ID @child and related activity ID @parent. */
static void
add (NsEtlWriter *writer, guint ms, guint child, guint parent)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterEvent event = { .raw = ns_etl_writer_get_base_raw (writer) + ms * 10000,
                             .guid = id_of (9999999),
                             .id = 1,
                             .activity = id_of (child),
                             .related = id_of (parent),
                             .payload = payload };

  g_assert_true (ns_etl_writer_add_event (writer, &event));
}

static gboolean
add_cb (const NsRecord *record, gpointer user_data)
{
  ns_activity_ids_add (user_data, record);
  return TRUE;
}

static NsActivityIds *
read_all (NsEtlWriter *writer)
{
  NsActivityIds *ids = ns_activity_ids_new ();
  g_autoptr (GBytes) bytes = ns_etl_writer_finish (writer);
  g_autoptr (NsEtlFile) file = ns_etl_file_open_bytes (bytes, "ids", NULL);

  g_assert_nonnull (file);
  ns_etl_file_walk (file, NS_ETL_WALK_TIME_ORDER, NULL, add_cb, ids, NULL, NULL, NULL);
  ns_activity_ids_settle (ids);
  return ids;
}

static guint
depth_of (const NsActivityIds *ids, guint number)
{
  NsGuid id = id_of (number);

  return ns_activity_ids_get_depth (ids, &id);
}

static void
test_no_activity_is_above_itself (void)
{
  static const NsEtlWriterOptions options = { .n_processors = 1 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (NsActivityIds) ids = NULL;

  add (writer, 1, 2, 1);
  add (writer, 2, 3, 2);
  add (writer, 3, 1, 3);
  ids = read_all (writer);
  g_assert_cmpuint (depth_of (ids, 1), ==, 0);
  g_assert_cmpuint (depth_of (ids, 3), ==, 2);
}

/* The root of one tree may become a child in the same tree only if it is not an ancestor already.
 * The check follows parents for at most MAX_SEARCH steps. */
static void
test_what_is_above_is_searched_so_far_only (void)
{
  static const NsEtlWriterOptions options = { .n_processors = 1 };
  guint n;

  for (n = MAX_SEARCH; n <= MAX_SEARCH + 1; n++)
    {
      g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
      g_autoptr (NsActivityIds) ids = NULL;
      guint i;

      for (i = 2; i <= n; i++)
        add (writer, i, i, i - 1);
      /* Gives activity 2 the second parent 5000, which makes 5000 a part of the tree. */
      add (writer, 1000, 2, 5000);
      add (writer, 1001, 5000, n);
      ids = read_all (writer);
      g_assert_cmpuint (depth_of (ids, n), ==, n - 1);
      g_assert_cmpuint (depth_of (ids, 5000), ==, n <= MAX_SEARCH ? n : 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/activity-ids/no-activity-is-above-itself", test_no_activity_is_above_itself);
  g_test_add_func ("/activity-ids/what-is-above-is-searched-so-far-only",
                   test_what_is_above_is_searched_so_far_only);
  return g_test_run ();
}
