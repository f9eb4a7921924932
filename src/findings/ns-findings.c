/* Findings of a trace: runs all rules and sorts what they report.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "base/ns-hash.h"
#include "base/ns-meanwhile.h"
#include "engine/trace/ns-event-index.h"
#include "engine/trace/ns-trace-cache.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define RULE(id, title, advice, evidence, find) { id, title, advice, evidence, find },

const NsFindingRule ns_finding_rules[NS_N_FINDING_RULES] = { NS_FINDING_RULES (RULE) };
G_STATIC_ASSERT (NS_N_FINDING_RULES <= NS_FINDING_MAX_RULES);

/* Number of operations from which on a second thread runs rules. */
#define MIN_SHARED_ROWS 16384

static void
finding_clear (gpointer data)
{
  NsFindingRow *row = data;

  g_clear_pointer (&row->subject, g_free);
  g_clear_pointer (&row->text, g_free);
  g_clear_pointer (&row->activities, g_array_unref);
  g_clear_pointer (&row->refs, g_array_unref);
  g_clear_pointer (&row->shares, g_array_unref);
  g_clear_pointer (&row->evidence, g_array_unref);
  g_clear_pointer (&row->marks, g_array_unref);
  g_clear_pointer (&row->needs, g_ptr_array_unref);
}

/* Adds the verdict of a rule that found nothing: not found if the trace records what it needs, else
 * not judged. */
static void
add_verdict (NsFindings *self)
{
  NsFindingRow row = { 0 };

  ns_findings_init_verdict (self, &row);
  if (ns_findings_is_recorded (self->trace, self->rule->evidence, row.needs))
    {
      row.verdict = NS_VERDICT_NOT_FOUND;
      row.text = ns_findings_add_notes (self, g_strdup (_ ("No occurrence was found.")));
    }
  else
    {
      g_autofree char *names = NULL;

      g_ptr_array_add (row.needs, NULL);
      names = g_strjoinv (_ (" or "), (char **) row.needs->pdata);
      g_ptr_array_set_size (row.needs, (int) row.needs->len - 1);
      row.verdict = NS_VERDICT_UNJUDGED;
      /* Translators: names of event providers with event IDs, of which one would be enough. */
      row.text = g_strdup_printf (_ ("The required events were not recorded: %s."), names);
    }
  g_array_append_val (self->rows, row);
}

/* Returns whether the finding is that of missing providers (D45), which is sorted after the
 * others. */
static gboolean
is_about_trace (const NsFindingRow *row)
{
  return row->verdict == NS_VERDICT_FOUND && strcmp (row->rule, "D45") == 0;
}

static gint
compare_findings (gconstpointer a, gconstpointer b)
{
  const NsFindingRow *left = a;
  const NsFindingRow *right = b;
  int order;

  if (left->verdict != right->verdict)
    return left->verdict < right->verdict ? -1 : 1;
  if (left->severity != right->severity)
    return left->severity > right->severity ? -1 : 1;
  if (is_about_trace (left) != is_about_trace (right))
    return is_about_trace (left) ? 1 : -1;
  if (left->cost_ns != right->cost_ns)
    return left->cost_ns > right->cost_ns ? -1 : 1;
  order = (left->open_ns > right->open_ns) - (left->open_ns < right->open_ns);
  if (order == 0)
    order = strcmp (left->rule, right->rule);
  if (order == 0)
    order = (left->pid > right->pid) - (left->pid < right->pid);
  return order != 0 ? order : g_strcmp0 (left->subject, right->subject);
}

/* Drops what a rule could not judge if it found something. */
static void
drop_unjudged (NsFindings *self, guint n_before)
{
  gboolean is_found = FALSE;
  guint i;

  for (i = n_before; i < self->rows->len; i++)
    is_found |= g_array_index (self->rows, NsFindingRow, i).verdict == NS_VERDICT_FOUND;
  for (i = self->rows->len; is_found && i-- > n_before;)
    if (g_array_index (self->rows, NsFindingRow, i).verdict == NS_VERDICT_UNJUDGED)
      g_array_remove_index (self->rows, i);
}

static void
run_rule (NsFindings *self, const NsFindingRule *rule)
{
  guint n_before = self->rows->len;

  self->rule = rule;
  rule->find (self);
  drop_unjudged (self, n_before);
  if (self->rows->len == n_before)
    add_verdict (self);
  g_clear_pointer (&self->aside, g_free);
  ns_findings_clear_groups (self);
}

/* Returns whether to run the rule: rules that need captured packets, or layers above connections,
 * are skipped without them instead of being reported as not judged. */
