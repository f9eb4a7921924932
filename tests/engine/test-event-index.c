/* Tests the event index: all stored fields are read back unchanged.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-event-index.h"
#include "ns-test-trace.h"

typedef struct
{
  NsRecordRef ref;
  gint64 time_ns;
  guint16 id;
} Told;

static void
add (NsTrace *trace, GArray *told, NsRecordRef ref, gint64 time_ns)
{
  Told one = { ref, time_ns, (guint16) told->len };

  g_array_append_val (told, one);
  ns_trace_add_event (trace, ref, time_ns, 7, one.id);
}

static void
assert_told (const NsTrace *trace, GArray *told)
{
  guint i;

  g_assert_cmpuint (trace->events->len, ==, told->len);
  for (i = 0; i < told->len; i++)
    {
      const Told *one = &g_array_index (told, Told, i);
      NsRecordRef ref = ns_trace_get_event_ref (trace, i);

      g_assert_cmpint (ns_trace_get_event_time (trace, i), ==, one->time_ns);
      g_assert_cmpuint (ref.buffer, ==, one->ref.buffer);
      g_assert_cmpuint (ref.offset, ==, one->ref.offset);
      g_assert_cmpuint (ns_trace_get_event (trace, i)->id, ==, one->id);
      g_assert_cmpuint (ns_trace_get_event (trace, i)->provider, ==, 7);
    }
}

static guint
count_wide (const NsTrace *trace)
{
  guint n = 0;
  guint i;

  for (i = 0; i < trace->event_blocks->len; i++)
    n += g_array_index (trace->event_blocks, NsEventBlock, i).wide != NULL;
  return n;
}

/* One million events per second on 64 processors need 16 bytes each. */
static void
test_a_busy_trace_needs_no_more_than_its_rows (void)
{
  NsTrace *trace = test_trace_new (0);
  g_autoptr (GArray) told = g_array_new (FALSE, FALSE, sizeof (Told));
  guint i;

  for (i = 0; i < 10000; i++)
    add (trace,
         told,
         (NsRecordRef){ i / 5000 * 64 + i * 37 % 64, 72 + i % 5000 / 64 * 96 },
         G_GINT64_CONSTANT (3600000000000) + i * 1000);
  assert_told (trace, told);
  g_assert_cmpuint (count_wide (trace), ==, 0);
  g_assert_cmpuint (g_array_get_element_size (trace->events), ==, 16);
  g_assert_cmpuint (trace->event_blocks->len,
                    ==,
                    (10000 + NS_EVENT_BLOCK_ROWS - 1) / NS_EVENT_BLOCK_ROWS);
  test_trace_free (trace);
}

/* In a file of 100 GB, offsets exceed 32 bits. */
static void
test_a_huge_file_needs_no_more_than_its_rows (void)
{
  NsTrace *trace = test_trace_new (0);
  g_autoptr (GArray) told = g_array_new (FALSE, FALSE, sizeof (Told));
  guint i;

  for (i = 0; i < 1000; i++)
    add (trace, told, (NsRecordRef){ 3000000 - i * 37 % 64, 0xfff8 - i * 8 }, i);
  assert_told (trace, told);
  g_assert_cmpuint (count_wide (trace), ==, 0);
  test_trace_free (trace);
}

static void
test_silence_is_kept (void)
{
  NsTrace *trace = test_trace_new (0);
  g_autoptr (GArray) told = g_array_new (FALSE, FALSE, sizeof (Told));
  guint i;

  for (i = 0; i < 400; i++)
    add (trace, told, (NsRecordRef){ i, 72 }, i < 200 ? i : i + G_GINT64_CONSTANT (86400000000000));
  assert_told (trace, told);
  g_assert_cmpuint (count_wide (trace), ==, 1);
  test_trace_free (trace);
}

static void
test_the_longest_step_that_fits_is_not_cut (void)
{
  NsTrace *trace = test_trace_new (0);
  g_autoptr (GArray) told = g_array_new (FALSE, FALSE, sizeof (Told));

  add (trace, told, (NsRecordRef){ 0, 72 }, -5);
  add (trace, told, (NsRecordRef){ 0, 80 }, (gint64) G_MAXUINT32 - 5);
  g_assert_cmpuint (count_wide (trace), ==, 0);
  add (trace, told, (NsRecordRef){ 0, 88 }, (gint64) G_MAXUINT32 - 4);
  g_assert_cmpuint (count_wide (trace), ==, 1);
  assert_told (trace, told);
  test_trace_free (trace);
}

