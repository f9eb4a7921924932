/* Links Schannel and CAPI2 events with handshakes, and stores the facts of each handshake.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/tls/ns-tls-private.h"

#include "engine/app/capi2/ns-capi2.h"
#include "engine/net/flows/ns-flow.h"

/* Maximum time from the end of a handshake to Schannel's event with its result. */
#define MAX_LATE_NS (50 * (NS_PER_SECOND / 1000))
/* Maximum number of simultaneous handshakes; with more the match would be ambiguous. */
#define MAX_ACTIVE 1024

/* The handshakes that are open at a time, which only advances. */
typedef struct
{
  GPtrArray *spans;  /* sorted by begin */
  GPtrArray *active; /* those that may be open at the current time */
  guint next;
} Sweep;

static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const NsTlsSpan *left = *(const NsTlsSpan *const *) a;
  const NsTlsSpan *right = *(const NsTlsSpan *const *) b;

  return (left->begin_ns > right->begin_ns) - (left->begin_ns < right->begin_ns);
}

static void
sweep_init (Sweep *self, GArray *spans)
{
  guint i;

  self->spans = g_ptr_array_sized_new (spans->len);
  for (i = 0; i < spans->len; i++)
    g_ptr_array_add (self->spans, &g_array_index (spans, NsTlsSpan, i));
  g_ptr_array_sort (self->spans, compare_spans);
  self->active = g_ptr_array_new ();
  self->next = 0;
}

static void
sweep_clear (Sweep *self)
{
  g_ptr_array_unref (self->spans);
  g_ptr_array_unref (self->active);
}

static gboolean
is_over (const NsTlsSpan *span, gint64 time_ns)
{
  return span->end_ns != NS_TIME_OPEN && span->end_ns + MAX_LATE_NS < time_ns;
}

/* Advances to a time; times must be ascending. */
static void
sweep_to (Sweep *self, gint64 time_ns)
{
  guint i;

  for (i = 0; i < self->active->len;)
    if (is_over (self->active->pdata[i], time_ns))
      g_ptr_array_remove_index_fast (self->active, i);
    else
      i++;
  for (; self->next < self->spans->len; self->next++)
    {
      NsTlsSpan *span = self->spans->pdata[self->next];

      if (span->begin_ns > time_ns)
        break;
      if (!is_over (span, time_ns) && self->active->len <= MAX_ACTIVE)
        g_ptr_array_add (self->active, span);
    }
}

static gboolean
contains (const NsTlsSpan *span, gint64 time_ns)
{
  return span->begin_ns <= time_ns && time_ns <= span->end_ns;
}

static gboolean
is_by_thread (const NsTlsSpan *span, guint32 pid, guint32 tid)
{
  guint i;

  if (span->pid != pid)
    return FALSE;
  for (i = 0; i < span->n_tids; i++)
    if (span->tids[i] == tid)
      return TRUE;
  return FALSE;
}

static gboolean
is_to (const NsTrace *trace, const NsTlsSpan *span, const char *target)
{
  const char *sni = ns_trace_text (trace, span->facts.sni);

  return sni != NULL && g_ascii_strcasecmp (sni, target) == 0;
}

/* Returns the only handshake that the event can belong to; NULL: none, or several. */
static NsTlsSpan *
find_span (const NsTrace *trace, const Sweep *sweep, const NsTlsNote *note)
{
  const char *target = ns_trace_text (trace, note->target);
  NsTlsSpan *found = NULL;
  guint i;

  if (sweep->active->len > MAX_ACTIVE)
    return NULL;
  for (i = 0; i < sweep->active->len; i++)
    {
      NsTlsSpan *span = sweep->active->pdata[i];

      if (note->target != NS_STRING_NONE ? !is_to (trace, span, target)
                                         : !contains (span, note->time_ns))
        continue;
      if (found != NULL)
        return NULL;
      found = span;
    }
  return found;
}

