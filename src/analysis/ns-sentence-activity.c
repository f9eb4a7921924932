/* The sentence about a network operation: process, server, waits and result.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-code-origin.h"
#include "engine/app/capi2/ns-capi2.h"
#include "engine/app/tls/ns-tls.h"
#include "engine/tasks/ns-pool-wait.h"
#include "engine/trace/ns-namer.h"
#include "query/ns-blame.h"
#include "query/ns-sentence-parts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Minimum share of a phase to be mentioned. */
#define BIG_SHARE_PERCENT 40

/* Layers of requests, as opposed to transports. */
#define ASKING                                                                                     \
  (NS_LAYER_WININET | NS_LAYER_WINHTTP | NS_LAYER_DOTNET | NS_LAYER_CHROMIUM | NS_LAYER_URLMON |   \
   NS_LAYER_QUIC)

/* Layers whose events are calls of a program. */
#define CALLING (ASKING | NS_LAYER_LDAP | NS_LAYER_WINSOCK)

/* Translators: “61 % of it …” */
static const char *const phase_words[NS_N_PHASES] = {
  [NS_PHASE_POOL] = N_ ("waiting for a thread-pool thread"),
  [NS_PHASE_QUEUE] = N_ ("queued inside the library"),
  [NS_PHASE_PROXY] = N_ ("detecting the proxy"),
  [NS_PHASE_DNS] = N_ ("resolving the name"),
  [NS_PHASE_CONNECT] = N_ ("connecting"),
  [NS_PHASE_TLS] = N_ ("in the TLS handshake"),
  [NS_PHASE_SEND] = N_ ("sending"),
  [NS_PHASE_WAIT] = N_ ("waiting for the server"),
  [NS_PHASE_RECEIVE] = N_ ("receiving"),
  [NS_PHASE_OTHER] = NULL,
};

/* Returns the responsible code: `module!function`, or module and offset without symbols. */
static char *
dup_code (NsSentence *self, const NsCodeOrigin *origin)
{
  g_autofree char *frame = NULL;

  if (origin->address == 0 || origin->is_windows)
    return NULL;
  frame = ns_trace_frame_to_function (self->trace,
                                      origin->pid,
                                      origin->address,
                                      origin->time_ns,
                                      origin->is_return);
  if (frame == NULL || g_str_has_prefix (frame, "0x"))
    return NULL;
  return ns_sentence_mark_frame (self, g_steal_pointer (&frame), origin->address);
}

/* Formats the thread: only calls run on the program's own thread, network events on any thread. */
static char *
dup_thread (NsSentence *self, const NsActivityRow *row, guint32 tid, gboolean is_of_code)
{
  gboolean is_own = is_of_code || (!row->accepted && (row->layers & CALLING) != 0);

  if (!is_own || tid == NS_PID_UNKNOWN || tid == 0)
    return NULL;
  if (ns_trace_is_main_thread (self->trace, ns_trace_find_thread (self->trace, tid, row->open_ns)))
    return g_strdup (_ ("main thread"));
  return g_strdup_printf (_ ("thread %u"), tid);
}

static char *
dup_when_and_where (NsSentence *self, const NsActivityRow *row)
{
  const NsCodeOrigin origin = ns_code_origin_find_for_activity (self->trace, self->row);
  g_autofree char *moment = NULL;
  g_autofree char *code = dup_code (self, &origin);
  g_autofree char *thread = NULL;

  if (row->opened_before_trace || (moment = ns_sentence_dup_moment (self, "open_ns")) == NULL)
    return g_strdup (_ ("before the trace began"));
  thread = dup_thread (self, row, code != NULL ? origin.tid : row->tid, code != NULL);
  if (code != NULL && thread != NULL)
    /* Translators: a time, a function of a program, and “thread 4312” or “main thread” */
    return g_strdup_printf (_ ("at %s in %s (%s)"), moment, code, thread);
  if (code != NULL)
    /* Translators: a time, and a function of a program */
    return g_strdup_printf (_ ("at %s in %s"), moment, code);
  if (thread != NULL)
    /* Translators: a time, and “thread 4312” or “main thread” */
    return g_strdup_printf (_ ("at %s (%s)"), moment, thread);
  /* Translators: a time */
  return g_strdup_printf (_ ("at %s"), moment);
}

