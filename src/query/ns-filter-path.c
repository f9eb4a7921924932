/* Filter test for code paths that begin with given steps: `stack_path="a!b;a!c"`.
 *
 * Selects the rows of one node of a call tree. Each distinct path is compared once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-path.h"

#include "base/ns-map.h"
#include "query/ns-call-path.h"

#include <string.h>

/* Values of @by_path; 0 is "not compared yet". */
enum
{
  VERDICT_NO = 1,
  VERDICT_YES = 2,
};

struct _NsFilterPath
{
  GPtrArray *steps;  /* (element-type utf8): names, with a prefix if they are not frames */
  GPtrArray *hidden; /* (element-type utf8): NULL-terminated */
  NsCallStack stack;
  const NsTrace *trace; /* trace that the members below belong to */
  NsStrings *names;
  NsCallFrames *frames;
  NsMap *by_path; /* result, by process, stack, link and kind of row */
};

/* State of a path comparison. */
typedef struct
{
  const NsFilterPath *filter;
  guint n_matched;
} Match;

/**
 * ns_filter_path_new: (skip)
 * @path: beginning of a path, as in ns_call_tree_get_filter()
 *
 * Returns: (transfer full): the test
 */
NsFilterPath *
ns_filter_path_new (const char *path)
{
  NsFilterPath *self = g_new0 (NsFilterPath, 1);
  g_autoptr (GPtrArray) parts = ns_call_path_split (path);
  guint i;

  self->stack = NS_CALL_STACK_FULL;
  self->steps = g_ptr_array_new_with_free_func (g_free);
  self->hidden = g_ptr_array_new_with_free_func (g_free);
  for (i = 0; i < parts->len; i++)
    {
      const char *part = g_ptr_array_index (parts, i);

      if (strcmp (part, NS_CALL_PATH_BACK) == 0)
        self->stack = NS_CALL_STACK_BACK;
      else if (strcmp (part, NS_CALL_PATH_FIRST) == 0)
        self->stack = NS_CALL_STACK_FIRST;
      else if (g_str_has_prefix (part, NS_CALL_PATH_WITHOUT))
        g_ptr_array_add (self->hidden, g_strdup (part + strlen (NS_CALL_PATH_WITHOUT)));
      else
        g_ptr_array_add (self->steps, g_strdup (part));
    }
  g_ptr_array_add (self->hidden, NULL);
  return self;
}

static void
forget (NsFilterPath *self)
{
  g_clear_pointer (&self->frames, ns_call_frames_free);
  g_clear_pointer (&self->names, ns_strings_free);
  g_clear_pointer (&self->by_path, ns_map_free);
  self->trace = NULL;
}

/**
 * ns_filter_path_free: (skip)
 * @self: (transfer full) (nullable): a test
 */
void
ns_filter_path_free (NsFilterPath *self)
{
  if (self == NULL)
    return;
  forget (self);
  g_ptr_array_unref (self->steps);
  g_ptr_array_unref (self->hidden);
  g_free (self);
}

static void
set_trace (NsFilterPath *self, const NsTrace *trace)
{
  if (self->trace == trace)
    return;
  forget (self);
  self->trace = trace;
  self->names = ns_strings_new ();
  self->frames = ns_call_frames_new (trace, self->names, (const char *const *) self->hidden->pdata);
  self->by_path = ns_map_new ();
}

static gboolean
is_step (const NsFilterPath *self, const NsCallStep *step, const char *wanted)
{
  const char *prefix =
      step->kind == NS_CALL_NODE_THREAD_SWITCH ? NS_CALL_PATH_THREAD_SWITCH : NS_CALL_PATH_NOTE;
  gsize n_prefix = strlen (prefix);

  if (step->kind == NS_CALL_NODE_FRAME)
    return strcmp (wanted, ns_strings_get (self->names, step->frame->name)) == 0 ||
           strcmp (wanted, ns_strings_get (self->names, step->frame->place)) == 0;
  return strncmp (wanted, prefix, n_prefix) == 0 && strcmp (wanted + n_prefix, step->text) == 0;
}

static gboolean
step_cb (const NsCallStep *step, gpointer user_data)
{
  Match *match = user_data;
  const GPtrArray *steps = match->filter->steps;

  if (!is_step (match->filter, step, g_ptr_array_index (steps, match->n_matched)))
    return FALSE;
  match->n_matched++;
  return match->n_matched < steps->len;
}

static gboolean
is_path_match (const NsFilterPath *self, guint row)
{
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (self->trace, row + 1);
  Match match = { self, 0 };

  if (chain != NULL)
    ns_call_path_walk (self->trace, self->frames, chain, self->stack, step_cb, &match);
  return match.n_matched == self->steps->len;
}

/**
 * ns_filter_path_matches: (skip)
 * @self: a test
 * @trace: a trace
 * @row: row of the master table, 0-based
 *
 * Returns: %TRUE if the row's path begins with the steps
 */
gboolean
ns_filter_path_matches (NsFilterPath *self, const NsTrace *trace, guint row)
{
  guint64 a;
  guint64 b;
  guint32 verdict;

  if (self->steps->len == 0)
    return TRUE;
  set_trace (self, trace);
  ns_call_path_get_key (trace, row, &a, &b);
  verdict = ns_map_get (self->by_path, a, b);
  if (verdict == 0)
    {
      verdict = is_path_match (self, row) ? VERDICT_YES : VERDICT_NO;
      ns_map_set (self->by_path, a, b, verdict);
    }
  return verdict == VERDICT_YES;
}
