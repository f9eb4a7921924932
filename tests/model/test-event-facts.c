/* Tests decoded events, and the events of a row, on the sample trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-event-index.h"
#include "model/ns-event-facts.h"
#include "model/ns-row-job.h"
#include "query/ns-filter.h"

static NsTrace *sample;

static char *
field_text (guint32 row, const char *id)
{
  const NsField *field = ns_table_find_field (NS_TABLE_EVENTS, id);
  GString *text = g_string_new (NULL);
  NsFieldValue value = { 0 };

  g_assert_nonnull (field);
  ns_field_get (sample, field, row, &value);
  if (!value.is_null)
    ns_field_append_raw (field, &value, text);
  ns_field_value_clear (&value);
  return g_string_free (text, FALSE);
}

static guint32
find_event (const char *name)
{
  guint32 row;

  for (row = 0; row < sample->events->len; row++)
    {
      g_autofree char *text = field_text (row, "name");

      if (g_strcmp0 (text, name) == 0)
        return row;
    }
  g_error ("the sample has no %s", name);
}

static const NsEventFact *
get_fact (const NsEventFacts *facts, guint which)
{
  g_assert_cmpuint (which, <, facts->facts->len);
  return &g_array_index (facts->facts, NsEventFact, which);
}

static const NsEventFact *
find_fact (const NsEventFacts *facts, const char *name)
{
  guint i;

  for (i = 0; i < facts->facts->len; i++)
    if (g_strcmp0 (get_fact (facts, i)->name, name) == 0)
      return get_fact (facts, i);
  return NULL;
}

static char *
part_to_text (const NsEventFacts *facts, NsEventPart part)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < facts->facts->len; i++)
    {
      const NsEventFact *fact = get_fact (facts, i);

      if (fact->part == part)
        g_string_append_printf (text,
                                "%s%s@%u+%u:%s",
                                text->len > 0 ? " " : "",
                                fact->name,
                                fact->offset,
                                fact->size,
                                fact->type);
    }
  return g_string_free (text, FALSE);
}

static void
test_a_field_is_its_bytes (void)
{
  g_autoptr (NsEventFacts) facts =
      ns_event_facts_new (sample, find_event ("TcpDataTransferReceive"));
  g_autofree char *fields = part_to_text (facts, NS_EVENT_PART_FIELD);
  g_autofree char *header = part_to_text (facts, NS_EVENT_PART_HEADER);

  g_assert_cmpstr (fields, ==, "Tcb@80+8:pointer NumBytes@88+4:uint32 SeqNo@92+4:uint32");
  g_assert_cmpstr (header,
                   ==,
                   "Size@0+2:uint16 Header kind@2+1:uint8 Marker@3+1:uint8 Flags@4+2:uint16 "
                   "Property@6+2:uint16 Thread@8+4:uint32 PID@12+4:uint32 Time stamp@16+8:uint64 "
                   "Provider GUID@24+16:GUID ID@40+2:uint16 Version@42+1:uint8 "
                   "Channel@43+1:uint8 Level@44+1:uint8 Opcode@45+1:uint8 Task@46+2:uint16 "
                   "Keyword@48+8:uint64 Kernel Time@56+4:uint32 User Time@60+4:uint32 "
                   "Activity ID@64+16:GUID");
  g_assert_cmpmem (facts->bytes + 80, 8, "\x00\x10\x00\x00\x00\xaa\xff\xff", 8);
  g_assert_cmpstr (find_fact (facts, "Tcb")->value, ==, "0xffffaa0000001000");
}

static void
test_a_byte_finds_its_field (void)
{
  g_autoptr (NsEventFacts) facts =
      ns_event_facts_new (sample, find_event ("TcpDataTransferReceive"));
  guint32 byte;

  g_assert_cmpuint (facts->payload_at, ==, 80);
  for (byte = 0; byte < facts->n_bytes; byte++)
    {
      guint which = ns_event_facts_find (facts, byte);

      g_assert_cmpint (facts->known[byte], ==, which != NS_EVENT_FACT_NONE);
      if (which == NS_EVENT_FACT_NONE)
        continue;
      g_assert_cmpuint (byte, >=, get_fact (facts, which)->offset);
      g_assert_cmpuint (byte - get_fact (facts, which)->offset, <, get_fact (facts, which)->size);
    }
  g_assert_cmpstr (get_fact (facts, ns_event_facts_find (facts, 41))->name, ==, "ID");
  g_assert_cmpstr (get_fact (facts, ns_event_facts_find (facts, 91))->name, ==, "NumBytes");
  g_assert_cmpuint (ns_event_facts_find (facts, facts->n_bytes), ==, NS_EVENT_FACT_NONE);
}

/* The element of an array contains the byte more closely than the array. */
static void
test_the_innermost_field_has_the_byte (void)
{
  g_autoptr (NsEventFacts) facts = ns_event_facts_new (sample, find_event ("StackWalk/Stack"));
  const NsEventFact *stack = find_fact (facts, "Stack");
  const NsEventFact *frame;

  g_assert_nonnull (stack);
  g_assert_cmpuint (stack->size, >, 8);
  frame = get_fact (facts, ns_event_facts_find (facts, stack->offset + 9));
  g_assert_cmpuint (frame->depth, ==, stack->depth + 1);
  g_assert_cmpuint (frame->offset, ==, stack->offset + 8);
  g_assert_cmpuint (frame->size, ==, 8);
}