/* Returns the server, linked to its DNS query. */
static char *
dup_peer (NsSentence *self, const NsActivityRow *row)
{
  return ns_sentence_mark_row (self, ns_sentence_dup_peer (self), NS_TABLE_DNS, row->dns);
}

/* Describes a datagram socket by the direction of its data, as it does not connect. */
static void
add_datagrams (NsSentence *self,
               const NsActivityRow *row,
               const char *subject,
               const char *peer,
               const char *when)
{
  if (row->received == 0 && row->sent > 0)
    ns_sentence_add (self, _ ("%s sent datagrams to %s %s"), subject, peer, when);
  else if (row->sent == 0 && row->received > 0)
    ns_sentence_add (self, _ ("%s received datagrams from %s %s"), subject, peer, when);
  else
    ns_sentence_add (self, _ ("%s exchanged datagrams with %s %s"), subject, peer, when);
}

/* Returns the subject: the machine if the process is unknown, as with packets. */
static char *
dup_subject (NsSentence *self, const NsActivityRow *row)
{
  char text[NS_IP_TEXT_SIZE];

  if (row->pid == NS_PID_UNKNOWN && row->flow != 0 && !ns_ip_is_empty (&row->local->ip))
    return g_strdup (ns_ip_to_text (&row->local->ip, text));
  return ns_sentence_dup_subject (self);
}

/* Returns whether the row is a DNS query that only packets show, which identify only the server. */
static gboolean
is_question (const NsActivityRow *row)
{
  return row->protocol == NS_LAYER_DNS && row->flow != 0;
}

static void
add_question (NsSentence *self,
              const NsActivityRow *row,
              const char *subject,
              const char *name,
              const char *when)
{
  char server[NS_IP_TEXT_SIZE];
  const char *type = ns_trace_text (self->trace, row->method);

  ns_ip_to_text (&row->remote->ip, server);
  /* Translators: the client, the DNS server, a name, the type of record and a time: “192.0.2.20
   * queried 192.0.2.53 for mail.example.com (A) at 1.204 s” */
  ns_sentence_add (self,
                   _ ("%s queried %s for %s (%s) %s"),
                   subject,
                   server,
                   name,
                   type != NULL ? type : "?",
                   when);
}

/* Describes packets other than TCP and UDP. */
static void
add_packets (NsSentence *self,
             const NsActivityRow *row,
             const char *subject,
             const char *peer,
             const char *when)
{
  const char *protocol = row->protocol == NS_LAYER_ICMP ? "ICMP" : "IP";

  if (row->received == 0 && row->sent > 0)
    /* Translators: a machine, a protocol, another machine and a time */
    ns_sentence_add (self, _ ("%s sent %s packets to %s %s"), subject, protocol, peer, when);
  else
    /* Translators: a machine, a protocol, another machine and a time */
    ns_sentence_add (self, _ ("%s exchanged %s packets with %s %s"), subject, protocol, peer, when);
}

