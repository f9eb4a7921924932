/* Tests the reordering of segments.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-order.h"

#include <string.h>

static const guint8 text[] = "abcdefghijklmnopqrstuvwxyz";

typedef struct
{
  NsWireOrder order;
  GString *out; /* delivered bytes, `[n]` for n bytes that were not captured */
  GString *times;
  gboolean is_borrowed;
  guint n_wanted; /* calls after which the reader wants no more data */
} Reader;

static gboolean
take (const NsWireSegment *bytes, gpointer user_data)
{
  Reader *self = user_data;

  if (bytes->data == NULL)
    g_string_append_printf (self->out, "[%u]", (guint) bytes->size);
  else
    g_string_append_len (self->out, (const char *) bytes->data, (gssize) bytes->size);
  self->is_borrowed &= bytes->data == NULL || (bytes->data >= text && bytes->data < text + 26);
  g_string_append_printf (self->times, "%d ", (int) bytes->time_ns);
  return self->n_wanted == 0 || --self->n_wanted > 0;
}

static Reader *
reader_new (void)
{
  Reader *self = g_new0 (Reader, 1);

  self->out = g_string_new (NULL);
  self->times = g_string_new (NULL);
  self->is_borrowed = TRUE;
  return self;
}

static void
reader_free (Reader *self)
{
  ns_wire_order_clear (&self->order);
  g_string_free (self->out, TRUE);
  g_string_free (self->times, TRUE);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reader, reader_free)

/* Adds @size letters from @from on, of which @captured were captured. */
static gboolean
add (Reader *self, guint32 base, guint from, guint size, guint captured, gint64 time_ns)
{
  NsWireSegment segment = { .data = captured > 0 ? text + from : NULL,
                            .captured = captured,
                            .size = size,
                            .seq = base + from,
                            .time_ns = time_ns };

  return ns_wire_order_add (&self->order, &segment, take, self);
}

static void
test_bytes_are_handed_over_where_they_are (void)
{
  g_autoptr (Reader) reader = reader_new ();

  add (reader, 100, 0, 3, 3, 1);
  add (reader, 100, 3, 3, 3, 2);
  g_assert_cmpstr (reader->out->str, ==, "abcdef");
  g_assert_cmpstr (reader->times->str, ==, "1 2 ");
  g_assert_true (reader->is_borrowed);
}

static void
test_what_came_early_waits (void)
{
  g_autoptr (Reader) reader = reader_new ();

  ns_wire_order_begin (&reader->order, 100);
  add (reader, 100, 6, 3, 3, 1);
  add (reader, 100, 3, 3, 3, 2);
  g_assert_cmpstr (reader->out->str, ==, "");
  add (reader, 100, 0, 3, 3, 5);
  g_assert_cmpstr (reader->out->str, ==, "abcdefghi");
  /* Nothing could be delivered earlier. */
  g_assert_cmpstr (reader->times->str, ==, "5 5 5 ");
  g_assert_true (reader->is_borrowed);
}

static void
test_each_byte_comes_once (void)
{
  g_autoptr (Reader) reader = reader_new ();

  add (reader, 0xfffffffe, 0, 3, 3, 1);
  add (reader, 0xfffffffe, 0, 3, 3, 2);
  add (reader, 0xfffffffe, 1, 4, 4, 3);
  add (reader, 0xfffffffe, 7, 2, 2, 4);
  add (reader, 0xfffffffe, 6, 2, 2, 5);
  add (reader, 0xfffffffe, 4, 4, 4, 6);
  add (reader, 0xfffffffe, 9, 1, 1, 7);
  g_assert_cmpstr (reader->out->str, ==, "abcdefghij");
}

static void
test_what_was_not_captured_is_told (void)
{
  g_autoptr (Reader) reader = reader_new ();

  add (reader, 7, 0, 6, 4, 1);
  add (reader, 7, 6, 2, 0, 2);
  add (reader, 7, 8, 1, 1, 3);
  g_assert_cmpstr (reader->out->str, ==, "abcd[2][2]i");
  /* A complete retransmission does not change what was delivered. */
  add (reader, 7, 0, 9, 9, 4);
  g_assert_cmpstr (reader->out->str, ==, "abcd[2][2]i");
}

static void
test_the_end_gives_gaps_up (void)
{
  g_autoptr (Reader) reader = reader_new ();

  add (reader, 7, 0, 2, 2, 1);
  add (reader, 7, 4, 2, 2, 2);
  add (reader, 7, 9, 1, 1, 3);
  ns_wire_order_flush (&reader->order, take, reader);
  g_assert_cmpstr (reader->out->str, ==, "ab[2]ef[3]j");
  g_assert_cmpstr (reader->times->str, ==, "1 2 2 3 3 ");
}

static void
test_nothing_waits_for_ever (void)
{
  g_autoptr (Reader) reader = reader_new ();
  guint i;

  add (reader, 0, 0, 1, 1, 1);
  for (i = 0; i < NS_WIRE_ORDER_MAX_WAITING; i++)
    add (reader, 1 + i, 1, 1, 1, 2);
  g_assert_cmpstr (reader->out->str, ==, "a");
  add (reader, 1 + i, 1, 1, 1, 3);
  g_assert_true (g_str_has_prefix (reader->out->str, "a[1]bbbb"));
  g_assert_cmpuint (reader->out->len, ==, 4 + NS_WIRE_ORDER_MAX_WAITING + 1);
}

static void
test_who_wants_no_more_gets_no_more (void)
{
  g_autoptr (Reader) reader = reader_new ();

  reader->n_wanted = 2;
  g_assert_true (add (reader, 7, 0, 2, 2, 1));
  g_assert_true (add (reader, 7, 4, 2, 2, 2));
  g_assert_false (add (reader, 7, 2, 2, 2, 3));
  g_assert_false (add (reader, 7, 6, 2, 2, 3));
  ns_wire_order_flush (&reader->order, take, reader);
  g_assert_cmpstr (reader->out->str, ==, "abcd");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/order/bytes-are-handed-over-where-they-are",
                   test_bytes_are_handed_over_where_they_are);
  g_test_add_func ("/order/what-came-early-waits", test_what_came_early_waits);
  g_test_add_func ("/order/each-byte-comes-once", test_each_byte_comes_once);
  g_test_add_func ("/order/what-was-not-captured-is-told", test_what_was_not_captured_is_told);
  g_test_add_func ("/order/the-end-gives-gaps-up", test_the_end_gives_gaps_up);
  g_test_add_func ("/order/nothing-waits-for-ever", test_nothing_waits_for_ever);
  g_test_add_func ("/order/who-wants-no-more-gets-no-more", test_who_wants_no_more_gets_no_more);
  return g_test_run ();
}
