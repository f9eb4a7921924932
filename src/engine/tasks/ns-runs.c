/* Submissions and runs of tasks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-builder.h"
#include "engine/tasks/ns-runs.h"

NsRuns *
ns_runs_new (void)
{
  NsRuns *self = g_new0 (NsRuns, 1);

  self->submissions = g_array_new (FALSE, FALSE, sizeof (NsSubmission));
  self->runs = g_array_new (FALSE, FALSE, sizeof (NsRun));
  self->summaries = g_array_new (FALSE, TRUE, sizeof (NsRunSummary));
  self->evidence = g_byte_array_new ();
  return self;
}

void
ns_runs_free (NsRuns *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->submissions);
  g_array_unref (self->runs);
  g_array_unref (self->summaries);
  g_byte_array_unref (self->evidence);
  g_free (self);
}

/**
 * ns_runs_get_evidence: (skip)
 * @self: (nullable): all runs
 * @task: a row of the tasks
 *
 * Returns: (nullable): the kind of events that recorded the task, for pools with several kinds
 */
const char *
ns_runs_get_evidence (const NsRuns *self, NsRow task)
{
  static const char *const names[] = {
    NULL,      "tpl-task", "tpl-await", "tpl-continuation",
    "fw-pool", "clr-pool", "clr-io",    "fw-transfer",
  };

  if (self == NULL || task == 0 || task > self->evidence->len)
    return NULL;
  return names[MIN (self->evidence->data[task - 1], G_N_ELEMENTS (names) - 1)];
}

/* Returns whether a run can be a link: its queuing was recorded. */
gboolean
ns_runs_is_link (const NsRuns *self, NsRunId run)
{
  return self != NULL && run != 0 && run <= self->runs->len &&
         !ns_runs_get_origin (self, run)->is_anonymous;
}

/* Returns the previous run in the chain, or 0. */
NsRunId
ns_runs_get_older (const NsRuns *self, NsRunId run)
{
  NsRunId older = ns_runs_get_origin (self, run)->link;

  return ns_runs_is_link (self, older) ? older : 0;
}

/* Follows the chain to its end, to a summarized run, or to a run already passed (a loop); then
 * sets the summaries of the passed runs, from the far end on. */
static void
summarize (NsRuns *self, NsRunId run, GArray *way)
{
  NsRunSummary *summaries = &g_array_index (self->summaries, NsRunSummary, 0);
  NsRunSummary base = { 0, 0, 0 };
  guint i;

  g_array_set_size (way, 0);
  for (; run != 0; run = ns_runs_get_older (self, run))
    {
      if (summaries[run - 1].n_hops != 0)
        {
          /* G_MAXUINT32 marks passed runs: the links form a loop. */
          if (summaries[run - 1].n_hops != G_MAXUINT32)
            base = summaries[run - 1];
          break;
        }
      summaries[run - 1].n_hops = G_MAXUINT32;
      g_array_append_val (way, run);
    }
  for (i = way->len; i > 0; i--)
    {
      run = g_array_index (way, NsRunId, i - 1);
      if (base.root == 0)
        base.root = run;
      base.n_hops++;
      base.n_stacks += ns_runs_get_origin (self, run)->stack != 0;
      summaries[run - 1] = base;
    }
}

/* Computes root and length of every chain once all links are set; visits each run once. */
void
ns_runs_summarize (NsRuns *self)
{
  g_autoptr (GArray) way = g_array_new (FALSE, FALSE, sizeof (NsRunId));
  NsRunId run;

  g_array_set_size (self->summaries, self->runs->len);
  for (run = 1; run <= self->runs->len; run++)
    if (g_array_index (self->summaries, NsRunSummary, run - 1).n_hops == 0 &&
        ns_runs_is_link (self, run))
      summarize (self, run, way);
}