static void
add_beginning (NsSentence *self, const NsActivityRow *row)
{
  g_autofree char *subject = dup_subject (self, row);
  g_autofree char *peer = dup_peer (self, row);
  g_autofree char *when = dup_when_and_where (self, row);

  if (row->layers & NS_LAYER_HTTP_SERVER)
    ns_sentence_add (self, _ ("%s received a request from %s %s"), subject, peer, when);
  else if (is_question (row))
    add_question (self, row, subject, peer, when);
  else if (row->protocol == NS_LAYER_ICMP || row->protocol == NS_LAYER_IP)
    add_packets (self, row, subject, peer, when);
  else if (row->accepted && !(row->layers & NS_LAYER_TCP) && row->flow != 0)
    add_datagrams (self, row, subject, peer, when);
  else if (row->accepted)
    ns_sentence_add (self, _ ("%s accepted a connection from %s %s"), subject, peer, when);
  else if (row->layers & NS_LAYER_LDAP)
    ns_sentence_add (self, _ ("%s searched the directory of %s %s"), subject, peer, when);
  else if (row->protocol & NS_LAYER_WFP)
    ns_sentence_add (self, _ ("Windows dropped data that %s sent to %s %s"), subject, peer, when);
  else if (row->more != NULL && row->more->is_blocked)
    ns_sentence_add (self, _ ("%s tried to connect to %s %s"), subject, peer, when);
  else if (ns_sentence_is_of_layer (row))
    ns_sentence_add_layer (self, row, subject, peer, when);
  else if (row->protocol & (ASKING | NS_LAYER_HTTP))
    ns_sentence_add (self, _ ("%s made a request to %s %s"), subject, peer, when);
  else if (row->layers & NS_LAYER_UDP)
    add_datagrams (self, row, subject, peer, when);
  else
    ns_sentence_add (self, _ ("%s connected to %s %s"), subject, peer, when);
}

static char *
dup_phase (NsSentence *self, const NsActivityRow *row, NsPhase phase)
{
  return ns_sentence_mark (self,
                           ns_sentence_span_to_text (ns_activity_row_get_phase (row, phase)),
                           NS_SENTENCE_STRONG);
}

/* Describes the wait for a pool thread, which is usually before the operation, and the queue
 * time inside the library, which is part of the operation. */
static void
add_waits (NsSentence *self, const NsActivityRow *row)
{
  gint64 pool_ns = ns_pool_wait_get_total (self->trace, row);
  g_autofree char *waited = NULL;
  g_autofree char *queued = NULL;
  g_autofree char *library = NULL;
  NsPoolWait wait;

  if (pool_ns > 0)
    {
      ns_pool_wait_find (&wait, self->trace, row);
      waited = ns_sentence_mark (self, ns_sentence_span_to_text (pool_ns), NS_SENTENCE_STRONG);
      /* Translators: waited “38.0 ms” for “a Windows pool thread” */
      ns_sentence_add (self,
                       _ ("waited %s for %s"),
                       waited,
                       ns_blame_get_queue_words (ns_pool_wait_get_kind (&wait)));
    }
  if (ns_activity_row_get_phase (row, NS_PHASE_QUEUE) > 0)
    {
      queued = dup_phase (self, row, NS_PHASE_QUEUE);
      if (row->protocol & NS_LAYER_DOTNET)
        {
          /* Translators: waited “81.0 ms” */
          ns_sentence_add (self, _ ("waited %s for a connection"), queued);
          return;
        }
      if (row->protocol & NS_LAYER_SMB)
        {
          /* Translators: waited “81.0 ms”; credits are what a server of SMB gives to its clients */
          ns_sentence_add (self, _ ("waited %s for credits"), queued);
          return;
        }
      library = ns_sentence_dup (self, "protocol");
      /* Translators: was queued “300 µs” inside “WinHTTP” */
      ns_sentence_add (self,
                       _ ("was queued %s inside %s"),
                       queued,
                       library != NULL ? library : _ ("the library"));
    }
}

static void
add_phases (NsSentence *self, const NsActivityRow *row)
{
  g_autofree char *resolved = NULL;
  g_autofree char *connection = NULL;

  add_waits (self, row);
  if (ns_activity_row_get_phase (row, NS_PHASE_DNS) > 0 && !is_question (row))
    {
      resolved = dup_phase (self, row, NS_PHASE_DNS);
      ns_sentence_add (self, _ ("resolved the name in %s"), resolved);
    }
  if (row->reused < 0 || row->tcp == 0)
    return;
  /* Translators: what is opened or used again */
  connection = ns_sentence_mark_row (self,
                                     g_strdup_printf (_ ("connection %u"), row->tcp),
                                     NS_TABLE_TCP,
                                     row->tcp);
  if (row->reused > 0)
    ns_sentence_add (self, _ ("reused %s"), connection);
  else
    ns_sentence_add (self, _ ("opened %s"), connection);
}

