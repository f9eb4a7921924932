/* The steps of a row's code path, for call trees and filters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-call-path.h"

/* Name of the step, not translated; callers translate it. */
#define NO_STACK "no stack"

typedef struct
{
  const NsTrace *trace;
  NsCallFrames *frames;
  NsCallStack stack;
  NsCallStepFunc func;
  gpointer user_data;
} Walk;

static gboolean
walk_missing (const Walk *self, const NsChainElement *element)
{
  const char *why = ns_stack_missing_to_text (element->missing);
  g_autofree char *text = why != NULL ? g_strdup_printf (NO_STACK ": %s", why) : NULL;
  NsCallStep step = { .kind = NS_CALL_NODE_NOTE,
                      .text = text != NULL ? text : NO_STACK,
                      .element = element };

  return self->func (&step, self->user_data);
}

static gboolean
walk_frame (const Walk *self, const NsChainElement *element, const guint64 *frames, guint i)
{
  NsCallStep step = { .kind = NS_CALL_NODE_FRAME,
                      .element = element,
                      .address = frames[i],
                      .is_return = i > 0 };

  step.frame =
      ns_call_frames_get (self->frames, element->stack, frames[i], element->time_ns, i > 0);
  return step.frame->is_hidden || self->func (&step, self->user_data);
}

/* Reports the frames of a stack, whose first frame is the innermost one. */
static gboolean
walk_stack (const Walk *self, const NsChainElement *element)
{
  guint n_frames;
  const guint64 *frames = ns_stacks_get (self->trace->stacks, element->stack, &n_frames);
  guint i;

  if (element->stack == 0)
    return walk_missing (self, element);
  if (self->stack == NS_CALL_STACK_BACK)
    {
      for (i = element->n_hidden_leaf; i < n_frames; i++)
        if (!walk_frame (self, element, frames, i))
          return FALSE;
      return TRUE;
    }
  for (i = n_frames; i > element->n_hidden_leaf; i--)
    if (!walk_frame (self, element, frames, i - 1))
      return FALSE;
  return TRUE;
}

/* Reports a thread switch, by kind of queue only, as thread IDs differ between rows. */
static gboolean
walk_thread_switch (const Walk *self, const NsChainElement *element)
{
  NsTaskKind kind = element->kind == NS_TASK_NONE ? NS_TASK_THREAD : element->kind;
  g_autofree char *text = NULL;
  NsCallStep step = { .kind = NS_CALL_NODE_THREAD_SWITCH,
                      .element = element,
                      .before = element - 1 };

  if (kind != NS_TASK_THREAD && element->subtype != NULL)
    text = g_strdup_printf ("%s %s", ns_task_kind_to_text (kind), element->subtype);
  step.text = text != NULL ? text : ns_task_kind_to_text (kind);
  return self->func (&step, self->user_data);
}

static void
walk_first (const Walk *self, const NsChain *chain)
{
  guint i;

  for (i = 0; i < chain->elements->len; i++)
    {
      const NsChainElement *element = &g_array_index (chain->elements, NsChainElement, i);

      if (element->stack == 0)
        continue;
      walk_stack (self, element);
      return;
    }
}

/**
 * ns_call_path_walk: (skip)
 * @trace: a trace
 * @frames: names of its frames; hidden ones are left out of the path
 * @chain: the chain of a row
 * @stack: which part of it, and in which direction
 * @func: (scope call): called for each step
 * @user_data: for @func
 *
 * A path without any stack has one step with the reason.
 */