static void
take_note (NsTlsSpan *span, const NsTlsNote *note)
{
  gint8 confidence =
      is_by_thread (span, note->pid, note->tid) ? NS_CONFIDENCE_LIKELY : NS_CONFIDENCE_INFERRED;

  if (note->facts.alert != NS_STRING_NONE)
    {
      /* The first alert is the cause; later ones follow from it. */
      if (span->more.alert == NS_STRING_NONE)
        {
          span->more.alert = note->facts.alert;
          span->more.alert_from = note->facts.alert_from;
        }
    }
  else if (confidence >= span->more_confidence)
    {
      span->more.version = note->facts.version;
      span->more.cipher = note->facts.cipher;
      span->more.subject = note->facts.subject;
    }
  span->more_confidence = MAX (span->more_confidence, confidence);
}

static void
join_notes (NsBuilder *builder, GArray *spans)
{
  const GArray *notes = builder->tls->notes;
  Sweep sweep;
  guint i;

  if (notes->len == 0)
    return;
  sweep_init (&sweep, spans);
  for (i = 0; i < notes->len; i++)
    {
      const NsTlsNote *note = &g_array_index (notes, NsTlsNote, i);
      NsTlsSpan *span;

      sweep_to (&sweep, note->time_ns);
      span = find_span (builder->trace, &sweep, note);
      if (span != NULL)
        take_note (span, note);
    }
  sweep_clear (&sweep);
}

/* K3: returns the handshake on the check's thread, else the only one of the process open during all
 * of the check. */
static NsTlsSpan *
find_checked (const Sweep *sweep, const NsCapi2Row *row, gint8 *confidence)
{
  NsTlsSpan *by_thread = NULL;
  NsTlsSpan *by_process = NULL;
  guint n_by_thread = 0;
  guint n_open = 0;
  guint i;

  if (sweep->active->len > MAX_ACTIVE)
    return NULL;
  for (i = 0; i < sweep->active->len; i++)
    {
      NsTlsSpan *span = sweep->active->pdata[i];

      if (span->pid != row->layer.pid || !contains (span, row->layer.open_ns) ||
          !contains (span, row->layer.close_ns))
        continue;
      n_open++;
      by_process = span;
      if (is_by_thread (span, row->layer.pid, row->layer.tid))
        {
          by_thread = span;
          n_by_thread++;
        }
    }
  *confidence = n_by_thread == 1 ? NS_CONFIDENCE_LIKELY : NS_CONFIDENCE_INFERRED;
  if (n_by_thread == 1)
    return by_thread;
  return n_open == 1 ? by_process : NULL;
}

/* Returns the handshake number of each outermost check, by row. */
static guint32 *
join_checks (NsTrace *trace, GArray *spans)
{
  guint32 *numbers = g_new0 (guint32, (gsize) trace->capi2->len + 1);
  Sweep sweep;
  guint i;

  sweep_init (&sweep, spans);
  for (i = 0; i < trace->capi2->len; i++)
    {
      NsCapi2Row *row = &g_array_index (trace->capi2, NsCapi2Row, i);
      gint8 confidence;
      NsTlsSpan *span;

      if (row->parent != 0 || row->layer.close_ns == NS_TIME_OPEN ||
          row->layer.opened_before_trace ||
          (row->kind != NS_CAPI2_CHAIN && row->kind != NS_CAPI2_REVOCATION))
        continue;
      sweep_to (&sweep, row->layer.open_ns);
      span = find_checked (&sweep, row, &confidence);
      if (span == NULL)
        continue;
      numbers[i] = (guint32) (span - (NsTlsSpan *) spans->data) + 1;
      row->layer.confidence = confidence;
      row->layer.evidence[0] = confidence == NS_CONFIDENCE_LIKELY ? "thread" : "only handshake";
      span->facts.cert_ns = MAX (span->facts.cert_ns, 0) + row->layer.close_ns - row->layer.open_ns;
    }
  sweep_clear (&sweep);
  return numbers;
}

static gboolean
is_agreed (const NsTlsFacts *facts)
{
  return facts->version != NS_STRING_NONE || facts->cipher != NS_STRING_NONE ||
         facts->alpn != NS_STRING_NONE || facts->resumed >= 0;
}

static void
take_agreed (NsTlsFacts *facts, const NsTlsFacts *from)
{
  facts->version = from->version;
  facts->cipher = from->cipher;
  facts->alpn = from->alpn;
  facts->resumed = from->resumed;
}

