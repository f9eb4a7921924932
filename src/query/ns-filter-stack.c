/* Filter test for frames in the chain of a row: `stack:foo.dll!*`. Each chain and each frame is
 * compared once, when first needed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-stack.h"

#include "base/ns-map.h"
#include "query/ns-call-frames.h"

#include <string.h>

/* Values of the maps; 0 is "not compared yet". */
enum
{
  VERDICT_NO = 1,
  VERDICT_YES = 2,
};

struct _NsFilterStack
{
  const NsTrace *trace; /* trace that the members below belong to */
  NsStrings *names;
  NsCallFrames *frames;
  NsMap *by_frame; /* result, by name and name without symbols */
  NsMap *by_path;  /* result, by process, stack and link */
};

/**
 * ns_filter_stack_new: (skip)
 *
 * Returns: (transfer full): a test without results
 */
NsFilterStack *
ns_filter_stack_new (void)
{
  return g_new0 (NsFilterStack, 1);
}

static void
forget (NsFilterStack *self)
{
  g_clear_pointer (&self->frames, ns_call_frames_free);
  g_clear_pointer (&self->names, ns_strings_free);
  g_clear_pointer (&self->by_frame, ns_map_free);
  g_clear_pointer (&self->by_path, ns_map_free);
  self->trace = NULL;
}

/**
 * ns_filter_stack_free: (skip)
 * @self: (transfer full) (nullable): a test
 */
void
ns_filter_stack_free (NsFilterStack *self)
{
  if (self == NULL)
    return;
  forget (self);
  g_free (self);
}

static void
set_trace (NsFilterStack *self, const NsTrace *trace)
{
  if (self->trace == trace)
    return;
  forget (self);
  self->trace = trace;
  self->names = ns_strings_new ();
  self->frames = ns_call_frames_new (trace, self->names, NULL);
  self->by_frame = ns_map_new ();
  self->by_path = ns_map_new ();
}

/* Compares a name with and without the extension of its module, as users may write either. */
static gboolean
is_name_match (const char *name,
               const char *module,
               NsFilterStackFunc is_match,
               gconstpointer match_data)
{
  const char *dot = module != NULL ? strrchr (module, '.') : NULL;
  g_autofree char *short_name = NULL;

  if (is_match (name, match_data))
    return TRUE;
  /* Frames of scripts have the name of the script after the function. */
  if (dot == NULL || dot == module || !g_str_has_prefix (name, module))
    return FALSE;
  short_name = g_strdup_printf ("%.*s%s", (int) (dot - module), module, name + strlen (module));
  return is_match (short_name, match_data);
}

/* Compares the function, its name without symbols, and `module!`, the only name of a module
 * without symbols. */
static gboolean
is_frame_match (NsFilterStack *self,
                const NsCallFrame *frame,
                NsFilterStackFunc is_match,
                gconstpointer match_data)
{
  const char *module =
      frame->module != NS_STRING_NONE ? ns_trace_text (self->trace, frame->module) : NULL;
  g_autofree char *any = module != NULL ? g_strconcat (module, "!", NULL) : NULL;

  if (is_name_match (ns_strings_get (self->names, frame->name), module, is_match, match_data))
    return TRUE;
  if (frame->place != frame->name &&
      is_name_match (ns_strings_get (self->names, frame->place), module, is_match, match_data))
    return TRUE;
  return any != NULL && is_name_match (any, module, is_match, match_data);
}

static gboolean
is_element_match (NsFilterStack *self,
                  const NsChainElement *element,
                  NsFilterStackFunc is_match,
                  gconstpointer match_data)
{
  guint n_frames;
  const guint64 *frames = ns_stacks_get (self->trace->stacks, element->stack, &n_frames);
  guint i;

  for (i = element->n_hidden_leaf; i < n_frames; i++)
    {
      const NsCallFrame *frame =
          ns_call_frames_get (self->frames, element->stack, frames[i], element->time_ns, i > 0);
      guint32 verdict = ns_map_get (self->by_frame, frame->name, frame->place);

      if (verdict == 0)
        {
          verdict = is_frame_match (self, frame, is_match, match_data) ? VERDICT_YES : VERDICT_NO;
          ns_map_set (self->by_frame, frame->name, frame->place, verdict);
        }
      if (verdict == VERDICT_YES)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_path_match (NsFilterStack *self, guint row, NsFilterStackFunc is_match, gconstpointer match_data)
{
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (self->trace, row + 1);
  guint i;

  if (chain == NULL)
    return FALSE;
  if (is_match == NULL)
    return ns_chain_has_stack (chain);
  for (i = chain->elements->len; i > 0; i--)
    {
      const NsChainElement *element = &g_array_index (chain->elements, NsChainElement, i - 1);

      if (element->stack != 0 && is_element_match (self, element, is_match, match_data))
        return TRUE;
    }
  return FALSE;
}

/**
 * ns_filter_stack_matches: (skip)
 * @self: a test
 * @trace: a trace
 * @row: row of the master table, 0-based
 * @is_match: (scope call) (nullable): compares a text, always the same way; %NULL: matches any
 * @match_data: for @is_match
 *
 * Compares frames as `module!function`, `module+0x1f` and `module!`, each also without the module's
 * extension.
 *
 * Returns: %TRUE if a frame in the row's chain matches
 */
gboolean
ns_filter_stack_matches (NsFilterStack *self,
                         const NsTrace *trace,
                         guint row,
                         NsFilterStackFunc is_match,
                         gconstpointer match_data)
{
  const NsActivityRow *activity = &g_array_index (trace->activities, NsActivityRow, row);
  NsRow process;
  guint64 a;
  guint32 verdict;

  if (activity->stack == 0 && activity->link == 0)
    return FALSE;
  set_trace (self, trace);
  process = ns_trace_find_process (trace, activity->pid, activity->open_ns);
  a = (guint64) process << 32 | activity->stack;
  verdict = ns_map_get (self->by_path, a, activity->link);
  if (verdict == 0)
    {
      verdict = is_path_match (self, row, is_match, match_data) ? VERDICT_YES : VERDICT_NO;
      ns_map_set (self->by_path, a, activity->link, verdict);
    }
  return verdict == VERDICT_YES;
}
