/* Tests sorting.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-rows.h"

#include "base/ns-parts.h"
#include "query/ns-order.h"

#include <string.h>

/* Makes rows 1 to 6 with these servers and bytes. */
static NsTrace *
make_trace (void)
{
  static const struct
  {
    const char *server;
    guint64 sent;
    const char *ip;
  } rows[] = {
    { "beta", 5, "10.0.0.9" }, { "Alpha", 7, "10.0.0.10" }, { NULL, 5, NULL },
    { "alpha", 5, "9.9.9.9" }, { "beta", 1, "10.0.0.9" },   { "gamma", G_MAXUINT64, "::1" },
  };
  NsTrace *trace = test_trace_new (1000);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      NsActivityRow *row = test_trace_add_activity (trace, rows[i].server, i);

      row->sent = rows[i].sent;
      if (rows[i].ip != NULL)
        row->remote = test_trace_end (trace, rows[i].ip, 0);
    }
  return trace;
}

static void
assert_order_once (const NsTrace *trace, const char *order, const char *expected)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) keys = ns_order_parse (NS_TABLE_ACTIVITIES, order, &error);
  guint32 i;

  g_assert_no_error (error);
  for (i = 0; i < trace->activities->len; i++)
    g_array_append_val (rows, i);
  g_assert_true (
      ns_order_sort (trace, &g_array_index (keys, NsOrderKey, 0), keys->len, rows, NULL, NULL));
  for (i = 0; i < rows->len; i++)
    g_string_append_printf (text, "%u", g_array_index (rows, guint32, i) + 1);
  g_assert_cmpstr (text->str, ==, expected);
}

/* Asserts the order from rows, while columns are made, and from columns. */
static void
assert_order (const char *order, const char *expected)
{
  NsTrace *trace = make_trace ();
  guint i;

  trace->columns = ns_columns_new ();
  for (i = 0; i < 3; i++)
    assert_order_once (trace, order, expected);
  test_trace_free (trace);
}

static void
test_equal_rows_stay_in_the_order_they_had (void)
{
  assert_order ("sent", "513426");
  assert_order ("-sent", "621345");
}

static void
test_unknown_values_come_last_either_way (void)
{
  assert_order ("server", "241563");
  assert_order ("-server", "615423");
}

static void
test_the_first_key_counts_most (void)
{
  assert_order ("sent,-server", "514326");
  assert_order ("server,sent", "245163");
}

static void
test_addresses_are_ordered_by_their_bytes (void)
{
  assert_order ("ip", "415263");
}

static void
test_a_key_that_is_no_field_is_refused (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_order_parse (NS_TABLE_ACTIVITIES, "server,nonsense", &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY);
}

static void
test_an_order_is_written_as_it_is_read (void)
{
  g_autoptr (GArray) keys = ns_order_parse (NS_TABLE_ACTIVITIES, " -server, +ip,sent", NULL);
  g_autofree char *text = ns_order_to_text (keys);

  g_assert_cmpstr (text, ==, "-server,ip,sent");
  g_array_set_size (keys, 0);
  g_free (text);
  text = ns_order_to_text (keys);
  g_assert_cmpstr (text, ==, "");
}

/* Long common prefixes, ends inside and at the boundary of eight bytes, and upper and lower
 * case. */
static void
test_texts_that_begin_alike_are_ordered_to_their_ends (void)
{
  NsTrace *trace = test_trace_new (1000);
  NsOrderKey key = { ns_table_find_field (NS_TABLE_ACTIVITIES, "server"), FALSE };
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  const char *before = "";
  guint32 i;

  for (i = 0; i < 3000; i++)
    {
      guint32 mixed = i * 2654435761u;
      g_autofree char *server = g_strdup_printf ("https://%s.example%.*s/%u",
                                                 mixed & 64 ? "HOST" : "host",
                                                 (int) (mixed % 17),
                                                 "aaaaaaaaaaaaaaaaa",
                                                 mixed % 100);

      test_trace_add_activity (trace, server, i);
      g_array_append_val (rows, i);
    }
  g_assert_true (ns_order_sort (trace, &key, 1, rows, NULL, NULL));
  for (i = 0; i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);
      const char *server =
          ns_trace_text (trace, g_array_index (trace->activities, NsActivityRow, row).server);
      int order = g_ascii_strcasecmp (before, server);

      g_assert_true (order < 0 || (order == 0 && strcmp (before, server) <= 0));
      before = server;
    }
  test_trace_free (trace);
}

/* Sort key of the reference implementation; fields without a single value sort by their text. */
typedef struct
{
  guint32 row;
  guint place;
  NsFieldValue value;
  gboolean descending;
} ByHand;

static int
compare_by_hand (const void *a, const void *b)
{
  const ByHand *left = a;
  const ByHand *right = b;
  int order = ns_field_value_compare (&left->value, &right->value);

  if (left->descending && !left->value.is_null && !right->value.is_null)
    order = -order;
  if (order == 0)
    return left->place < right->place ? -1 : 1;
  return order;
}

static void
read_by_hand (ByHand *self, const NsTrace *trace, const NsOrderKey *key)
{
  ns_field_get (trace, key->field, self->row, &self->value);
  self->descending = key->descending;
  if (self->value.type == NS_TYPE_LIST && !self->value.is_null)
    {
      GString *text = g_string_new (NULL);

      ns_field_append_raw (key->field, &self->value, text);
      ns_field_value_clear (&self->value);
      self->value.type = NS_TYPE_TEXT;
      self->value.owned = g_string_free (text, FALSE);
      self->value.v.text = self->value.owned;
    }
}