static gboolean
is_run (const NsTrace *trace, const NsFindingRule *rule)
{
  g_autoptr (GPtrArray) needs = g_ptr_array_new ();

  return (rule->find != ns_find_silent_neighbors && rule->find != ns_find_failed_operations) ||
         ns_findings_is_recorded (trace, rule->evidence, needs);
}

/* Shared state of the threads that run rules: each takes the next rule. */
typedef struct
{
  const NsTrace *trace;
  GArray *attempts;
  GArray *losses;
  NsFindingOperations *operations;
  NsFindingCalls *calls;
  GArray *rows[NS_N_FINDING_RULES]; /* (element-type NsFindingRow): by rule; NULL: not run */
  guint next;
} RuleRun;

static GArray *
rows_new (void)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (NsFindingRow));

  g_array_set_clear_func (rows, finding_clear);
  return rows;
}

static void
findings_init (NsFindings *self, const RuleRun *inquiry)
{
  *self = (NsFindings){ .trace = inquiry->trace,
                        .attempts = inquiry->attempts,
                        .losses = inquiry->losses,
                        .operations = inquiry->operations,
                        .calls = inquiry->calls,
                        .groups = g_hash_table_new (ns_hash_text, g_str_equal),
                        .blocks = g_ptr_array_new_with_free_func (g_free),
                        .large = g_ptr_array_new_with_free_func (g_free),
                        .key = g_string_new (NULL),
                        .none = g_array_new (FALSE, FALSE, 1),
                        .order = g_ptr_array_new_with_free_func (ns_findings_group_free) };
}

static void
findings_clear (NsFindings *self)
{
  g_hash_table_unref (self->groups);
  g_ptr_array_unref (self->order);
  g_ptr_array_unref (self->blocks);
  g_ptr_array_unref (self->large);
  g_string_free (self->key, TRUE);
  g_array_unref (self->none);
  g_clear_pointer (&self->ends, g_array_unref);
  g_clear_pointer (&self->packets, ns_packet_facts_free);
  g_clear_pointer (&self->filters, g_hash_table_unref);
  g_clear_pointer (&self->webio, ns_map_free);
  g_clear_pointer (&self->webio_entries, g_array_unref);
  g_clear_pointer (&self->last, g_hash_table_unref);
  g_clear_pointer (&self->heads, g_free);
  g_clear_pointer (&self->summaries, g_free);
  g_clear_pointer (&self->by_ports, g_hash_table_unref);
}

/* Returns whether the rule must run last: the rule about missing providers reads the verdicts of
 * all others. */
static gboolean
is_last (const NsFindingRule *rule)
{
  return rule->find == ns_find_missing_providers;
}

/* Returns whether the rule reads the list of aborted connections. */
static gboolean
reads_ends (const NsFindingRule *rule)
{
  return rule->find == ns_find_resets || rule->find == ns_find_dead_connections ||
         rule->find == ns_find_forgotten_connections;
}

/* Runs a rule; the first one of those that read the aborted connections also runs the others, so
 * that only one thread lists them. */
static void
run_rules (NsFindings *self, RuleRun *inquiry, guint first)
{
  gboolean is_one_of_several = reads_ends (&ns_finding_rules[first]);
  guint i;

  for (i = 0; i < first && is_one_of_several; i++)
    if (reads_ends (&ns_finding_rules[i]))
      return;
  for (i = first; i < (is_one_of_several ? NS_N_FINDING_RULES : first + 1); i++)
    {
      const NsFindingRule *rule = &ns_finding_rules[i];

      if (is_last (rule) || !is_run (inquiry->trace, rule) ||
          reads_ends (rule) != is_one_of_several)
        continue;
      self->rows = inquiry->rows[i] = rows_new ();
      run_rule (self, rule);
    }
}

static gpointer
run_next_cb (gpointer data)
{
  RuleRun *inquiry = data;
  NsFindings self;
  guint i;

  findings_init (&self, inquiry);
  while ((i = (guint) g_atomic_int_add (&inquiry->next, 1)) < NS_N_FINDING_RULES)
    run_rules (&self, inquiry, i);
  findings_clear (&self);
  return NULL;
}

/* Joins the findings in the order of the rules, independent of the threads. */
static GArray *
join_rows (RuleRun *inquiry)
{
  GArray *all = rows_new ();
  guint i;

  for (i = 0; i < NS_N_FINDING_RULES; i++)
    if (inquiry->rows[i] != NULL)
      {
        GArray *rows = inquiry->rows[i];

        g_array_append_vals (all, rows->data, rows->len);
        g_array_set_clear_func (rows, NULL); /* @all owns their contents now */
        g_array_unref (rows);
      }
  return all;
}