static void
test_headers_say_what_the_table_says (void)
{
  static const char *const pairs[][2] = { { "PID", "pid" },
                                          { "Thread", "tid" },
                                          { "ID", "id" },
                                          { "Provider GUID", "provider" } };
  guint n_compared = 0;
  guint32 row;
  guint i;

  for (row = 0; row < sample->events->len; row++)
    {
      g_autoptr (NsEventFacts) facts = ns_event_facts_new (sample, row);

      g_assert_nonnull (facts);
      g_assert_false (facts->is_bad);
      for (i = 0; i < G_N_ELEMENTS (pairs); i++)
        {
          const NsEventFact *fact = find_fact (facts, pairs[i][0]);
          g_autofree char *text = field_text (row, pairs[i][1]);

          if (fact == NULL || fact->part != NS_EVENT_PART_HEADER || *text == '\0')
            continue;
          g_assert_cmpstr (fact->value, ==, text);
          n_compared++;
        }
      for (i = 0; i < facts->facts->len; i++)
        {
          const NsEventFact *fact = get_fact (facts, i);

          g_assert_cmpuint (fact->offset, <=, facts->n_bytes);
          g_assert_cmpuint (fact->size, <=, facts->n_bytes - fact->offset);
        }
    }
  g_assert_cmpuint (n_compared, >, sample->events->len);
  g_assert_null (ns_event_facts_new (sample, sample->events->len));
}

static void
test_a_record_tells_where_it_stands_in_the_file (void)
{
  g_autofree char *file = NULL;
  gsize n_bytes;
  guint32 row;

  g_assert_true (g_file_get_contents (g_getenv ("NETSTITCH_SAMPLE"), &file, &n_bytes, NULL));
  for (row = 0; row < sample->events->len; row++)
    {
      g_autoptr (NsEventFacts) facts = ns_event_facts_new (sample, row);

      g_assert_true (facts->is_in_file);
      g_assert_cmpuint (facts->file_offset + facts->payload_at, <=, n_bytes);
      g_assert_cmpmem (file + facts->file_offset,
                       facts->payload_at,
                       facts->bytes,
                       facts->payload_at);
    }
}

static void
test_a_record_tells_who_described_it (void)
{
  g_autoptr (NsEventFacts) manifest =
      ns_event_facts_new (sample, find_event ("TcpDataTransferReceive"));
  g_autoptr (NsEventFacts) classic = ns_event_facts_new (sample, find_event ("StackWalk/Stack"));

  g_assert_cmpint (manifest->source, ==, NS_SCHEMA_BUILTIN);
  g_assert_false (manifest->is_classic);
  g_assert_cmpuint (manifest->n_used, ==, 16);
  g_assert_cmpint (classic->source, ==, NS_SCHEMA_BUILTIN);
  g_assert_true (classic->is_classic);
  g_assert_cmpuint (classic->n_used, ==, classic->n_bytes - classic->payload_at);
}