static void
take_rest (NsTlsFacts *facts, const NsTlsFacts *from)
{
  if (facts->sni == NS_STRING_NONE)
    facts->sni = from->sni;
  if (facts->subject == NS_STRING_NONE && facts->issuer == NS_STRING_NONE)
    {
      facts->subject = from->subject;
      facts->issuer = from->issuer;
      facts->expires = from->expires;
    }
  if (facts->alert == NS_STRING_NONE)
    {
      facts->alert = from->alert;
      facts->alert_from = from->alert_from;
    }
  facts->sources |= from->sources;
}

/* Sets version, cipher, protocol and resumption, all from the most reliable source; of equal
 * ones the first. */
static void
publish (const NsTrace *trace, NsTlsSpan *span, NsRow activity, NsTlsFacts *facts)
{
  NsTlsFacts packets;

  ns_tls_facts_init (&packets);
  if (activity != 0)
    ns_tls_get_facts (trace, NS_TABLE_ACTIVITIES, activity, &packets);
  if (span->more_confidence >= 0)
    span->more.sources = 1 << NS_TLS_SCHANNEL;
  *facts = span->facts;
  if (!is_agreed (facts))
    {
      gboolean is_told = span->more_confidence >= 0 && is_agreed (&span->more);

      if (is_told && (span->more_confidence >= NS_CONFIDENCE_LIKELY || !is_agreed (&packets)))
        take_agreed (facts, &span->more);
      else
        take_agreed (facts, &packets);
    }
  take_rest (facts, &span->more);
  take_rest (facts, &packets);
  if (facts->error_family != NS_CODE_NONE || facts->error_text != NS_STRING_NONE)
    {
      facts->version = NS_STRING_NONE;
      facts->cipher = NS_STRING_NONE;
      facts->alpn = NS_STRING_NONE;
      facts->resumed = -1;
    }
}

static guint32
find_tie (const NsTls *self, NsTableId table, NsRow row, guint part)
{
  guint32 number = ns_map_get (self->ties, (guint64) table << 16 | part, row);

  if (number == 0)
    number = ns_map_get (self->ties, (guint64) table << 16 | NS_TLS_ALL_PARTS, row);
  return number;
}

/* Stores facts by row. The rows of a source are in the order of its connections; a handshake was
 * made for the first row that has it. */
static void
report_rows (NsBuilder *builder, GArray *spans, NsRow *owners)
{
  NsTrace *trace = builder->trace;
  g_autoptr (NsMap) n_seen = ns_map_new ();
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      const NsActivityRow *row = &g_array_index (trace->activities, NsActivityRow, i);
      NsTableId table = row->source_table;
      NsTlsFacts facts;
      guint32 number;
      guint part;

      if (table != NS_TABLE_WEBIO && table != NS_TABLE_WININET && table != NS_TABLE_CHROMIUM &&
          table != NS_TABLE_DOTNET)
        continue;
      part = ns_map_get (n_seen, table, row->source_row);
      ns_map_set (n_seen, table, row->source_row, part + 1);
      number = find_tie (builder->tls, table, row->source_row, MIN (part, NS_TLS_ALL_PARTS));
      if (number == 0)
        continue;
      if (owners[number] == 0)
        owners[number] = i + 1;
      publish (trace, &g_array_index (spans, NsTlsSpan, number - 1), i + 1, &facts);
      ns_tls_store_add (trace->tls, NS_TABLE_ACTIVITIES, i + 1, &facts);
      ns_tls_store_add (trace->tls, table, row->source_row, &facts);
    }
}

/**
 * ns_tls_settle: (skip)
 * @builder: the builder
 *
 * Links the collected facts with the rows of connections.
 */
void
ns_tls_settle (NsBuilder *builder)
{
  GArray *spans = builder->tls->spans;
  NsTrace *trace = builder->trace;
  g_autofree guint32 *checks = NULL;
  g_autofree NsRow *owners = NULL;
  guint i;

  if (spans->len == 0)
    return;
  join_notes (builder, spans);
  checks = join_checks (trace, spans);
  owners = g_new0 (NsRow, (gsize) spans->len + 1);
  if (trace->tls == NULL)
    ns_tls_store_make (trace);
  report_rows (builder, spans, owners);
  for (i = 0; i < trace->capi2->len; i++)
    if (checks[i] != 0)
      g_array_index (trace->capi2, NsCapi2Row, i).layer.activity = owners[checks[i]];
}