static GArray *
run_last (const RuleRun *inquiry, GArray *rows)
{
  NsFindings self;
  guint i;

  findings_init (&self, inquiry);
  self.rows = rows;
  for (i = 0; i < NS_N_FINDING_RULES; i++)
    if (is_last (&ns_finding_rules[i]))
      run_rule (&self, &ns_finding_rules[i]);
  findings_clear (&self);
  return rows;
}

static GArray *
findings_new (const NsTrace *trace)
{
  RuleRun inquiry = { .trace = trace };
  NsMeanwhile other = { NULL, NULL, NULL };
  GArray *rows;

  inquiry.calls = ns_finding_calls_new (trace);
  inquiry.attempts = ns_attempts_new (trace, inquiry.calls);
  inquiry.losses = ns_findings_list_losses (trace);
  inquiry.operations = ns_finding_operations_new (trace);
  if (trace->activities->len >= MIN_SHARED_ROWS)
    ns_meanwhile_begin (&other, "rules", run_next_cb, &inquiry);
  run_next_cb (&inquiry);
  ns_meanwhile_end (&other);
  rows = run_last (&inquiry, join_rows (&inquiry));
  g_array_sort (rows, compare_findings);
  g_array_unref (inquiry.attempts);
  g_array_unref (inquiry.losses);
  ns_finding_operations_free (inquiry.operations);
  ns_finding_calls_free (inquiry.calls);
  return rows;
}

static void
kept_free (gpointer data)
{
  NsFindingsKept *self = data;

  g_array_unref (self->rows);
  g_byte_array_unref (self->rules);
  g_free (self->places);
  g_free (self);
}

static const NsFindingsKept *
get_kept (const NsTrace *trace)
{
  const NsFindingsKept *kept = ns_trace_cache_get (trace->cache, NS_CACHE_FINDINGS);

  if (kept == NULL && ns_trace_cache_begin (trace->cache, NS_CACHE_FINDINGS, NULL, NULL))
    {
      NsFindingsKept *made = g_new0 (NsFindingsKept, 1);

      made->rows = findings_new (trace);
      ns_findings_index (trace, made);
      ns_trace_cache_end (trace->cache, NS_CACHE_FINDINGS, made, kept_free);
    }
  return ns_trace_cache_get (trace->cache, NS_CACHE_FINDINGS);
}

/**
 * ns_findings_get:
 * @trace: a trace
 *
 * The first call computes the findings, in time linear in the rows of the trace; concurrent calls
 * wait for it.
 *
 * Returns: (transfer none) (element-type NsFindingRow): the findings, sorted as in ns-finding.h
 */
GArray *
ns_findings_get (const NsTrace *trace)
{
  return get_kept (trace)->rows;
}

/**
 * ns_findings_are_known:
 * @trace: a trace
 *
 * Returns: whether ns_findings_get() has its answer ready
 */
gboolean
ns_findings_are_known (const NsTrace *trace)
{
  return ns_trace_cache_get (trace->cache, NS_CACHE_FINDINGS) != NULL;
}

/**
 * ns_findings_count:
 * @trace: a trace
 * @worst: (out): the highest severity of the findings; %NS_SEVERITY_INFO if there are none
 *
 * Returns: the number of findings, without verdicts of rules that found nothing
 */
guint
ns_findings_count (const NsTrace *trace, NsSeverity *worst)
{
  const GArray *findings = ns_findings_get (trace);
  guint n_found = 0;
  guint i;

  *worst = NS_SEVERITY_INFO;
  for (i = 0; i < findings->len; i++)
    {
      const NsFindingRow *row = &g_array_index (findings, NsFindingRow, i);

      if (row->verdict != NS_VERDICT_FOUND)
        break;
      n_found++;
      *worst = MAX (*worst, row->severity);
    }
  return n_found;
}

/**
 * ns_findings_get_rules:
 * @trace: a trace
 * @activity: a row of the master table, 1-based
 * @rules: (out caller-allocates) (array length=max): numbers of rules; (transfer none)
 * @max: room in @rules; %NS_FINDING_MAX_RULES is enough
 *
 * Gets the rules that reported an operation, in the order of the findings, without duplicates. The
 * first call computes the findings, see ns_findings_get().
 *
 * Returns: the number of rules stored
 */
guint
ns_findings_get_rules (const NsTrace *trace, NsRow activity, const char **rules, guint max)
{
  const NsFindingsKept *kept = get_kept (trace);
  guint n_rules = 0;
  guint32 i;

  if (activity < 1 || activity > trace->activities->len)
    return 0;
  for (i = kept->places[activity]; i < kept->places[activity + 1]; i++)
    {
      guint8 number = kept->rules->data[i];

      if (number == 0 || n_rules == max)
        break;
      rules[n_rules++] = ns_finding_rules[number - 1].id;
    }
  return n_rules;
}