/* Damage: times that alternate between the extremes, invalid offsets, the highest buffer
 * numbers. */
static void
test_damage_is_kept_as_it_is (void)
{
  static const NsRecordRef refs[] = {
    { 0, 73 },          { G_MAXUINT32, 72 },
    { 0, G_MAXUINT32 }, { G_MAXUINT32, G_MAXUINT32 - 7 },
    { 1, 0x10000 },     { 0, 0 },
    { 1, 0xfff8 },      { G_MAXUINT32 / 2, 8 },
  };
  static const gint64 times[] = { 0, G_MININT64, G_MAXINT64, -1, G_MAXINT64, G_MININT64 };
  NsTrace *trace = test_trace_new (0);
  g_autoptr (GArray) told = g_array_new (FALSE, FALSE, sizeof (Told));
  guint i;

  for (i = 0; i < 1000; i++)
    add (trace,
         told,
         refs[i % G_N_ELEMENTS (refs)],
         i < 500 ? (gint64) i : times[i % G_N_ELEMENTS (times)]);
  assert_told (trace, told);
  test_trace_free (trace);
}

static int
compare_told (gconstpointer a, gconstpointer b)
{
  const Told *left = a;
  const Told *right = b;

  if (left->time_ns != right->time_ns)
    return left->time_ns < right->time_ns ? -1 : 1;
  if (left->ref.buffer != right->ref.buffer)
    return left->ref.buffer < right->ref.buffer ? -1 : 1;
  return left->ref.offset < right->ref.offset ? -1 : left->ref.offset > right->ref.offset;
}

/* Records with equal times span several blocks and have offsets that the block format cannot
 * encode. */
static void
test_records_of_one_time_stand_by_their_place (void)
{
  NsTrace *trace = test_trace_new (0);
  g_autoptr (GArray) told = g_array_new (FALSE, FALSE, sizeof (Told));
  guint i;

  for (i = 0; i < 300; i++)
    add (trace, told, (NsRecordRef){ (299 - i) * 10, 72 }, 100 + i / 290);
  for (i = 0; i < 300; i++)
    add (trace, told, (NsRecordRef){ (299 - i) * 10000000, 72 + i * 8 }, 200);
  for (i = 0; i < 300; i++)
    add (trace, told, (NsRecordRef){ i / 3, 800 - i % 3 * 8 }, 300 + i / 3);
  for (i = 0; i < 300; i++)
    add (trace, told, (NsRecordRef){ 600 - i, 72 }, 500 + i / 2);
  ns_trace_sort_events (trace);
  g_array_sort (told, compare_told);
  assert_told (trace, told);
  test_trace_free (trace);
}

static void
test_a_moment_finds_its_first_record (void)
{
  NsTrace *trace = test_trace_new (0);
  guint i;

  g_assert_cmpuint (ns_trace_find_event_from (trace, 0), ==, 0);
  for (i = 0; i < 600; i++)
    ns_trace_add_event (trace,
                        (NsRecordRef){ i, 72 },
                        i / 2 * G_GINT64_CONSTANT (1000000000),
                        0,
                        0);
  g_assert_cmpuint (ns_trace_find_event_from (trace, G_MININT64), ==, 0);
  g_assert_cmpuint (ns_trace_find_event_from (trace, 0), ==, 0);
  g_assert_cmpuint (ns_trace_find_event_from (trace, 1), ==, 2);
  g_assert_cmpuint (ns_trace_find_event_from (trace, G_GINT64_CONSTANT (200000000000)), ==, 400);
  g_assert_cmpuint (ns_trace_find_event_from (trace, G_MAXINT64), ==, 600);
  test_trace_free (trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/event-index/busy", test_a_busy_trace_needs_no_more_than_its_rows);
  g_test_add_func ("/event-index/huge", test_a_huge_file_needs_no_more_than_its_rows);
  g_test_add_func ("/event-index/silence", test_silence_is_kept);
  g_test_add_func ("/event-index/longest-step", test_the_longest_step_that_fits_is_not_cut);
  g_test_add_func ("/event-index/damage", test_damage_is_kept_as_it_is);
  g_test_add_func ("/event-index/ties", test_records_of_one_time_stand_by_their_place);
  g_test_add_func ("/event-index/moment", test_a_moment_finds_its_first_record);
  return g_test_run ();
}
