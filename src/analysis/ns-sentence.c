/* The sentence about a row, for tooltips, summaries and screen readers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-get.h"
#include "query/ns-sentence-parts.h"

#include "engine/app/capi2/ns-capi2.h"
#include "engine/app/rpc/ns-rpc.h"
#include "engine/app/smb/ns-smb.h"
#include "engine/net/flows/ns-flow.h"

#include <glib/gi18n-lib.h>

static void
add_traffic (NsSentence *self)
{
  g_autofree char *sent = ns_sentence_dup_bytes (self, "sent");
  g_autofree char *received = ns_sentence_dup_bytes (self, "received");

  /* Some tables have no byte counts. */
  if (ns_table_find_field (self->table, "sent") == NULL)
    return;
  ns_sentence_add (self, _ ("sent %s and received %s"), sent, received);
}

/* Returns the client of a query: the machine's address if the process is unknown, as with
 * packets. */
static char *
dup_asker (NsSentence *self, const NsDnsRow *row)
{
  char text[NS_IP_TEXT_SIZE];

  if (row->pid == NS_PID_UNKNOWN && row->flow != 0 && row->flow <= self->trace->flows->len)
    return g_strdup (
        ns_ip_to_text (&NS_ROW_AT (self->trace->flows, NsFlowRow, row->flow)->client.ip, text));
  return ns_sentence_dup_subject (self);
}

static void
add_dns (NsSentence *self)
{
  const NsDnsRow *row = &g_array_index (self->trace->dns, NsDnsRow, self->row);
  g_autofree char *subject = dup_asker (self, row);
  g_autofree char *query = ns_sentence_dup (self, "query");
  g_autofree char *when = ns_sentence_dup_when (self, "open_ns");
  g_autofree char *addresses = ns_sentence_dup (self, "addresses");
  g_autofree char *status = ns_sentence_dup (self, "status_text");
  g_autofree char *span = ns_sentence_dup_span (self, "duration_ns");

  ns_sentence_add (self, _ ("%s resolved %s %s"), subject, query != NULL ? query : "?", when);
  if (addresses != NULL)
    ns_sentence_add (self, _ ("received %s"), addresses);
  else if (row->has_status && row->status == 0)
    ns_sentence_add (self, _ ("got an answer without addresses"));
  else if (status != NULL)
    ns_sentence_add (self, _ ("got no address: %s"), status);
  if (span != NULL)
    ns_sentence_add (self, _ ("after %s"), span);
}

/* Describes connections, sockets and kernel network flows. */
static void
add_connection (NsSentence *self)
{
  g_autofree char *subject = ns_sentence_dup_subject (self);
  g_autofree char *protocol = ns_sentence_dup (self, "protocol");
  g_autofree char *peer = ns_sentence_dup_peer (self);
  g_autofree char *when = ns_sentence_dup_when (self, "open_ns");
  g_autofree char *error = ns_sentence_dup (self, "error");
  gint64 retransmits;

  if (protocol == NULL)
    protocol = g_strdup (_ ("a socket"));
  /* Translators: “OUTLOOK.EXE (4312) spoke TCP with mail.example.com at 12.104 s” */
  ns_sentence_add (self, _ ("%s used %s to communicate with %s %s"), subject, protocol, peer, when);
  add_traffic (self);
  if (ns_sentence_get_number (self, "retransmits", &retransmits) && retransmits > 0)
    ns_sentence_add (self, _ ("retransmitted %u segments"), (guint) retransmits);
  if (error != NULL)
    ns_sentence_add (self, _ ("encountered %s"), error);
  ns_sentence_add_close (self);
}

static void
add_request (NsSentence *self)
{
  gint64 queued_ns;
  g_autofree char *subject = ns_sentence_dup_subject (self);
  g_autofree char *method = ns_sentence_dup (self, "method");
  g_autofree char *url = ns_sentence_dup (self, "url");
  g_autofree char *when = ns_sentence_dup_when (self, "open_ns");
  g_autofree char *error = ns_sentence_dup (self, "error");
  gint64 code;

  if (url == NULL)
    url = ns_sentence_dup_peer (self);
  if (method != NULL)
    ns_sentence_add (self, _ ("%s requested %s %s %s"), subject, method, url, when);
  else
    ns_sentence_add (self, _ ("%s requested %s %s"), subject, url, when);
  if (ns_sentence_get_number (self, "queued_ns", &queued_ns) && queued_ns > 0)
    {
      g_autofree char *queued = ns_sentence_span_to_text (queued_ns);

      ns_sentence_add (self, _ ("waited %s for a connection"), queued);
    }
  if (ns_sentence_is_true (self, "from_cache"))
    ns_sentence_add (self, _ ("was answered from the cache"));
  else if (ns_sentence_get_number (self, "http_status", &code))
    ns_sentence_add (self, _ ("got %u"), (guint) code);
  if (error != NULL)
    ns_sentence_add (self, _ ("failed with %s"), error);
  add_traffic (self);
  ns_sentence_add_close (self);
}

