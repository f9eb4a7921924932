/* TLS handshakes: spans reported by layers, and Schannel events.
 *
 * Layouts: Windows' manifests of the builds 7600 to 18990 (`providers.md` 2). Shorter payloads have
 * the fields that fit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/tls/ns-tls-private.h"

#include "engine/catalog/ns-catalog.h"
#include "engine/trace/ns-take-text.h"

#include "wire/ns-wire-handshake.h"

#include <string.h>

enum
{
  SCHANNEL_HANDSHAKE = 36880,
  SCHANNEL_ALERT_RECEIVED = 36887,
  SCHANNEL_ALERT_SENT = 36888,
};

static void
tls_start (NsBuilder *builder)
{
  NsTls *self = builder->tls = g_new0 (NsTls, 1);

  self->spans = g_array_new (FALSE, FALSE, sizeof (NsTlsSpan));
  self->notes = g_array_new (FALSE, FALSE, sizeof (NsTlsNote));
  self->ties = ns_map_new ();
}

static void
tls_stop (NsBuilder *builder)
{
  g_array_unref (builder->tls->spans);
  g_array_unref (builder->tls->notes);
  ns_map_free (builder->tls->ties);
  g_clear_pointer (&builder->tls, g_free);
}

/**
 * ns_tls_add:
 * @builder: the builder
 * @source: its source
 * @pid: its process
 * @tid: thread of its begin
 * @begin_ns: its begin
 * @end_ns: its end, or %NS_TIME_OPEN
 *
 * Returns: number of a new handshake
 */
guint32
ns_tls_add (NsBuilder *builder,
            NsTlsSource source,
            guint32 pid,
            guint32 tid,
            gint64 begin_ns,
            gint64 end_ns)
{
  NsTls *self = builder->tls;
  NsTlsSpan span = { .begin_ns = begin_ns,
                     .end_ns = end_ns,
                     .pid = pid,
                     .tids = { tid },
                     .n_tids = 1,
                     .source = source,
                     .more_confidence = -1 };

  ns_tls_facts_init (&span.facts);
  ns_tls_facts_init (&span.more);
  span.facts.sources = (guint8) (1 << source);
  g_array_append_val (self->spans, span);
  return self->spans->len;
}

/**
 * ns_tls_begin:
 * @builder: the builder
 * @source: its source
 * @record: the event that begins it
 *
 * Returns: number of a new handshake
 */
guint32
ns_tls_begin (NsBuilder *builder, NsTlsSource source, const NsRecord *record)
{
  return ns_tls_add (builder, source, record->pid, record->tid, record->time_ns, NS_TIME_OPEN);
}

/**
 * ns_tls_get_span:
 * @builder: the builder
 * @number: number of a handshake; 0: none
 *
 * Returns: (transfer none) (nullable): the handshake, until the next one begins
 */
NsTlsSpan *
ns_tls_get_span (NsBuilder *builder, guint32 number)
{
  return number != 0 ? &g_array_index (builder->tls->spans, NsTlsSpan, number - 1) : NULL;
}

/**
 * ns_tls_step:
 * @span: a handshake
 * @record: an event of it, the last one so far
 */
void
ns_tls_step (NsTlsSpan *span, const NsRecord *record)
{
  guint i;

  span->end_ns = record->time_ns;
  for (i = 0; i < span->n_tids; i++)
    if (span->tids[i] == record->tid)
      return;
  if (span->n_tids < NS_TLS_MAX_THREADS)
    span->tids[span->n_tids++] = record->tid;
}

/**
 * ns_tls_fail:
 * @span: a handshake
 * @family: status family of @error
 * @error: why it failed; 0: it did not fail
 */
void
ns_tls_fail (NsTlsSpan *span, NsCodeFamily family, guint32 error)
{
  /* WinHTTP and WinINet pass on Schannel's error. */
  if (family == NS_CODE_WIN32 && error >= 0x80000000)
    family = NS_CODE_HRESULT;
  span->facts.error = error;
  span->facts.error_family = error != 0 ? family : NS_CODE_NONE;
}

/**
 * ns_tls_set_cipher:
 * @builder: the builder
 * @facts: facts of a handshake
 * @cipher: number of the negotiated cipher suite
 */
void
ns_tls_set_cipher (NsBuilder *builder, NsTlsFacts *facts, guint32 cipher)
{
  const char *name = cipher <= G_MAXUINT16 ? ns_wire_cipher_name (cipher) : NULL;
  g_autofree char *text = name == NULL ? g_strdup_printf ("0x%04x", cipher) : NULL;

  facts->cipher = ns_strings_add (builder->trace->strings, name != NULL ? name : text);
}

/**
 * ns_tls_set_alert:
 * @builder: the builder
 * @facts: facts of a handshake
 * @alert: number of an alert
 * @from: its sender
 *
 * Ignores close_notify, which is not an error.
 */
