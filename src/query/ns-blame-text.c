/* The sentence that describes how the time of an operation was spent.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-text.h"
#include "engine/activities/ns-chain.h"
#include "engine/tasks/ns-runs.h"
#include "engine/trace/ns-namer.h"
#include "query/ns-blame.h"
#include "query/ns-sentence-parts.h"

#include <glib/gi18n-lib.h>

/* Translators: “61 % …” */
static const char *const phase_words[NS_N_PHASES] = {
  [NS_PHASE_POOL] = N_ ("waiting for a pool thread"),
  [NS_PHASE_QUEUE] = N_ ("queued inside the library"),
  [NS_PHASE_PROXY] = N_ ("detecting the proxy"),
  [NS_PHASE_DNS] = N_ ("resolving the name"),
  [NS_PHASE_CONNECT] = N_ ("connecting"),
  [NS_PHASE_TLS] = N_ ("in the TLS handshake"),
  [NS_PHASE_SEND] = N_ ("sending"),
  [NS_PHASE_WAIT] = N_ ("waiting for the server"),
  [NS_PHASE_RECEIVE] = N_ ("receiving"),
  [NS_PHASE_OTHER] = N_ ("not covered by the recorded events"),
};

static const char *const queue_words[] = {
  [NS_TASK_NONE] = N_ ("a queue"),
  [NS_TASK_DISPATCH_QUEUE] = N_ ("an Office dispatch queue"),
  [NS_TASK_OFFICE_POOL] = N_ ("an Office pool thread"),
  [NS_TASK_IDLE] = N_ ("the Office idle queue"),
  [NS_TASK_POOL] = N_ ("a Windows pool thread"),
  [NS_TASK_TIMER] = N_ ("a timer"),
  [NS_TASK_WINHTTP] = N_ ("a WinHTTP pool thread"),
  [NS_TASK_THREAD] = N_ ("a new thread"),
  [NS_TASK_DOTNET_TASK] = N_ ("a .NET task"),
  [NS_TASK_DOTNET_POOL] = N_ ("a .NET pool thread"),
};

/* Returns the code that queued the work: the leaf frame, as without symbols the innermost frame
 * outside the queue's own code is not known. */
static char *
dup_culprit (const NsTrace *trace, const NsBlamePart *part)
{
  const NsSubmission *origin;
  const guint64 *frames;
  guint n_frames;
  guint n_hidden;

  if (part->run == 0)
    return NULL;
  origin = ns_runs_get_origin (trace->runs, part->run);
  frames = ns_stacks_get (trace->stacks, origin->stack, &n_frames);
  n_hidden = ns_chain_count_hidden (trace, origin->stack, origin->time_ns);
  if (origin->stack == 0 || n_hidden >= n_frames)
    return NULL;
  return ns_trace_frame_to_function (trace,
                                     ns_stacks_get_pid (trace->stacks, origin->stack),
                                     frames[n_hidden],
                                     origin->time_ns,
                                     n_hidden > 0);
}

static void
append_queued (GString *text, const NsTrace *trace, const NsBlamePart *part)
{
  g_autofree char *culprit = dup_culprit (trace, part);

  /* Translators: “waiting for a Windows pool thread” */
  g_string_append_printf (text, _ ("waiting for %s"), _ (queue_words[part->task]));
  if (culprit != NULL)
    /* Translators: a function */
    g_string_append_printf (text, _ (" (queued by %s)"), culprit);
  else if (part->tid != NS_PID_UNKNOWN)
    g_string_append_printf (text, _ (" (queued on thread %u)"), part->tid);
}

/**
 * ns_blame_get_queue_words:
 * @kind: a kind of queue; %NS_TASK_NONE for several
 *
 * Returns: (transfer none): description of the wait, such as “a Windows pool thread”
 */
const char *
ns_blame_get_queue_words (NsTaskKind kind)
{
  if (kind == NS_TASK_NONE || (guint) kind >= G_N_ELEMENTS (queue_words))
    return _ ("a thread-pool thread");
  return _ (queue_words[kind]);
}

static void
append_phase (GString *text, const NsTrace *trace, const NsActivityRow *row, NsPhase phase)
{
  NsString server = NS_STRING_NONE;

  g_string_append (text, _ (phase_words[phase]));
  if (phase == NS_PHASE_DNS && row->dns != 0 && row->dns <= trace->dns->len)
    server = NS_ROW_AT (trace->dns, NsDnsRow, row->dns)->server;
  if (server > NS_STRING_EMPTY)
    /* Translators: address of a DNS server */
    g_string_append_printf (text, _ (" (server %s)"), ns_trace_text (trace, server));
}

static void
append_part (GString *text, const NsTrace *trace, const NsActivityRow *row, const NsBlamePart *part)
{
  ns_text_append_unsigned (text, part->percent);
  ns_text_append (text, " % ", 3);
  switch (part->kind)
    {
    case NS_BLAME_QUEUED:
      append_queued (text, trace, part);
      break;
    case NS_BLAME_RUNNING:
      /* Translators: a thread */
      g_string_append_printf (text, _ ("running the code that led to it on thread %u"), part->tid);
      break;
    case NS_BLAME_PHASE:
    default:
      append_phase (text, trace, row, part->phase);
      break;
    }
}

/**
 * ns_blame_to_text:
 * @trace: a trace
 * @row: row of the master table, 0-based
 *
 * Returns: (transfer full) (nullable): `1.943 s since it was queued: 61 % waiting for …, 22 %
 *   resolving the name …`, with shares that add up to 100 %; %NULL if it is unknown
 */
char *
ns_blame_to_text (const NsTrace *trace, guint row)
{
  const NsActivityRow *activity = &g_array_index (trace->activities, NsActivityRow, row);
  g_autofree char *span = NULL;
  GString *text;
  NsBlame blame;
  guint n_reported = 0;
  guint i;

  if (!ns_blame_find (&blame, trace, row))
    return NULL;
  text = g_string_new (NULL);
  span = ns_sentence_span_to_text (blame.total_ns);
  if (blame.is_lower_bound)
    g_string_append_printf (text, _ ("at least %s"), span);
  else
    g_string_append (text, span);
  /* The total differs from the duration of the row. */
  if (blame.lead_ns > 0)
    g_string_append (text, _ (" since it was queued"));
  for (i = 0; i < blame.n_parts; i++)
    if (blame.parts[i].percent > 0)
      {
        g_string_append (text, n_reported++ == 0 ? ": " : ", ");
        append_part (text, trace, activity, &blame.parts[i]);
      }
  return g_string_free (text, FALSE);
}