static void
add_ldap (NsSentence *self)
{
  g_autofree char *subject = ns_sentence_dup_subject (self);
  g_autofree char *filter = ns_sentence_dup (self, "filter");
  g_autofree char *peer = ns_sentence_dup_peer (self);
  g_autofree char *when = ns_sentence_dup_when (self, "open_ns");

  ns_sentence_add (self,
                   _ ("%s searched %s on %s %s"),
                   subject,
                   filter != NULL ? filter : "?",
                   peer,
                   when);
  ns_sentence_add_close (self);
}

static void
add_urlmon (NsSentence *self)
{
  g_autofree char *subject = ns_sentence_dup_subject (self);
  g_autofree char *url = ns_sentence_dup (self, "url");
  g_autofree char *when = ns_sentence_dup_when (self, "open_ns");
  g_autofree char *bytes = ns_sentence_dup_bytes (self, "bytes");
  g_autofree char *reason = ns_sentence_dup (self, "abort_reason");

  ns_sentence_add (self, _ ("%s downloaded %s %s"), subject, url != NULL ? url : "?", when);
  ns_sentence_add (self, _ ("received %s"), bytes);
  if (reason != NULL)
    ns_sentence_add (self, _ ("aborted with %s"), reason);
  ns_sentence_add_close (self);
}

static void
add_task (NsSentence *self)
{
  g_autofree char *creator = ns_sentence_dup (self, "tid_create");
  g_autofree char *runner = ns_sentence_dup (self, "tid_run");
  g_autofree char *kind = ns_sentence_dup (self, "kind");
  g_autofree char *when = ns_sentence_dup_when (self, "create_ns");
  g_autofree char *queued = ns_sentence_dup_span (self, "queued_ns");
  g_autofree char *ran = ns_sentence_dup_span (self, "running_ns");

  ns_sentence_add (self,
                   _ ("Thread %s queued work (%s) %s"),
                   creator != NULL ? creator : "?",
                   kind,
                   when);
  if (runner == NULL && self->trace->is_incomplete)
    ns_sentence_add (self, _ ("and it did not run in what has been read so far"));
  else if (runner == NULL)
    ns_sentence_add (self, _ ("and it never ran"));
  else if (queued != NULL)
    ns_sentence_add (self, _ ("thread %s began it %s later"), runner, queued);
  else
    ns_sentence_add (self, _ ("thread %s ran it"), runner);
  if (ran != NULL)
    ns_sentence_add (self, _ ("it took %s"), ran);
}

static void
add_call (NsSentence *self)
{
  g_autofree char *subject = ns_sentence_dup_subject (self);
  g_autofree char *call = ns_sentence_dup (self, "call");
  g_autofree char *when = ns_sentence_dup_when (self, "open_ns");
  g_autofree char *span = ns_sentence_dup_span (self, "duration_ns");
  g_autofree char *status = ns_sentence_dup (self, "status_text");

  ns_sentence_add (self, _ ("%s called %s %s"), subject, call != NULL ? call : "?", when);
  if (ns_sentence_is_true (self, "pending"))
    {
      ns_sentence_add (self, _ ("and its return was not recorded"));
      return;
    }
  if (span != NULL)
    ns_sentence_add (self, _ ("it returned after %s"), span);
  if (status != NULL)
    ns_sentence_add (self, _ ("with %s"), status);
}

static void
add_packet (NsSentence *self)
{
  g_autofree char *moment = ns_sentence_dup_moment (self, "time_ns");
  g_autofree char *protocol = ns_sentence_dup (self, "protocol");
  g_autofree char *length = ns_sentence_dup_bytes (self, "length");
  g_autofree char *source = ns_sentence_dup (self, "src_text");
  g_autofree char *destination = ns_sentence_dup (self, "dst_text");
  g_autofree char *reason = ns_sentence_dup (self, "drop_reason");

  /* Translators: “At 1.204 s a packet (TCP, 60 B) went from 10.0.0.1:80 to 10.0.0.2:5000” */
  ns_sentence_add (self,
                   _ ("At %s a packet (%s, %s) went from %s to %s"),
                   moment != NULL ? moment : "?",
                   protocol != NULL ? protocol : "?",
                   length,
                   source != NULL ? source : "?",
                   destination != NULL ? destination : "?");
  if (reason != NULL)
    ns_sentence_add (self, _ ("and was dropped: %s"), reason);
  else if (ns_sentence_is_true (self, "dropped"))
    ns_sentence_add (self, _ ("and was dropped"));
}