/* Describes certificate checks during the handshake, and the URLs that they requested. */
static void
add_certificates (NsSentence *self, gint64 cert_ns)
{
  g_autofree char *span =
      ns_sentence_mark (self, ns_sentence_span_to_text (cert_ns), NS_SENTENCE_STRONG);
  NsRow check = ns_capi2_find_check (self->trace, self->row + 1);
  NsRow retrieval = check != 0 ? ns_capi2_find_retrieval (self->trace, check) : 0;
  g_autofree char *url = NULL;

  if (retrieval == 0)
    {
      /* Translators: checked certificates for “2.10 s” */
      ns_sentence_add (self, _ ("checked certificates for %s"), span);
      return;
    }
  url = ns_sentence_mark_row (
      self,
      g_strdup (
          ns_trace_text (self->trace, NS_ROW_AT (self->trace->capi2, NsCapi2Row, retrieval)->url)),
      NS_TABLE_CAPI2,
      retrieval);
  /* Translators: checked certificates for “2.10 s” and asked “http://crl.example/a.crl” */
  ns_sentence_add (self, _ ("checked certificates for %s and contacted %s"), span, url);
}

/* Describes a failed or slow handshake. */
static void
add_handshake (NsSentence *self)
{
  g_autofree char *error = NULL;
  g_autofree char *alert = NULL;
  NsTlsFacts facts;

  if (!ns_tls_get_facts (self->trace, NS_TABLE_ACTIVITIES, self->row + 1, &facts))
    return;
  if (facts.cert_ns > 0)
    add_certificates (self, facts.cert_ns);
  error = ns_sentence_dup (self, "tls_error");
  alert = ns_sentence_dup (self, "tls_alert");
  if (error == NULL)
    return;
  if (alert != NULL && facts.alert_from == NS_TLS_FROM_SERVER)
    /* Translators: an error, and the name of an alert of TLS */
    ns_sentence_add (self,
                     _ ("failed in the TLS handshake with %s, as the server sent the alert %s"),
                     error,
                     alert);
  else if (alert != NULL)
    /* Translators: an error, and the name of an alert of TLS */
    ns_sentence_add (self,
                     _ ("failed in the TLS handshake with %s and sent the alert %s"),
                     error,
                     alert);
  else
    ns_sentence_add (self, _ ("failed in the TLS handshake with %s"), error);
}

/* Returns the status line `HTTP/1.1 503 Service Unavailable` without the version. */
static char *
dup_answer (NsSentence *self, const NsActivityRow *row)
{
  g_autofree char *status = ns_sentence_dup (self, "status");
  g_autofree char *code = g_strdup_printf ("%u", row->http_status);
  const char *found = status == NULL ? NULL : strstr (status, code);

  return g_strdup (found != NULL ? found : code);
}