void
ns_tls_set_alert (NsBuilder *builder, NsTlsFacts *facts, guint32 alert, NsTlsSide from)
{
  const char *name = alert <= G_MAXUINT8 ? ns_wire_alert_name (alert) : NULL;
  g_autofree char *text = name == NULL ? g_strdup_printf ("%u", alert) : NULL;

  if (alert == 0)
    return;
  facts->alert = ns_strings_add (builder->trace->strings, name != NULL ? name : text);
  facts->alert_from = from;
}

/**
 * ns_tls_tie:
 * @builder: the builder
 * @table: table of a layer
 * @row: a row of it
 * @part: index of the row's activity, from 0; %NS_TLS_ALL_PARTS: all of them
 * @number: the handshake of its connection; 0: none recorded
 */
void
ns_tls_tie (NsBuilder *builder, NsTableId table, NsRow row, guint part, guint32 number)
{
  if (number != 0 && part <= NS_TLS_ALL_PARTS)
    ns_map_set (builder->tls->ties, (guint64) table << 16 | part, row, number);
}

/* Reads a TLS version in the spelling of other layers, ignoring blanks and case; %NS_STRING_NONE
 * for other texts. */
static NsString
take_version (NsBuilder *builder, NsCursor *cursor)
{
  static const char *const known[] = { "SSL 3.0", "TLS 1.0", "TLS 1.1", "TLS 1.2", "TLS 1.3" };
  const char *text = ns_trace_text (builder->trace, ns_take_text (builder->trace->strings, cursor));
  guint i;

  for (i = 0; text != NULL && i < G_N_ELEMENTS (known); i++)
    {
      const char *left = text;
      const char *right = known[i];

      for (;;)
        {
          while (g_ascii_isspace (*left))
            left++;
          while (g_ascii_isspace (*right))
            right++;
          if (*left == '\0' || g_ascii_tolower (*left) != g_ascii_tolower (*right))
            break;
          left++;
          right++;
        }
      if (*left == '\0' && *right == '\0')
        return ns_strings_add (builder->trace->strings, known[i]);
    }
  return NS_STRING_NONE;
}

static void
note_handshake (NsBuilder *builder, NsCursor *cursor, guint pointer_size, NsTlsNote *note)
{
  const char *type = ns_trace_text (builder->trace, ns_take_text (builder->trace->strings, cursor));
  guint32 cipher;

  note->is_server = type != NULL && g_ascii_strncasecmp (type, "server", 6) == 0;
  note->facts.version = take_version (builder, cursor);
  cipher = ns_cursor_u32 (cursor);
  if (ns_cursor_ok (cursor))
    ns_tls_set_cipher (builder, &note->facts, cipher);
  ns_cursor_u32 (cursor);               /* ExchangeStrength */
  ns_cursor_ptr (cursor, pointer_size); /* ContextHandle */
  note->target = ns_take_text (builder->trace->strings, cursor);
  ns_take_text (builder->trace->strings, cursor); /* LocalCertSubjectName */
  note->facts.subject = ns_take_text (builder->trace->strings, cursor);
}

static void
schannel_event (NsBuilder *builder, const NsRecord *record)
{
  NsTlsNote note = { .time_ns = record->time_ns, .pid = record->pid, .tid = record->tid };
  NsCursor cursor;
  guint32 alert;

  ns_tls_facts_init (&note.facts);
  ns_record_cursor (record, &cursor);
  switch (record->id)
    {
    case SCHANNEL_HANDSHAKE:
      note_handshake (builder, &cursor, record->pointer_size, &note);
      break;
    case SCHANNEL_ALERT_RECEIVED:
    case SCHANNEL_ALERT_SENT:
      alert = ns_cursor_u32 (&cursor);
      if (!ns_cursor_ok (&cursor) || alert == 0)
        return;
      ns_tls_set_alert (builder,
                        &note.facts,
                        alert,
                        record->id == SCHANNEL_ALERT_SENT ? NS_TLS_FROM_CLIENT
                                                          : NS_TLS_FROM_SERVER);
      if (record->id == SCHANNEL_ALERT_SENT)
        {
          ns_cursor_u32 (&cursor); /* ErrorState */
          note.target = ns_take_text (builder->trace->strings, &cursor);
        }
      break;
    default:
      return;
    }
  if (!note.is_server)
    g_array_append_val (builder->tls->notes, note);
}

static const NsProviderOps tls_ops[] = {
  { NS_GUID_SCHANNEL, .correlate = schannel_event },
};

const NsPart ns_tls_part = {
  .name = "tls",
  .start = tls_start,
  .tie = ns_tls_settle,
  .stop = tls_stop,
  .ops = tls_ops,
  .n_ops = G_N_ELEMENTS (tls_ops),
};