void
ns_call_path_walk (const NsTrace *trace,
                   NsCallFrames *frames,
                   const NsChain *chain,
                   NsCallStack stack,
                   NsCallStepFunc func,
                   gpointer user_data)
{
  const Walk self = { trace, frames, stack, func, user_data };
  const NsChainElement *elements = (const NsChainElement *) (gconstpointer) chain->elements->data;
  guint n = chain->elements->len;
  guint i;

  if (n == 0)
    return;
  if (!ns_chain_has_stack (chain))
    walk_missing (&self, &elements[n - 1]);
  else if (stack == NS_CALL_STACK_FIRST)
    walk_first (&self, chain);
  else if (stack == NS_CALL_STACK_BACK)
    {
      for (i = n; i > 0; i--)
        if (!walk_stack (&self, &elements[i - 1]) ||
            (i > 1 && !walk_thread_switch (&self, &elements[i - 1])))
          return;
    }
  else
    {
      for (i = 0; i < n; i++)
        if ((i > 0 && !walk_thread_switch (&self, &elements[i])) ||
            !walk_stack (&self, &elements[i]))
          return;
    }
}

/**
 * ns_call_path_append_step: (skip)
 * @path: a path as text
 * @prefix: prefix for the kind of step, empty for a frame
 * @text: the step
 *
 * Steps are separated by `;`; a `;` inside a step is escaped with `\`.
 */
void
ns_call_path_append_step (GString *path, const char *prefix, const char *text)
{
  if (path->len > 0)
    g_string_append_c (path, ';');
  g_string_append (path, prefix);
  for (; *text != '\0'; text++)
    {
      if (*text == ';' || *text == '\\')
        g_string_append_c (path, '\\');
      g_string_append_c (path, *text);
    }
}

/**
 * ns_call_path_split: (skip)
 * @path: a path as text
 *
 * Returns: (transfer full) (element-type utf8): the steps
 */
GPtrArray *
ns_call_path_split (const char *path)
{
  GPtrArray *steps = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) step = g_string_new (NULL);

  for (;; path++)
    {
      if (*path == '\0' || *path == ';')
        {
          g_ptr_array_add (steps, g_strdup (step->str));
          g_string_truncate (step, 0);
          if (*path == '\0')
            return steps;
          continue;
        }
      if (*path == '\\' && path[1] != '\0')
        path++;
      g_string_append_c (step, *path);
    }
}

/**
 * ns_call_path_get_key:
 * @trace: a trace
 * @row: row of the master table, 0-based
 * @a: (out): first word of the key
 * @b: (out): second word of the key
 *
 * Rows with the same key have the same path.
 */
void
ns_call_path_get_key (const NsTrace *trace, guint row, guint64 *a, guint64 *b)
{
  const NsActivityRow *activity = &g_array_index (trace->activities, NsActivityRow, row);
  NsRow process = ns_trace_find_process (trace, activity->pid, activity->open_ns);

  *a = (guint64) process << 32 | activity->stack;
  *b = (guint64) activity->link << 8 | (guint) activity->source_table;
}

/* Context for writing a path as text. */
typedef struct
{
  NsStrings *names;
  GString *path;
} Text;

static gboolean
append_step_cb (const NsCallStep *step, gpointer user_data)
{
  Text *self = user_data;

  if (step->kind == NS_CALL_NODE_FRAME)
    ns_call_path_append_step (self->path, "", ns_strings_get (self->names, step->frame->name));
  else
    ns_call_path_append_step (self->path,
                              step->kind == NS_CALL_NODE_THREAD_SWITCH ? NS_CALL_PATH_THREAD_SWITCH
                                                                       : NS_CALL_PATH_NOTE,
                              step->text);
  return TRUE;
}

/**
 * ns_call_path_to_text: (skip)
 * @trace: a trace
 * @frames: names of its frames
 * @names: owner of these names
 * @chain: a chain
 *
 * Returns: (transfer full): the path of @chain as in a filter; empty if it has no step
 */
char *
ns_call_path_to_text (const NsTrace *trace,
                      NsCallFrames *frames,
                      NsStrings *names,
                      const NsChain *chain)
{
  Text self = { names, g_string_new (NULL) };

  ns_call_path_walk (trace, frames, chain, NS_CALL_STACK_FULL, append_step_cb, &self);
  return g_string_free (self.path, FALSE);
}
