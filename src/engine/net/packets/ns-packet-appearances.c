/* Places in the network stack where a packet was captured.
 *
 * A packet row stores only the number of its appearances: each packet has about nine, which would
 * take more memory than the packets. They are read again from the file on request, by the code
 * that made the rows; for one packet only the records near it in time are read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/net/packets/ns-packet-appearances.h"

#include "engine/net/packets/ns-packet-components.h"
#include "engine/net/packets/ns-packet-reader.h"
#include "engine/net/packets/ns-packet-row.h"
#include "engine/trace/ns-event-index.h"
#include "etl/ns-provider-guids.h"

#include <string.h>

/* Maximum time between a packet and its other records: the stack rarely holds a packet back for
 * longer. */
#define AROUND_NS NS_PER_SECOND
/* Maximum number of appearances, about 800 MB. */
#define MAX_APPEARANCES 16777216u

typedef struct
{
  NsPacketAppearances *appearances;
  NsPacketReader *reader;
  GArray *hashes; /* element-type Content, one for each appearance */
} Read;

/* Content of an appearance, compared with that of the packet's previous appearance to detect
 * changes. */
typedef struct
{
  guint64 hash;
  gsize n_hashed;
} Content;

static void
take_appearance (NsRow row, const NsAppearance *appearance, gpointer user_data)
{
  Read *self = user_data;
  NsPacketAppearance one = {
    .packet = row,
    .time_ns = appearance->row.time_ns,
    .interface = appearance->row.interface,
    .edge = appearance->edge,
    .direction = appearance->row.direction,
    .link_type = appearance->row.link_type,
    .length = appearance->row.length,
    .captured = (guint32) appearance->size,
    .is_pktmon = appearance->capture == NS_CAPTURE_PKTMON,
    .is_drop = appearance->row.dropped,
    .drop_number = appearance->row.drop_number,
    .reason = appearance->row.drop_reason,
    .interface_name = appearance->row.interface_name,
  };
  Content content;

  if (self->appearances->list->len >= MAX_APPEARANCES)
    {
      self->appearances->is_cut = TRUE;
      return;
    }
  content.hash = ns_packet_copies_hash (appearance, &content.n_hashed);
  g_array_append_val (self->appearances->list, one);
  g_array_append_val (self->hashes, content);
}

static gboolean
record_cb (const NsRecord *record, gpointer user_data)
{
  ns_packet_reader_read (((Read *) user_data)->reader, record);
  return TRUE;
}

static gboolean
is_of_packets (const NsTrace *trace, guint provider)
{
  static const NsGuid wanted[] = { NS_GUID_PKTMON,
                                   NS_GUID_NDIS_PACKET_CAPTURE,
                                   NS_GUID_NDIS_WAN_CAPTURE,
                                   NS_GUID_SMB_CLIENT };
  const NsGuid *guid = ns_etl_file_get_provider (trace->file, provider);
  guint i;

  for (i = 0; guid != NULL && i < G_N_ELEMENTS (wanted); i++)
    if (ns_guid_equal (guid, &wanted[i]))
      return TRUE;
  return FALSE;
}

