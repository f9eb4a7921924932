/* Pairs the sessions of a case whose stacks and events belong together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/stacks/ns-stack-match-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* A session writes its stacks to its own files, and identifies events by their times; it never
 * refers to an event of another session. But in a recording in two files, the kernel part has
 * the stacks of the other part, which is another session. So a stack may belong to an event of
 * another session if both have one clock and did not record the same events. Otherwise the time
 * is that of a record of its own session that was left out as a duplicate, got lost, or has a
 * time made inexact by the conversion of a clock. */

/**
 * ns_stack_match_find_session: (skip)
 * @builder: the builder
 * @ref: a record
 *
 * Returns: number of the first input that the session of the record wrote
 */
guint16
ns_stack_match_find_session (const NsBuilder *builder, NsRecordRef ref)
{
  const NsEtlFile *file = builder->trace->file;

  if (ns_etl_file_get_n_inputs (file) == 1)
    return 0;
  return (guint16) ns_etl_file_get_session_of (file, ns_etl_file_find_input (file, ref.buffer));
}

/* Separates sessions that recorded the same events, as they have stacks of their own. */
static void
part_duplicates (NsStackMatch *self, const NsEtlFile *file)
{
  g_autoptr (GArray) pairs = ns_etl_file_list_pairs (file);
  guint i;

  for (i = 0; i < pairs->len; i++)
    {
      const NsEtlPair *pair = &g_array_index (pairs, NsEtlPair, i);
      gsize a = ns_etl_file_get_session_of (file, pair->first);
      gsize b = ns_etl_file_get_session_of (file, pair->second);

      if (a == b || pair->n_records == 0)
        continue;
      self->shares[a * self->n_inputs + b] = FALSE;
      self->shares[b * self->n_inputs + a] = FALSE;
    }
}

/**
 * ns_stack_match_pair_sessions: (skip)
 * @builder: the builder, after its first walk
 *
 * Finds out which sessions may have stacks for each other's events.
 */
void
ns_stack_match_pair_sessions (NsBuilder *builder)
{
  NsStackMatch *self = builder->stack_match;
  const NsEtlFile *file = builder->trace->file;
  guint n = ns_etl_file_get_n_inputs (file);
  guint i;
  guint k;

  self->n_inputs = n;
  if (n == 1)
    return;
  self->shares = g_new0 (guint8, (gsize) n * n);
  for (i = 0; i < n; i++)
    for (k = 0; k < n; k++)
      self->shares[(gsize) i * n + k] = ns_etl_file_share_clock (file, i, k);
  part_duplicates (self, file);
}

/**
 * ns_stack_match_may_share: (skip)
 * @self: a match, after ns_stack_match_pair_sessions()
 * @a: a session
 * @b: another one, or the same
 *
 * Returns: whether stacks of one may belong to events of the other
 */
gboolean
ns_stack_match_may_share (const NsStackMatch *self, guint16 a, guint16 b)
{
  return a == b || self->shares[(gsize) a * self->n_inputs + b] != 0;
}

static gboolean
has_another_clock (const NsEtlFile *file, guint session)
{
  guint n = ns_etl_file_get_n_inputs (file);
  guint i;

  for (i = 0; i < n; i++)
    if (!ns_etl_file_share_clock (file, session, i))
      return TRUE;
  return FALSE;
}

/* Reports stacks without an event. @first: the first of @n stacks */
static void
report (const NsBuilder *builder, const NsStackFound *first, guint64 n, gboolean is_of_clocks)
{
  NsTrace *trace = builder->trace;
  const NsRecordRef where = { .buffer = first->buffer };
  g_autofree char *name = ns_etl_file_dup_input_name (trace->file, first->session);
  g_autofree char *text = g_strdup_printf (
      is_of_clocks
          /* Translators: a file, and a number of call stacks. */
          ? _ ("stacks without an event in the session of %s: %" PRIu64
               "; times of files with another clock are not exact enough to match them")
          : _ ("stacks without an event in the session of %s: %" PRIu64
               "; the event was recorded twice, and the record of another file is used"),
      name,
      n);

  ns_etl_file_add_beside (trace->file,
                          &where,
                          ns_trace_text (trace, ns_strings_add (trace->strings, text)));
}

/* Returns whether a session shares records with another one. */
static gboolean
has_duplicates (const NsStackMatch *self, const NsEtlFile *file, guint session)
{
  guint i;

  for (i = 0; i < self->n_inputs; i++)
    if (self->shares[(gsize) session * self->n_inputs + i] == 0 &&
        ns_etl_file_share_clock (file, session, i))
      return TRUE;
  return FALSE;
}

/**
 * ns_stack_match_report_alone: (skip)
 * @builder: the builder, after its second walk
 *
 * Reports stacks whose event is not in the case, if the cause is a file with another clock or a
 * duplicate recording. Otherwise the session lost the event, which is reported elsewhere.
 */
void
ns_stack_match_report_alone (const NsBuilder *builder)
{
  const NsStackMatch *self = builder->stack_match;
  const NsEtlFile *file = builder->trace->file;
  g_autofree const NsStackFound **first = NULL;
  g_autofree guint64 *n_alone = NULL;
  guint i;

  if (self->n_inputs <= 1)
    return;
  first = g_new0 (const NsStackFound *, self->n_inputs);
  n_alone = g_new0 (guint64, self->n_inputs);
  for (i = 0; i < self->found->len; i++)
    {
      const NsStackFound *found = &g_array_index (self->found, NsStackFound, i);

      if (!found->is_claimed && n_alone[found->session]++ == 0)
        first[found->session] = found;
    }
  for (i = 0; i < self->n_inputs; i++)
    if (n_alone[i] > 0 && has_another_clock (file, i))
      report (builder, first[i], n_alone[i], TRUE);
    else if (n_alone[i] > 0 && has_duplicates (self, file, i))
      report (builder, first[i], n_alone[i], FALSE);
}
