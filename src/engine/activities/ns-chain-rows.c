/* Rows of a chain as displayed in columns: frames from the root, and thread switches between
 * stacks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-chain.h"

/* Texts of notes and thread switches, not translated as other tools print the same. */
#define ONE_STACK "One Stack >"
#define MISSING_STACK "Missing Stackwalk"

typedef struct
{
  const NsTrace *trace;
  NsChainRowFunc func;
  gpointer user_data;
} Walk;

/**
 * ns_chain_thread_switch_to_text:
 * @element: an element of a chain
 *
 * Returns: (transfer full): its title: the pool that dispatched its code, and the thread
 */
char *
ns_chain_thread_switch_to_text (const NsChainElement *element)
{
  GString *text = g_string_new (NULL);
  const char *where = element->stack != 0 ? "below" : "missing stack";

  if (element->kind == NS_TASK_NONE || element->kind == NS_TASK_THREAD)
    g_string_append (text, "> Thread: ");
  else
    g_string_append_printf (text,
                            "> Pool Thread: %s %s, ",
                            ns_task_kind_to_text (element->kind),
                            element->subtype != NULL ? element->subtype : "Unknown");
  if (element->tid_enqueue != NS_PID_UNKNOWN)
    {
      g_string_append_printf (text, "TID Enqueue (%s): %u", where, element->tid_enqueue);
      if (element->tid_run != NS_PID_UNKNOWN)
        g_string_append_printf (text, ", TID Exec (next): %u", element->tid_run);
    }
  else if (element->tid_run != NS_PID_UNKNOWN)
    g_string_append_printf (text, "TID Exec (%s): %u", where, element->tid_run);
  else
    g_string_append (text, where);
  if (element->omitted > 0)
    g_string_append_printf (text, ", %u stack(s) omitted for brevity.", element->omitted);
  return g_string_free (text, FALSE);
}

/**
 * ns_chain_has_stack:
 * @self: a chain
 *
 * Returns: whether any of its elements has a stack
 */
gboolean
ns_chain_has_stack (const NsChain *self)
{
  guint i;

  for (i = 0; i < self->elements->len; i++)
    if (g_array_index (self->elements, NsChainElement, i).stack != 0)
      return TRUE;
  return FALSE;
}

/**
 * ns_chain_get_first_thread:
 * @self: a chain
 *
 * Returns: the thread of its first stack, if other stacks follow; %NS_PID_UNKNOWN: none, or unknown
 */
guint32
ns_chain_get_first_thread (const NsChain *self)
{
  if (self->elements->len < 2)
    return NS_PID_UNKNOWN;
  return g_array_index (self->elements, NsChainElement, 0).tid_enqueue;
}

static void
report_text (const Walk *self, const NsChainElement *element, NsChainRowKind kind, const char *text)
{
  NsChainRow row = { kind, element, text, 0 };

  self->func (&row, self->user_data);
}

static void
report_frames (const Walk *self, const NsChainElement *element)
{
  guint n_frames;
  const guint64 *frames = ns_stacks_get (self->trace->stacks, element->stack, &n_frames);
  guint i;

  for (i = n_frames; i > element->n_hidden_leaf; i--)
    {
      NsChainRow row = { NS_CHAIN_ROW_FRAME, element, NULL, frames[i - 1] };

      self->func (&row, self->user_data);
    }
}

static void
report_titled (const Walk *self, const NsChainElement *element, gboolean has_title)
{
  if (has_title)
    {
      g_autofree char *thread_switch = ns_chain_thread_switch_to_text (element);

      report_text (self, element, NS_CHAIN_ROW_THREAD_SWITCH, thread_switch);
    }
  report_frames (self, element);
}

static void
report_or_missing (const Walk *self, const NsChainElement *element)
{
  if (element->stack == 0)
    report_text (self, element, NS_CHAIN_ROW_NOTE, MISSING_STACK);
  else
    report_frames (self, element);
}

/**
 * ns_chain_walk:
 * @self: a chain
 * @trace: the trace of the chain
 * @column: column of which the rows are produced
 * @func: called for each row, outermost frame first
 * @user_data: for @func
 *
 * A chain without any stack has no rows. A single stack is the last one; the first column then has
 * a note instead, unless the user wants the stack in both columns.
 */
void
ns_chain_walk (const NsChain *self,
               const NsTrace *trace,
               NsChainColumn column,
               NsChainRowFunc func,
               gpointer user_data)
{
  Walk walk = { trace, func, user_data };
  const NsChainElement *elements = &g_array_index (self->elements, NsChainElement, 0);
  guint n = self->elements->len;
  guint i;

  if (!ns_chain_has_stack (self))
    return;
  switch (column)
    {
    case NS_CHAIN_FIRST:
      if (n == 1 && !(self->view & NS_CHAIN_VIEW_SINGLE_TWICE))
        report_text (&walk, elements, NS_CHAIN_ROW_NOTE, ONE_STACK);
      else
        report_or_missing (&walk, elements);
      break;
    case NS_CHAIN_MIDDLE:
      for (i = 1; i + 1 < n; i++)
        report_titled (&walk, &elements[i], TRUE);
      break;
    case NS_CHAIN_LAST:
      report_or_missing (&walk, &elements[n - 1]);
      break;
    case NS_CHAIN_FULL:
      for (i = 0; i < n; i++)
        report_titled (&walk, &elements[i], i > 0 || elements[i].stack == 0);
      break;
    default:
      break;
    }
}