/* The terminator of a string is not part of the value, but counts as decoded. */
static void
test_the_end_of_a_text_is_used (void)
{
  guint n_ends = 0;
  guint32 row;
  guint i;

  for (row = 0; row < sample->events->len; row++)
    {
      g_autoptr (NsEventFacts) facts = ns_event_facts_new (sample, row);
      guint32 n_known = 0;

      for (i = facts->payload_at; i < facts->n_bytes; i++)
        n_known += facts->known[i];
      g_assert_cmpuint (facts->n_used, >=, n_known);
      if (facts->is_exact)
        g_assert_cmpuint (facts->n_used, ==, facts->n_bytes - facts->payload_at);
      else
        g_assert_cmpuint (facts->n_used, ==, n_known);
      n_ends += facts->n_used > n_known;
    }
  g_assert_cmpuint (n_ends, >, 10);
}

/* The filter made by a click on a field. */
static void
test_a_value_makes_a_filter_that_keeps_its_record (void)
{
  guint n_kept = 0;
  guint32 row;
  guint i;

  for (row = 0; row < sample->events->len; row++)
    {
      g_autoptr (NsEventFacts) facts = ns_event_facts_new (sample, row);

      for (i = 0; i < facts->facts->len; i++)
        {
          const NsEventFact *fact = get_fact (facts, i);
          g_autofree char *text = ns_event_facts_to_filter (facts, i);
          NsFilter *filter;

          g_assert_true (text != NULL || fact->part != NS_EVENT_PART_FIELD || fact->depth > 0 ||
                         *fact->value == '\0');
          if (text == NULL)
            continue;
          filter = ns_filter_new (NS_TABLE_EVENTS, text, NULL, NULL);
          g_assert_nonnull (filter);
          if (!ns_filter_matches (filter, sample, row))
            g_error ("%s does not keep record %u", text, row);
          ns_filter_free (filter);
          n_kept++;
        }
    }
  g_assert_cmpuint (n_kept, >, sample->events->len);
}

static void
test_steps_walk_all_fields_with_bytes (void)
{
  g_autoptr (NsEventFacts) facts =
      ns_event_facts_new (sample, find_event ("TcpDataTransferReceive"));
  guint at = ns_event_facts_step (facts, NS_EVENT_FACT_NONE, TRUE);
  guint n_steps = 1;
  guint next;

  g_assert_cmpstr (get_fact (facts, at)->name, ==, "Size");
  while ((next = ns_event_facts_step (facts, at, TRUE)) != at)
    {
      g_assert_cmpuint (ns_event_facts_step (facts, next, FALSE), ==, at);
      at = next;
      n_steps++;
    }
  g_assert_cmpuint (n_steps, ==, facts->facts->len);
  g_assert_cmpstr (get_fact (facts, at)->name, ==, "SeqNo");
}

/* Counts, by the text of their fields, the records that contain a pointer during a row. */
static guint
count_by_text (guint64 key, NsTimeSpan span, guint32 pid)
{
  g_autofree char *wanted = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", key);
  g_autofree char *wanted_pid = g_strdup_printf ("%u", pid);
  guint n_found = 0;
  guint32 row;
  guint i;

  for (row = 0; row < sample->events->len; row++)
    {
      gint64 time_ns = ns_trace_get_event_time (sample, row);
      g_autoptr (NsEventFacts) facts = ns_event_facts_new (sample, row);
      g_autofree char *pid_text = field_text (row, "pid");

      if (time_ns < span.begin_ns || time_ns > span.end_ns ||
          (pid != NS_PID_UNKNOWN && g_strcmp0 (pid_text, wanted_pid) != 0))
        continue;
      for (i = 0; i < facts->facts->len; i++)
        if (get_fact (facts, i)->part == NS_EVENT_PART_FIELD &&
            g_strcmp0 (get_fact (facts, i)->value, wanted) == 0)
          {
            n_found++;
            break;
          }
    }
  return n_found;
}