static void
add_end (NsSentence *self, const NsActivityRow *row)
{
  g_autofree char *span = ns_sentence_dup_span (self, "duration_ns");
  g_autofree char *error = ns_sentence_dup (self, "error");
  g_autofree char *answer = NULL;

  if (span == NULL)
    span = g_strdup (_ ("an unknown time"));
  if (row->from_cache)
    ns_sentence_add (self, _ ("was answered from the cache after %s"), span);
  else if (row->http_status != 0)
    {
      answer = ns_sentence_mark (self,
                                 dup_answer (self, row),
                                 row->failed ? NS_SENTENCE_FAILURE : NS_SENTENCE_STRONG);
      /* Translators: got “503 Service Unavailable” after “1.21 s” */
      ns_sentence_add (self, _ ("got %s after %s"), answer, span);
    }
  else if (row->cancelled)
    ns_sentence_add (self, _ ("was cancelled after %s"), span);
  else if ((row->protocol & NS_LAYER_WFP) != 0 && row->more != NULL &&
           row->more->blocked_by != NS_STRING_NONE)
    {
      error = ns_sentence_mark (self,
                                g_strdup (ns_trace_text (self->trace, row->more->blocked_by)),
                                NS_SENTENCE_FAILURE);
      /* Translators: the name of a filter, or “filter 70123” */
      ns_sentence_add (self, _ ("blocked by %s"), error);
      if (row->more->drops > 1)
        ns_sentence_add (self, _ ("%u times within %s"), row->more->drops, span);
    }
  else if (row->more != NULL && row->more->is_blocked && error != NULL)
    {
      error = ns_sentence_mark (self, error, NS_SENTENCE_FAILURE);
      /* Translators: “blocked by filter …”, “1.21 s” */
      ns_sentence_add (self, _ ("was %s after %s"), error, span);
    }
  else if (row->failed && error != NULL)
    {
      error = ns_sentence_mark (self, error, NS_SENTENCE_FAILURE);
      ns_sentence_add (self, _ ("failed with %s after %s"), error, span);
    }
  else if (row->failed)
    ns_sentence_add (self, _ ("failed after %s"), span);
  else if (is_question (row) && row->close_ns != NS_TIME_OPEN)
    /* Translators: “18.0 ms” */
    ns_sentence_add (self, _ ("got an answer after %s"), span);
  else if (row->close_ns == NS_TIME_OPEN)
    ns_sentence_add (self, _ ("was still open when the trace ended, after %s"), span);
  else
    ns_sentence_add_end (self, span);
}

/* Returns the longest phase; %NS_PHASE_OTHER if it is too short to be mentioned. */
static NsPhase
find_biggest (const NsBlame *blame)
{
  gint64 biggest_ns = 0;
  NsPhase biggest = NS_PHASE_OTHER;
  guint i;

  for (i = 0; i < NS_PHASE_OTHER; i++)
    {
      gint64 span_ns = ns_blame_get_span (blame, NS_BLAME_PHASE, (NsPhase) i);

      if (span_ns > biggest_ns)
        {
          biggest = (NsPhase) i;
          biggest_ns = span_ns;
        }
    }
  if (ns_blame_get_percent (blame, NS_BLAME_PHASE, biggest) < BIG_SHARE_PERCENT)
    return NS_PHASE_OTHER;
  return biggest;
}

/* Describes shares of the duration, and the time since the work was queued, which is stated
 * separately. */
static void
add_shares (NsSentence *self)
{
  g_autofree char *span = NULL;
  NsBlame blame;
  NsPhase biggest;
  guint percent;

  if (!ns_blame_find (&blame, self->trace, self->row))
    return;
  biggest = find_biggest (&blame);
  percent = ns_blame_get_percent (&blame, NS_BLAME_PHASE, biggest);
  if (blame.lead_ns > 0)
    {
      span = ns_sentence_span_to_text (blame.total_ns);
      if (blame.is_lower_bound)
        /* Translators: “; at least 789 ms since it was queued” */
        g_string_append_printf (self->text, _ ("; at least %s since it was queued"), span);
      else
        /* Translators: “; 789 ms since it was queued” */
        g_string_append_printf (self->text, _ ("; %s since it was queued"), span);
      if (biggest != NS_PHASE_OTHER)
        /* Translators: “, 95 % of that waiting for the server” */
        g_string_append_printf (self->text,
                                _ (", %u %% of that %s"),
                                percent,
                                _ (phase_words[biggest]));
    }
  else if (biggest != NS_PHASE_OTHER)
    /* Translators: the share of a phase: “; 61 % of it waiting for the server” */
    g_string_append_printf (self->text, _ ("; %u %% of it %s"), percent, _ (phase_words[biggest]));
}

/**
 * ns_sentence_add_activity: (skip)
 * @self: a sentence about a row of the master table
 *
 * Writes the sentence, without the full stop.
 */
void
ns_sentence_add_activity (NsSentence *self)
{
  const NsActivityRow *row = &g_array_index (self->trace->activities, NsActivityRow, self->row);

  add_beginning (self, row);
  add_phases (self, row);
  add_handshake (self);
  ns_sentence_add_layer_facts (self, row);
  add_end (self, row);
  if (!is_question (row))
    add_shares (self);
}