static void
add_flow (NsSentence *self)
{
  /* In the order of #NsFlowKind; the texts below in that of #NsFlowEnd. */
  static const char *const kinds[] = { "TCP", "UDP", "ICMP", "ARP", "ND", "IP" };
  static const char *const ends[] = {
    NULL,
    N_ ("closed by both sides"),
    N_ ("reset"),
    N_ ("refused"),
    N_ ("not answered"),
    N_ ("answered"),
    N_ ("idle for two minutes"),
    N_ ("followed by another conversation with the same ports"),
  };
  g_autofree char *client = ns_sentence_dup (self, "client_ip_port");
  g_autofree char *server = ns_sentence_dup (self, "server_ip_port");
  g_autofree char *moment = ns_sentence_dup_moment (self, "open_ns");
  g_autofree char *packets = ns_sentence_dup (self, "packets");
  const NsFlowRow *row = &g_array_index (self->trace->flows, NsFlowRow, self->row);

  /* Translators: “TCP conversation of 10.0.0.1:5000 with 10.0.0.2:80 from 1.204 s on, packets: 12”
   */
  ns_sentence_add (self,
                   _ ("%s conversation of %s with %s from %s on, packets: %s"),
                   kinds[row->kind],
                   client != NULL ? client : "?",
                   server != NULL ? server : "?",
                   moment != NULL ? moment : "?",
                   packets != NULL ? packets : "?");
  if (ends[row->end] != NULL)
    ns_sentence_add (self, "%s", _ (ends[row->end]));
}

/* Describes processes and threads. */
static void
add_life (NsSentence *self, const char *name)
{
  g_autofree char *start = ns_sentence_dup_moment (self, "start_ns");
  g_autofree char *end = ns_sentence_dup_moment (self, "end_ns");

  if (ns_sentence_is_true (self, "before_trace") || start == NULL)
    ns_sentence_add (self, _ ("%s was running when the trace began"), name);
  else
    ns_sentence_add (self, _ ("%s started at %s"), name, start);
  if (end != NULL)
    ns_sentence_add (self, _ ("and ended at %s"), end);
}

static void
add_process (NsSentence *self)
{
  g_autofree char *name = ns_sentence_dup (self, "process_pid");
  g_autofree char *command_line = ns_sentence_dup (self, "command_line");

  add_life (self, name != NULL ? name : "?");
  if (command_line != NULL)
    ns_sentence_add (self, _ ("as %s"), command_line);
}

static void
add_thread (NsSentence *self)
{
  g_autofree char *tid = ns_sentence_dup (self, "tid");
  g_autofree char *subject = ns_sentence_dup_subject (self);
  g_autofree char *name = g_strdup_printf (_ ("Thread %s of %s"), tid != NULL ? tid : "?", subject);

  add_life (self, name);
}

static void
add_image (NsSentence *self)
{
  g_autofree char *name = ns_sentence_dup (self, "name");
  g_autofree char *base = ns_sentence_dup (self, "base");
  g_autofree char *subject = ns_sentence_dup_subject (self);

  if (name == NULL)
    name = g_strdup ("?");
  if (ns_sentence_is_true (self, "kernel"))
    ns_sentence_add (self, _ ("The kernel loaded %s at %s"), name, base);
  else
    ns_sentence_add (self, _ ("%s loaded %s at %s"), subject, name, base);
}

static void
add_provider (NsSentence *self)
{
  g_autofree char *name = ns_sentence_dup (self, "name");
  g_autofree char *guid = ns_sentence_dup (self, "guid");
  g_autofree char *events = ns_sentence_dup (self, "events");

  if (name == NULL)
    name = g_steal_pointer (&guid);
  ns_sentence_add (self, _ ("%s wrote %s records"), name != NULL ? name : "?", events);
}

static void
add_event (NsSentence *self)
{
  g_autofree char *name = ns_sentence_dup (self, "provider_name");
  g_autofree char *guid = ns_sentence_dup (self, "provider");
  g_autofree char *when = ns_sentence_dup_when (self, "time_ns");
  gint64 id;

  ns_sentence_get_number (self, "id", &id);
  ns_sentence_add (self,
                   _ ("%s wrote event %u %s"),
                   name != NULL   ? name
                   : guid != NULL ? guid
                                  : "?",
                   (guint) id,
                   when);
}