static void
test_a_connection_has_the_records_of_its_tcb (void)
{
  guint n_tested = 0;
  guint32 row;

  for (row = 0; row < sample->tcp->len; row++)
    {
      const NsTcpRow *tcp = &g_array_index (sample->tcp, NsTcpRow, row);
      g_autoptr (NsRowEvents) found = ns_row_events_find (sample, NS_TABLE_TCP, row, NULL, NULL);

      if (tcp->is_udp)
        continue;
      g_assert_cmpuint (found->keys->len, ==, 1);
      g_assert_cmphex (g_array_index (found->keys, NsRowKey, 0).value, ==, tcp->tcb);
      g_assert_cmpuint (found->events->len, ==, count_by_text (tcp->tcb, found->span, -1));
      g_assert_cmpuint (found->events->len, >, 2);
      n_tested++;
    }
  g_assert_cmpuint (n_tested, >, 3);
}

static gboolean
has_link (const NsEventRows *found, NsTableId table, guint32 row)
{
  guint i;

  for (i = 0; i < found->links->len; i++)
    if (g_array_index (found->links, NsEventRowLink, i).table == table &&
        g_array_index (found->links, NsEventRowLink, i).row == row)
      return TRUE;
  return FALSE;
}

/* The events of a row are those that have the row: both searches agree. */
static void
test_a_record_belongs_to_the_row_it_is_evidence_of (void)
{
  static const NsTableId tables[] = { NS_TABLE_TCP, NS_TABLE_WINSOCK, NS_TABLE_WEBIO };
  guint n_tested = 0;
  guint32 row;
  guint t;
  guint i;

  for (t = 0; t < G_N_ELEMENTS (tables); t++)
    for (row = 0; row < ns_table_get_n_rows (sample, tables[t]); row++)
      {
        g_autoptr (NsRowEvents) own = ns_row_events_describe (sample, tables[t], row);
        g_autoptr (NsRowEvents) all = ns_row_events_find (sample, tables[t], row, NULL, NULL);

        for (i = 0; i < all->events->len; i++)
          {
            const NsRowEvent *event = &g_array_index (all->events, NsRowEvent, i);
            g_autoptr (NsEventRows) found = NULL;

            if (event->key >= own->keys->len)
              continue;
            found = ns_event_rows_find (sample, event->event, NULL, NULL);
            g_assert_nonnull (found);
            if (!has_link (found, tables[t], row))
              g_error ("record %u is not said to be of %s, row %u",
                       event->event,
                       ns_table_get_name (tables[t]),
                       row + 1);
            g_assert_cmpuint (found->activity, <, sample->activities->len);
            n_tested++;
          }
      }
  g_assert_cmpuint (n_tested, >, 50);
}

static gboolean
stop_at_once (double fraction, gpointer user_data)
{
  return FALSE;
}

static void
test_a_record_that_mentions_nothing_belongs_to_nothing (void)
{
  g_autoptr (NsEventRows) found = ns_event_rows_find (sample, 0, NULL, NULL);

  g_assert_nonnull (found);
  g_assert_cmpuint (found->links->len, ==, 0);
  g_assert_cmpuint (found->activity, ==, G_MAXUINT32);
  g_assert_null (ns_event_rows_find (sample, sample->events->len, NULL, NULL));
  g_assert_null (
      ns_event_rows_find (sample, find_event ("TcpDataTransferReceive"), stop_at_once, NULL));
}