/* Returns the first row of the table of events that is not before @time_ns. */
static guint
find_event (const NsTrace *trace, gint64 time_ns)
{
  guint low = 0;
  guint high = trace->events->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (ns_trace_get_event_time (trace, middle) < time_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Reads records by the table of events, with a reader of its own so that other readers are not
 * affected. */
static void
read_indexed (Read *self, const NsTrace *trace, const NsTimeSpan *span)
{
  NsEtlReader *reader = ns_etl_reader_new (trace->file);
  guint n_providers = ns_etl_file_get_n_providers (trace->file);
  g_autofree gboolean *is_wanted = g_new0 (gboolean, n_providers + 1);
  guint i;

  for (i = 0; i < n_providers; i++)
    is_wanted[i] = is_of_packets (trace, i);
  for (i = find_event (trace, span->begin_ns); i < trace->events->len; i++)
    {
      const NsEventRow *row = ns_trace_get_event (trace, i);
      NsRecord record;

      if (ns_trace_get_event_time (trace, i) >= span->end_ns)
        break;
      if (row->provider < n_providers && is_wanted[row->provider] &&
          ns_etl_reader_read (reader, ns_trace_get_event_ref (trace, i), &record))
        ns_packet_reader_read (self->reader, &record);
    }
  ns_etl_reader_free (reader);
}

/* Returns whether both rows are the same packet, read twice. */
static gboolean
are_same (const NsTrace *trace,
          const NsPacketRow *row,
          const NsPacketRow *again,
          const NsPacketTable *table)
{
  return row->time_ns == again->time_ns &&
         ns_packet_row_get_place (trace, row)->interface ==
             g_array_index (table->places, NsPacketPlace, again->place).interface &&
         row->captured == again->captured && row->length == again->length &&
         row->direction == again->direction &&
         memcmp (trace->packet_bytes->data + row->data,
                 table->bytes->data + again->data,
                 row->captured) == 0;
}

/* Maps each re-read row to the trace's row. Both tables are sorted by the same rule, so one pass
 * suffices. */
static void
match_rows (const NsTrace *trace, const NsPacketTable *table, NsRow *numbers)
{
  const GArray *rows = table->rows;
  guint at = 0;
  guint i;

  for (i = 0; i < rows->len; i++)
    {
      const NsPacketRow *again = &g_array_index (rows, NsPacketRow, i);
      guint j = at;

      /* If only a span is read, rows before and after it are missing. */
      while (j < trace->packets->len &&
             g_array_index (trace->packets, NsPacketRow, j).time_ns < again->time_ns)
        j++;
      at = j;
      for (; j < trace->packets->len; j++)
        {
          const NsPacketRow *row = &g_array_index (trace->packets, NsPacketRow, j);

          if (row->time_ns > again->time_ns)
            break;
          if (are_same (trace, row, again, table))
            {
              numbers[again->flow] = j + 1;
              break;
            }
        }
      if (j < trace->packets->len && numbers[again->flow] == j + 1)
        at = j + 1;
    }
}

static int
compare_appearances (gconstpointer a, gconstpointer b)
{
  const NsPacketAppearance *x = a;
  const NsPacketAppearance *y = b;

  if (x->packet != y->packet)
    return x->packet < y->packet ? -1 : 1;
  return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

/* Marks appearances whose packet differs from its previous appearance. Runs before the list is
 * sorted. */
static void
note_changes (Read *self, guint n_rows)
{
  g_autofree guint32 *last = g_new0 (guint32, (gsize) n_rows + 1);
  GArray *list = self->appearances->list;
  guint i;

  for (i = 0; i < list->len; i++)
    {
      NsPacketAppearance *one = &g_array_index (list, NsPacketAppearance, i);
      const Content *content = &g_array_index (self->hashes, Content, i);

      if (last[one->packet] != 0)
        {
          const Content *before = &g_array_index (self->hashes, Content, last[one->packet] - 1);

          one->is_changed = before->n_hashed == content->n_hashed && before->hash != content->hash;
        }
      last[one->packet] = i + 1;
    }
}

/* Replaces row numbers by those of the trace, and drops appearances of packets other than
 * @packet. */
static void
settle (Read *self,
        const NsTrace *trace,
        const NsPacketTable *table,
        NsPacketCopies *copies,
        NsRow packet)
{
  GArray *list = self->appearances->list;
  GArray *rows = table->rows;
  g_autofree NsRow *numbers = g_new0 (NsRow, (gsize) rows->len + 1);
  guint n = 0;
  guint i;

  note_changes (self, rows->len);
  for (i = 0; i < rows->len; i++)
    g_array_index (rows, NsPacketRow, i).flow = i + 1;
  ns_packet_copies_settle (copies, trace->packet_components);
  match_rows (trace, table, numbers);
  for (i = 0; i < list->len; i++)
    {
      NsPacketAppearance one = g_array_index (list, NsPacketAppearance, i);
      const NsPacketRow *row;

      one.packet = numbers[one.packet];
      if (one.packet == 0 || (packet != 0 && one.packet != packet))
        continue;
      row = NS_ROW_AT (trace->packets, NsPacketRow, one.packet);
      one.is_row = row->time_ns == one.time_ns &&
                   ns_packet_row_get_place (trace, row)->interface == one.interface &&
                   row->captured == one.captured;
      g_array_index (list, NsPacketAppearance, n++) = one;
    }
  g_array_set_size (list, n);
  g_array_sort (list, compare_appearances);
}

/**
 * ns_packet_appearances_read:
 * @trace: a trace
 * @packet: row of a packet, or 0 for all packets
 * @progress: (nullable) (scope call): called regularly; stops the reading if it returns %FALSE
 * @progress_data: for @progress
 * @error: return location
 *
 * Reads the records of packets again. A trace without a table of events must not be walked by other
 * threads meanwhile.
 *
 * Returns: (transfer full) (nullable): the appearances; %NULL if the file could not be read, or if
 *   @progress returned %FALSE
 */
NsPacketAppearances *
ns_packet_appearances_read (const NsTrace *trace,
                            NsRow packet,
                            NsProgressFunc progress,
                            gpointer progress_data,
                            GError **error)
{
  g_autoptr (NsPacketAppearances) self = g_new0 (NsPacketAppearances, 1);
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (NsPacketRow));
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GArray) places = g_array_new (FALSE, TRUE, sizeof (NsPacketPlace));
  g_autoptr (GArray) hashes = g_array_new (FALSE, FALSE, sizeof (Content));
  const NsPacketTable table = { rows, bytes, places };
  NsPacketCopies *copies = ns_packet_copies_new (&table);
  NsTimeSpan span = { G_MININT64, G_MAXINT64 };
  Read read = { self, NULL, hashes };
  gboolean is_good = TRUE;
  guint64 n_before;

  self->list = g_array_new (FALSE, TRUE, sizeof (NsPacketAppearance));
  self->strings = ns_strings_new ();
  if (packet != 0 && packet <= trace->packets->len)
    {
      gint64 at_ns = NS_ROW_AT (trace->packets, NsPacketRow, packet)->time_ns;

      span = (NsTimeSpan){ at_ns - AROUND_NS, at_ns + AROUND_NS };
    }
  read.reader = ns_packet_reader_new (trace->schemas, trace->secrets, self->strings, copies);
  ns_packet_copies_watch (copies, take_appearance, &read);
  if (trace->events->len > 0)
    read_indexed (&read, trace, &span);
  else
    is_good = ns_etl_file_walk_span (trace->file,
                                     &span,
                                     &n_before,
                                     record_cb,
                                     &read,
                                     progress,
                                     progress_data,
                                     error);
  if (is_good)
    settle (&read, trace, &table, copies, packet);
  ns_packet_reader_free (read.reader);
  ns_packet_copies_free (copies);
  return is_good ? g_steal_pointer (&self) : NULL;
}

/**
 * ns_packet_appearances_free:
 * @self: (transfer full) (nullable): appearances
 */
void
ns_packet_appearances_free (NsPacketAppearances *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->list);
  ns_strings_free (self->strings);
  g_free (self);
}

/**
 * ns_packet_appearances_get_name:
 * @trace: a trace
 * @self: appearances of its packets
 * @one: one of them
 *
 * Returns: (nullable) (transfer none): name of the component or tunnel; %NULL if the trace does not
 *   record it
 */
const char *
ns_packet_appearances_get_name (const NsTrace *trace,
                                const NsPacketAppearances *self,
                                const NsPacketAppearance *one)
{
  const NsPacketComponent *component;

  if (one->interface_name != NS_STRING_NONE)
    return ns_strings_get (self->strings, one->interface_name);
  component =
      one->is_pktmon ? ns_packet_components_find (trace->packet_components, one->interface) : NULL;
  return component != NULL && component->name != NS_STRING_NONE
             ? ns_trace_text (trace, component->name)
             : NULL;
}