static void
add_span (NsSentence *self)
{
  g_autofree char *subject = ns_sentence_dup_subject (self);
  g_autofree char *name = ns_sentence_dup (self, "name");
  g_autofree char *moment = ns_sentence_dup_moment (self, "open_ns");
  g_autofree char *span = ns_sentence_dup_span (self, "duration_ns");

  /* Translators: a program, the operation that it reports, a time */
  ns_sentence_add (self,
                   _ ("%s began “%s” at %s"),
                   subject,
                   name != NULL ? name : "?",
                   moment != NULL ? moment : "?");
  if (span != NULL)
    ns_sentence_add (self, _ ("it took %s"), span);
}

static void
add_log_line (NsSentence *self)
{
  g_autofree char *source = ns_sentence_dup (self, "source");
  g_autofree char *line = ns_sentence_dup (self, "line");
  g_autofree char *time = ns_sentence_dup (self, "time_ns");
  g_autofree char *text = ns_sentence_dup (self, "text");

  ns_sentence_add (
      self,
      /* Translators: a time, the name of a log, the number of a line in it, and that line. */
      _ ("At %s, %s logged in line %s: %s"),
      time != NULL ? time : "?",
      source != NULL ? source : "?",
      line != NULL ? line : "?",
      text != NULL ? text : "");
}

/* Adds a finding, whose text is a sentence already; the full stop is added after all clauses. */
static void
add_finding (NsSentence *self)
{
  g_autofree char *text = ns_sentence_dup (self, "text");

  if (text != NULL && g_str_has_suffix (text, "."))
    text[strlen (text) - 1] = '\0';
  ns_sentence_add (self, "%s", text != NULL ? text : "?");
}

static void
add_brief (NsSentence *self)
{
  g_autofree char *text = ns_brief_new (self->trace, self->table, self->row);

  ns_sentence_add (self, "%s", text);
}

/* Functions for the tables without a file of their own. */
static void (*const writers[NS_N_TABLES]) (NsSentence *self) = {
  [NS_TABLE_ACTIVITIES] = ns_sentence_add_activity,
  [NS_TABLE_DNS] = add_dns,
  [NS_TABLE_TCP] = add_connection,
  [NS_TABLE_WINSOCK] = add_connection,
  [NS_TABLE_WEBIO] = add_request,
  [NS_TABLE_WININET] = add_request,
  [NS_TABLE_LDAP] = add_ldap,
  [NS_TABLE_URLMON] = add_urlmon,
  [NS_TABLE_CHROMIUM] = add_request,
  [NS_TABLE_DOTNET] = add_request,
  [NS_TABLE_HTTP_SERVER] = add_request,
  [NS_TABLE_KERNEL_NETWORK] = add_connection,
  [NS_TABLE_TASKS] = add_task,
  [NS_TABLE_CALLS] = add_call,
  [NS_TABLE_PACKETS] = add_packet,
  [NS_TABLE_FLOWS] = add_flow,
  [NS_TABLE_PROCESSES] = add_process,
  [NS_TABLE_THREADS] = add_thread,
  [NS_TABLE_IMAGES] = add_image,
  [NS_TABLE_PROVIDERS] = add_provider,
  [NS_TABLE_CHROMIUM_EVENTS] = add_event,
  [NS_TABLE_EVENTS] = add_event,
  [NS_TABLE_SPANS] = add_span,
  [NS_TABLE_LOG] = add_log_line,
  [NS_TABLE_FINDINGS] = add_finding,
};

/**
 * ns_sentence_new:
 * @trace: a trace
 * @table: a table
 * @row: a row of it, 0-based
 *
 * Returns: (transfer full): a line that describes the row
 */
char *
ns_sentence_new (const NsTrace *trace, NsTableId table, guint row)
{
  return ns_sentence_new_parts (trace, table, row, NULL);
}

/**
 * ns_sentence_new_parts:
 * @trace: a trace
 * @table: a table
 * @row: a row of it, 0-based
 * @parts: (out) (optional) (transfer full) (element-type NsSentencePart): its parts with a meaning,
 *   in the order in which they were marked, which may differ from that of the text
 *
 * Returns: (transfer full): the sentence of ns_sentence_new()
 */
char *
ns_sentence_new_parts (const NsTrace *trace, NsTableId table, guint row, GArray **parts)
{
  NsSentence self = { .trace = trace, .table = table, .row = row, .text = g_string_new (NULL) };

  if (parts != NULL)
    *parts = self.parts = g_array_new (FALSE, TRUE, sizeof (NsSentencePart));

  g_return_val_if_fail ((guint) table < NS_N_TABLES, g_string_free (self.text, FALSE));
  if (ns_table_get (table)->add_sentence != NULL)
    ns_table_get (table)->add_sentence (&self);
  else if (writers[table] != NULL)
    writers[table](&self);
  else
    add_brief (&self);
  g_string_append_c (self.text, '.');
  ns_sentence_take_marks (&self);
  return g_string_free (self.text, FALSE);
}