/* Leaves out every third row and shuffles the rest. */
static GArray *
list_some_rows (guint n_rows)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 i;

  for (i = 0; i < n_rows; i++)
    {
      guint32 row = (guint32) ((guint64) i * 7919 % n_rows);

      if (row % 3 != 0)
        g_array_append_val (rows, row);
    }
  return rows;
}

static void
assert_as_by_hand (const NsTrace *trace, const NsOrderKey *key)
{
  g_autoptr (GArray) rows = list_some_rows (trace->activities->len);
  g_autofree ByHand *expected = g_new0 (ByHand, rows->len);
  guint i;

  for (i = 0; i < rows->len; i++)
    {
      expected[i].row = g_array_index (rows, guint32, i);
      expected[i].place = i;
      read_by_hand (&expected[i], trace, key);
    }
  if (rows->len > 0)
    qsort (expected, rows->len, sizeof *expected, compare_by_hand);
  g_assert_true (ns_order_sort (trace, key, 1, rows, NULL, NULL));
  for (i = 0; i < rows->len; i++)
    {
      if (g_array_index (rows, guint32, i) != expected[i].row)
        g_error ("%s, %u", key->field->id, i);
      ns_field_value_clear (&expected[i].value);
    }
}

/* Enough rows for two threads to read and sort; one field of each kind. */
static void
test_many_rows_are_ordered_as_by_hand (void)
{
  static const char *const ids[] = { "url",           "-process", "phases", "ip",   "-layers",
                                     "activity_guid", "-sent",    "posted", "pid",  "duration_ns",
                                     "-open_ns",      "failed",   "reused", "-tid", "stack_path" };
  NsTrace *trace = test_rows_new (NS_PARTS_ITEMS * 6);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) keys = ns_order_parse (NS_TABLE_ACTIVITIES, ids[i], &error);

      g_assert_no_error (error);
      assert_as_by_hand (trace, &g_array_index (keys, NsOrderKey, 0));
    }
  test_rows_free (trace);
}

/* Few rows for a single thread, and few strings that need a complete comparison. */
static void
test_every_field_is_ordered_as_by_hand (void)
{
  guint n_fields;
  const NsField *fields = ns_table_get_fields (NS_TABLE_ACTIVITIES, &n_fields);
  guint n_rows;
  guint i;

  for (n_rows = 1; n_rows < 4000; n_rows += n_rows < 40 ? 3 : 3000)
    {
      NsTrace *trace = test_rows_new (n_rows);

      for (i = 0; i < n_fields; i++)
        {
          const NsOrderKey upwards = { &fields[i], FALSE };
          const NsOrderKey downwards = { &fields[i], TRUE };

          assert_as_by_hand (trace, &upwards);
          assert_as_by_hand (trace, &downwards);
        }
      test_rows_free (trace);
    }
}

static gboolean
stop (double fraction, gpointer user_data)
{
  return FALSE;
}

static void
test_stopping_leaves_the_rows_as_they_were (void)
{
  NsTrace *trace = test_trace_new (1000);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  NsOrderKey key = { ns_table_find_field (NS_TABLE_ACTIVITIES, "open_ns"), TRUE };
  guint32 i;

  for (i = 0; i < 100000; i++)
    {
      test_trace_add_activity (trace, NULL, i);
      g_array_append_val (rows, i);
    }
  g_assert_false (ns_order_sort (trace, &key, 1, rows, stop, NULL));
  g_assert_cmpuint (g_array_index (rows, guint32, 0), ==, 0);
  g_assert_true (ns_order_sort (trace, &key, 1, rows, NULL, NULL));
  for (i = 0; i < 100000; i++)
    g_assert_cmpuint (g_array_index (rows, guint32, i), ==, 99999 - i);
  test_trace_free (trace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/order/equal-rows-stay-in-the-order-they-had",
                   test_equal_rows_stay_in_the_order_they_had);
  g_test_add_func ("/order/unknown-values-come-last-either-way",
                   test_unknown_values_come_last_either_way);
  g_test_add_func ("/order/the-first-key-counts-most", test_the_first_key_counts_most);
  g_test_add_func ("/order/addresses-are-ordered-by-their-bytes",
                   test_addresses_are_ordered_by_their_bytes);
  g_test_add_func ("/order/texts-that-begin-alike-are-ordered-to-their-ends",
                   test_texts_that_begin_alike_are_ordered_to_their_ends);
  g_test_add_func ("/order/every-field-is-ordered-as-by-hand",
                   test_every_field_is_ordered_as_by_hand);
  g_test_add_func ("/order/many-rows-are-ordered-as-by-hand",
                   test_many_rows_are_ordered_as_by_hand);
  g_test_add_func ("/order/a-key-that-is-no-field-is-refused",
                   test_a_key_that_is_no_field_is_refused);
  g_test_add_func ("/order/an-order-is-written-as-it-is-read",
                   test_an_order_is_written_as_it_is_read);
  g_test_add_func ("/order/stopping-leaves-the-rows-as-they-were",
                   test_stopping_leaves_the_rows_as_they_were);
  return g_test_run ();
}