/* Equal handles of different processes are different objects. */
static void
test_handles_count_in_their_process_only (void)
{
  guint n_tested = 0;
  guint32 row;

  for (row = 0; row < sample->webio->len; row++)
    {
      const NsWebioRow *request = &g_array_index (sample->webio, NsWebioRow, row);
      g_autoptr (NsRowEvents) found = ns_row_events_find (sample, NS_TABLE_WEBIO, row, NULL, NULL);
      guint n_of_request = 0;
      guint i;

      for (i = 0; i < found->events->len; i++)
        {
          const NsRowEvent *entry = &g_array_index (found->events, NsRowEvent, i);
          const NsRowKey *key = &g_array_index (found->keys, NsRowKey, entry->key);

          if (i > 0)
            g_assert_cmpuint (entry->event, >, entry[-1].event);
          n_of_request += key->value == request->request;
        }
      g_assert_cmpuint (n_of_request,
                        ==,
                        count_by_text (request->request, found->span, request->pid));
      n_tested += n_of_request > 0;
    }
  g_assert_cmpuint (n_tested, >, 3);
}

/* A DNS row has no pointer, so it has the events of its thread only. */
static void
test_a_row_without_a_key_has_its_thread (void)
{
  g_autoptr (NsRowEvents) found = ns_row_events_find (sample, NS_TABLE_DNS, 0, NULL, NULL);
  guint i;

  g_assert_cmpuint (found->keys->len, ==, 0);
  g_assert_cmpuint (found->events->len, >, 0);
  for (i = 0; i < found->events->len; i++)
    {
      g_autofree char *tid = field_text (g_array_index (found->events, NsRowEvent, i).event, "tid");

      g_assert_cmpuint (g_ascii_strtoull (tid, NULL, 10), ==, found->tid);
    }
}

static void
stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (ns_row_job_find_events_finish (result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_main_loop_quit (user_data);
}

static void
test_a_stopped_search_finds_nothing (void)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_cancellable_cancel (cancellable);
  ns_row_job_find_events_async (sample, NS_TABLE_TCP, 0, cancellable, stopped_cb, loop);
  g_main_loop_run (loop);
}

int
main (int argc, char *argv[])
{
  NsTraceOptions options = { .want_events = TRUE };
  int result;

  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  sample = ns_trace_open (g_getenv ("NETSTITCH_SAMPLE"), &options, NULL, NULL, NULL);
  g_assert_nonnull (sample);
  g_test_add_func ("/event-facts/a-record-tells-where-it-stands-in-the-file",
                   test_a_record_tells_where_it_stands_in_the_file);
  g_test_add_func ("/event-facts/a-record-tells-who-described-it",
                   test_a_record_tells_who_described_it);
  g_test_add_func ("/event-facts/the-end-of-a-text-is-used", test_the_end_of_a_text_is_used);
  g_test_add_func ("/event-facts/a-value-makes-a-filter-that-keeps-its-record",
                   test_a_value_makes_a_filter_that_keeps_its_record);
  g_test_add_func ("/event-facts/a-field-is-its-bytes", test_a_field_is_its_bytes);
  g_test_add_func ("/event-facts/a-byte-finds-its-field", test_a_byte_finds_its_field);
  g_test_add_func ("/event-facts/the-innermost-field-has-the-byte",
                   test_the_innermost_field_has_the_byte);
  g_test_add_func ("/event-facts/headers-say-what-the-table-says",
                   test_headers_say_what_the_table_says);
  g_test_add_func ("/event-facts/steps-walk-all-fields-with-bytes",
                   test_steps_walk_all_fields_with_bytes);
  g_test_add_func ("/row-events/a-connection-has-the-records-of-its-tcb",
                   test_a_connection_has_the_records_of_its_tcb);
  g_test_add_func ("/event-rows/a-record-belongs-to-the-row-it-is-evidence-of",
                   test_a_record_belongs_to_the_row_it_is_evidence_of);
  g_test_add_func ("/event-rows/a-record-that-mentions-nothing-belongs-to-nothing",
                   test_a_record_that_mentions_nothing_belongs_to_nothing);
  g_test_add_func ("/row-events/handles-count-in-their-process-only",
                   test_handles_count_in_their_process_only);
  g_test_add_func ("/row-events/a-row-without-a-key-has-its-thread",
                   test_a_row_without_a_key_has_its_thread);
  g_test_add_func ("/row-events/a-stopped-search-finds-nothing",
                   test_a_stopped_search_finds_nothing);
  result = g_test_run ();
  ns_trace_unref (sample);
  return result;
}
