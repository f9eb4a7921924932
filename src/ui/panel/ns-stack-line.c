/* Lines of a call stack as the panel shows them, newest frame first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "draw/ns-flame-paint.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-stack-line.h"
#include "ui/panel/ns-stack-reason.h"

#include <glib/gi18n.h>
#include <string.h>

/* Deeper stacks are cut, and a line says so. */
#define MAX_FRAMES 2000

/* Minimum length of a run of system frames that is collapsed into one line. */
#define MIN_FOLD 3

static guint line_changed;

G_DEFINE_FINAL_TYPE (NsStackLine, ns_stack_line, G_TYPE_OBJECT)

static void
ns_stack_line_finalize (GObject *object)
{
  NsStackLine *self = NS_STACK_LINE (object);

  g_free (self->text);
  g_free (self->second);
  g_free (self->side);
  g_free (self->strong);
  g_free (self->strong_second);
  G_OBJECT_CLASS (ns_stack_line_parent_class)->finalize (object);
}

static void
ns_stack_line_class_init (NsStackLineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ns_stack_line_finalize;
  /* NsStackLine::changed: emitted when the texts of the line change. */
  line_changed = g_signal_new ("changed",
                               NS_TYPE_STACK_LINE,
                               G_SIGNAL_RUN_LAST,
                               0,
                               NULL,
                               NULL,
                               NULL,
                               G_TYPE_NONE,
                               0);
}

static void
ns_stack_line_init (NsStackLine *self)
{
}

static NsStackLine *
add_line (GListStore *lines, NsStackLineKind kind, char *text)
{
  g_autoptr (NsStackLine) line = g_object_new (NS_TYPE_STACK_LINE, NULL);

  line->kind = kind;
  line->text = text;
  g_list_store_append (lines, line);
  return line;
}

/* Returns a text such as `module!function+0x1f`; without symbols, module and offset. */
static char *
name_location (NsStackLine *self, const NsTrace *trace, NsSymbolJob *symbols)
{
  if (symbols == NULL)
    return ns_trace_frame_to_text (trace, self->pid, self->address, self->time_ns);
  return ns_symbol_job_name_frame (symbols,
                                   self->pid,
                                   self->address,
                                   self->time_ns,
                                   self->is_return,
                                   &self->is_named);
}

/* Returns the source location of a frame, or the reason why it has no name. */
static char *
dup_side (NsStackLine *self, const NsTrace *trace, NsSymbolJob *symbols, GHashTable *reasons)
{
  if (!self->is_named)
    return g_strdup (
        ns_stack_reason_to_words (reasons, trace, self->pid, self->address, self->time_ns));
  if (symbols == NULL)
    return NULL;
  return ns_symbol_job_dup_source (symbols,
                                   self->pid,
                                   self->address,
                                   self->time_ns,
                                   self->is_return);
}

/**
 * ns_stack_line_update:
 * @self: a line
 * @trace: the trace of the line
 * @symbols: (nullable): job that names frames
 * @reasons: (nullable): reasons of missing names, see ns_stack_reasons_new()
 *
 * Updates the texts from the symbols loaded so far.
 */
void
ns_stack_line_update (NsStackLine *self,
                      const NsTrace *trace,
                      NsSymbolJob *symbols,
                      GHashTable *reasons)
{
  g_autofree char *name = NULL;
  g_autofree char *side = NULL;
  char *text;

  if (!self->has_location)
    return;
  name = name_location (self, trace, symbols);
  if (self->kind == NS_STACK_LINE_THREAD_SWITCH)
    {
      /* Names only the function; the frame below has the offset. */
      char *place = self->is_named ? g_strrstr (name, "+0x") : NULL;

      if (place != NULL)
        *place = '\0';
      g_free (self->strong);
      self->strong = g_strdup (name);
    }
  if (self->kind == NS_STACK_LINE_THREAD_SWITCH && self->tid != NS_PID_UNKNOWN)
    /* Translators: a function, a thread */
    text = g_strdup_printf (_ ("queued by %s on thread %u"), name, self->tid);
  else if (self->kind == NS_STACK_LINE_THREAD_SWITCH)
    /* Translators: a function */
    text = g_strdup_printf (_ ("queued by %s"), name);
  else
    text = g_steal_pointer (&name);
  if (self->kind == NS_STACK_LINE_FRAME)
    side = dup_side (self, trace, symbols, reasons);
  if (g_strcmp0 (text, self->text) == 0 &&
      (self->kind != NS_STACK_LINE_FRAME || g_strcmp0 (side, self->side) == 0))
    {
      g_free (text);
      return;
    }
  if (self->kind == NS_STACK_LINE_FRAME)
    {
      g_free (self->side);
      self->side = g_steal_pointer (&side);
    }
  g_free (self->text);
  self->text = text;
  g_signal_emit (self, line_changed, 0);
}

/**
 * ns_stack_line_dup_shown:
 * @self: a line
 * @strong: (out) (transfer full) (nullable): part of the text to emphasize
 *
 * Returns: (transfer full): short text, with modules without file extension
 */
char *
ns_stack_line_dup_shown (NsStackLine *self, char **strong)
{
  const char *at = self->strong != NULL ? strstr (self->text, self->strong) : NULL;

  *strong = self->strong != NULL ? ns_words_frame (self->strong) : NULL;
  if (self->kind == NS_STACK_LINE_FRAME)
    return ns_words_frame (self->text);
  if (self->kind != NS_STACK_LINE_THREAD_SWITCH || at == NULL)
    return g_strdup (self->text);
  return g_strdup_printf ("%.*s%s%s",
                          (int) (at - self->text),
                          self->text,
                          *strong,
                          at + strlen (self->strong));
}

/**
 * ns_stack_line_get_key:
 * @self: a fold, or a frame of a fold
 *
 * Returns: key of the fold, equal for the same frames of the same path
 */
gpointer
ns_stack_line_get_key (NsStackLine *self)
{
  return GUINT_TO_POINTER (self->element * (MAX_FRAMES + 1) + self->first_frame);
}

/**
 * ns_stack_line_dup_function:
 * @self: a line
 * @trace: the trace of the line
 *
 * Returns: (transfer full) (nullable): name of its frame without the offset in the function
 */
char *
ns_stack_line_dup_function (NsStackLine *self, const NsTrace *trace)
{
  if (self->kind != NS_STACK_LINE_FRAME)
    return NULL;
  return ns_trace_frame_to_function (trace,
                                     self->pid,
                                     self->address,
                                     self->time_ns,
                                     self->is_return);
}

static const char *
get_module (const NsTrace *trace, guint32 pid, guint64 address, gint64 time_ns)
{
  NsRow row = ns_trace_find_image (trace, pid, address, time_ns);
  const NsImageRow *image = ns_trace_get_row (trace, NS_TABLE_IMAGES, row);

  return image != NULL && image->name != NS_STRING_NONE ? ns_trace_text (trace, image->name) : NULL;
}

/**
 * ns_stack_line_dup_module:
 * @self: a line
 * @trace: the trace of the line
 *
 * Returns: (transfer full) (nullable): the module of its frame
 */
char *
ns_stack_line_dup_module (NsStackLine *self, const NsTrace *trace)
{
  if (self->kind != NS_STACK_LINE_FRAME)
    return NULL;
  return g_strdup (get_module (trace, self->pid, self->address, self->time_ns));
}

/**
 * ns_stack_line_dup_filter:
 * @self: a line
 * @trace: the trace of the line
 *
 * Returns: (transfer full) (nullable): filter for the rows whose stacks contain the frame
 */
char *
ns_stack_line_dup_filter (NsStackLine *self, const NsTrace *trace)
{
  g_autofree char *name = ns_stack_line_dup_function (self, trace);
  GString *text;
  const char *at;

  if (name == NULL)
    return NULL;
  text = g_string_new ("stack=\"");
  for (at = name; *at != '\0'; at++)
    {
      if (*at == '"' || *at == '\\')
        g_string_append_c (text, '\\');
      g_string_append_c (text, *at);
    }
  g_string_append_c (text, '"');
  return g_string_free (text, FALSE);
}

static gboolean
is_of_system (const NsTrace *trace, guint32 pid, guint64 address, gint64 time_ns)
{
  const char *name = get_module (trace, pid, address, time_ns);

  return ns_trace_is_kernel_address (trace, address) || (name != NULL && ns_call_is_system (name));
}

/* Returns whether the user has hidden frames with this name. */
static gboolean
is_hidden (const NsStackLineOptions *options,
           guint32 pid,
           guint64 address,
           gint64 time_ns,
           gboolean is_return)
{
  g_autofree char *name =
      ns_trace_frame_to_function (options->trace, pid, address, time_ns, is_return);
  g_autofree char *place = ns_trace_frame_to_text (options->trace, pid, address, time_ns);
  const char *module = get_module (options->trace, pid, address, time_ns);
  guint i;

  for (i = 0; options->hidden[i] != NULL; i++)
    if (ns_call_frame_is_like (name, place, module, options->hidden[i]))
      return TRUE;
  return FALSE;
}

/* Counts the consecutive frames from @first that the user has hidden. */
static guint
count_hidden (const NsStackLineOptions *options,
              const NsChainElement *element,
              const guint64 *frames,
              guint first,
              guint end)
{
  guint32 pid = ns_stacks_get_pid (options->trace->stacks, element->stack);
  guint i;

  if (options->hidden == NULL)
    return 0;
  for (i = first; i < end && is_hidden (options, pid, frames[i], element->time_ns, i > 0); i++)
    ;
  return i - first;
}

/* Counts the consecutive frames from @first in system modules. */
static guint
count_of_system (const NsTrace *trace,
                 const NsChainElement *element,
                 const guint64 *frames,
                 guint first,
                 guint end)
{
  guint32 pid = ns_stacks_get_pid (trace->stacks, element->stack);
  guint i;

  for (i = first; i < end && is_of_system (trace, pid, frames[i], element->time_ns); i++)
    ;
  return i - first;
}

static void
set_location (NsStackLine *line,
              const NsStackLineOptions *options,
              const NsChainElement *element,
              guint64 address,
              gboolean is_return)
{
  line->has_location = TRUE;
  line->is_return = is_return;
  line->pid = ns_stacks_get_pid (options->trace->stacks, element->stack);
  line->address = address;
  line->time_ns = element->time_ns;
  ns_stack_line_update (line, options->trace, options->symbols, options->reasons);
}

/* Adds a line for a fold, and sets its state. Returns whether the fold is collapsed. */
static gboolean
add_fold (GListStore *lines,
          const NsStackLineOptions *options,
          const char *words,
          guint element,
          guint first)
{
  NsStackLine *line = add_line (lines, NS_STACK_LINE_FOLD, NULL);
  gboolean is_open;

  line->element = element;
  line->first_frame = first;
  is_open = options->unfolded != NULL &&
            g_hash_table_contains (options->unfolded, ns_stack_line_get_key (line));
  line->text = g_strdup_printf ("%s %s", is_open ? "▾" : "▸", words);
  return !is_open;
}

/* Adds a fold for a run of hidden or system frames at @first. Returns how many frames a collapsed
 * fold stands for; 0 if the frames get lines of their own, with @open_end set to the end of the
 * run. */
static guint
add_folds (GListStore *lines,
           const NsStackLineOptions *options,
           const NsChainElement *element,
           guint number,
           const guint64 *frames,
           guint first,
           guint end,
           guint *open_end)
{
  guint n = count_hidden (options, element, frames, first, end);
  g_autofree char *words = NULL;

  if (n > 0)
    words = g_strdup_printf (ngettext ("%u hidden frame", "%u hidden frames", n), n);
  else if (options->is_folding)
    {
      n = count_of_system (options->trace, element, frames, first, end);
      if (n < MIN_FOLD)
        {
          *open_end = first + n;
          return 0;
        }
      words = g_strdup_printf (ngettext ("%u system frame", "%u system frames", n), n);
    }
  if (words == NULL)
    return 0;
  if (add_fold (lines, options, words, number, first))
    return n;
  *open_end = first + n;
  return 0;
}

static void
add_frames (GListStore *lines,
            const NsStackLineOptions *options,
            const NsChainElement *element,
            guint number)
{
  guint n_frames;
  const guint64 *frames = ns_stacks_get (options->trace->stacks, element->stack, &n_frames);
  guint n_shown = MIN (n_frames, MAX_FRAMES);
  guint open_end = 0;
  guint i;

  for (i = element->n_hidden_leaf; i < n_shown; i++)
    {
      guint n = i >= open_end
                    ? add_folds (lines, options, element, number, frames, i, n_shown, &open_end)
                    : 0;
      NsStackLine *line;

      if (n > 0)
        {
          i += n - 1;
          continue;
        }
      line = add_line (lines, NS_STACK_LINE_FRAME, NULL);
      line->element = number;
      line->first_frame = i;
      set_location (line, options, element, frames[i], i > 0);
    }
  if (n_frames > n_shown)
    add_line (lines,
              NS_STACK_LINE_NOTE,
              g_strdup_printf (ngettext ("%u more frame", "%u more frames", n_frames - n_shown),
                               n_frames - n_shown));
}

/* Adds the line of a thread switch: who queued the work, how long it waited, and its kind. */
static void
add_thread_switch (GListStore *lines,
                   const NsStackLineOptions *options,
                   const NsChainElement *element,
                   const NsChainElement *before,
                   guint number)
{
  const char *kind = element->kind == NS_TASK_NONE ? NULL : ns_words_get_task_kind (element->kind);
  NsStackLine *line = add_line (lines, NS_STACK_LINE_THREAD_SWITCH, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_frames = 0;
  const guint64 *frames =
      before->stack != 0 ? ns_stacks_get (options->trace->stacks, before->stack, &n_frames) : NULL;

  line->element = number;
  line->tid = before->tid_enqueue;
  /* The work ran before the event that queued it: only the order of events links the two. */
  line->is_inferred = ns_time_is_set (before->create_ns) && ns_time_is_set (element->start_ns) &&
                      before->create_ns > element->start_ns;
  if (before->n_hidden_leaf < n_frames)
    set_location (line, options, before, frames[before->n_hidden_leaf], before->n_hidden_leaf > 0);
  else if (before->tid_enqueue != NS_PID_UNKNOWN)
    line->text = g_strdup_printf (_ ("queued on thread %u"), before->tid_enqueue);
  else
    line->text = g_strdup (_ ("queued on an unknown thread"));
  if (element->queued_ns != NS_UNKNOWN)
    {
      g_autofree char *waited = ns_words_duration (element->queued_ns);

      g_string_append_printf (text, _ ("waited %s"), waited);
      line->strong_second = g_steal_pointer (&waited);
    }
  else
    g_string_append (text, _ ("wait unknown"));
  if (kind != NULL)
    g_string_append_printf (text, " · %s", kind);
  g_string_append_printf (text,
                          " · %s",
                          line->is_inferred ? _ ("≈ inferred from time") : _ ("observed"));
  line->second = g_string_free (g_steal_pointer (&text), FALSE);
  if (element->omitted > 0)
    add_line (lines,
              NS_STACK_LINE_NOTE,
              g_strdup_printf (ngettext ("↻ %u repeated stack left out",
                                         "↻ %u repeated stacks left out",
                                         element->omitted),
                               element->omitted));
}

/* Describes a thread by its name, or by its role in the element. */
static char *
thread_to_text (const NsTrace *trace, guint32 tid, const NsChainElement *element)
{
  NsRow row = ns_trace_find_thread (trace, tid, element->time_ns);
  const NsThreadRow *thread = ns_trace_get_row (trace, NS_TABLE_THREADS, row);

  if (thread != NULL && thread->name > NS_STRING_EMPTY)
    /* Translators: a thread and its name */
    return g_strdup_printf (_ ("Thread %u · %s"), tid, ns_trace_text (trace, thread->name));
  if (element->kind != NS_TASK_NONE && element->kind != NS_TASK_THREAD)
    return g_strdup_printf (_ ("Thread %u · pool worker"), tid);
  if (ns_trace_is_main_thread (trace, row))
    return g_strdup_printf (_ ("Thread %u · main"), tid);
  return g_strdup_printf (_ ("Thread %u"), tid);
}

static void
add_element (GListStore *lines,
             const NsStackLineOptions *options,
             const NsChain *chain,
             guint number,
             gboolean is_task)
{
  const NsChainElement *element = &g_array_index (chain->elements, NsChainElement, number);
  gboolean is_last = number + 1 == chain->elements->len;
  /* An element of queued work has the stack of the thread that queued it. */
  guint32 tid = is_last ? element->tid_run : element->tid_enqueue;
  NsStackLine *line;

  if (tid != NS_PID_UNKNOWN)
    {
      line = add_line (lines, NS_STACK_LINE_THREAD, thread_to_text (options->trace, tid, element));
      line->element = number;
      if (is_last)
        line->side = g_strdup (!is_task              ? _ ("network call")
                               : element->stack == 0 ? _ ("ran here")
                                                     : _ ("queued here"));
    }
  /* A task that only starts here needs no line about a missing stack. */
  if (is_last && is_task && element->stack == 0)
    return;
  if (element->stack != 0)
    add_frames (lines, options, element, number);
  else
    {
      line = add_line (lines,
                       NS_STACK_LINE_MISSING,
                       g_strdup_printf (_ ("No stack here: %s"),
                                        ns_words_get_missing_reason (element->missing)));
      line->missing = element->missing;
      line->second = number > 0 ? g_strdup_printf ("%s %s",
                                                   ns_words_get_missing_stack (element->missing),
                                                   _ ("The path continues below."))
                                : g_strdup (ns_words_get_missing_stack (element->missing));
    }
  if (element->truncated)
    add_line (lines, NS_STACK_LINE_NOTE, g_strdup (_ ("The path continues; it was cut here.")));
}

/* Returns the range of elements in a part, newest last; FALSE if the path has no such part. */
static gboolean
get_part (const NsChain *chain, NsStackRange part, guint *first, guint *end)
{
  guint n = chain->elements->len;

  *first = 0;
  *end = n;
  switch (part)
    {
    case NS_STACK_RANGE_FIRST:
      *end = 1;
      break;
    case NS_STACK_RANGE_MIDDLE:
      *first = 1;
      *end = MAX (n, 1) - 1;
      break;
    case NS_STACK_RANGE_LAST:
      *first = n - 1;
      break;
    case NS_STACK_RANGE_FULL:
    default:
      break;
    }
  return *first < *end;
}

/**
 * ns_stack_lines_add_note:
 * @lines: (element-type NsStackLine): list to append to
 * @text: text shown instead of a stack
 */
void
ns_stack_lines_add_note (GListStore *lines, const char *text)
{
  add_line (lines, NS_STACK_LINE_MISSING, g_strdup (text));
}

static void
add_chain (GListStore *lines,
           const NsStackLineOptions *options,
           const NsChain *chain,
           gboolean is_task)
{
  guint first;
  guint end;
  guint i;

  if (chain == NULL || chain->elements->len == 0)
    {
      add_line (lines, NS_STACK_LINE_MISSING, g_strdup (_ ("No stack is known for this row.")));
      return;
    }
  if (options->part == NS_STACK_RANGE_FIRST && chain->elements->len == 1 &&
      ns_chain_has_stack (chain) && !(chain->view & NS_CHAIN_VIEW_SINGLE_TWICE))
    {
      add_line (lines,
                NS_STACK_LINE_NOTE,
                g_strdup (_ ("There is only one stack: the last is also the first.")));
      return;
    }
  if (!get_part (chain, options->part, &first, &end))
    {
      add_line (lines,
                NS_STACK_LINE_NOTE,
                g_strdup (_ ("There is no stack between the first and the last.")));
      return;
    }
  for (i = end; i > first; i--)
    {
      const NsChainElement *element = &g_array_index (chain->elements, NsChainElement, i - 1);

      add_element (lines, options, chain, i - 1, is_task);
      if (i - 1 > first)
        add_thread_switch (lines, options, element, element - 1, i - 1);
    }
}

/**
 * ns_stack_lines_add_activity:
 * @lines: (element-type NsStackLine): list to append to
 * @options: options
 * @row: row of the activity table, 0-based
 *
 * Appends the call stacks that led to a request.
 */
void
ns_stack_lines_add_activity (GListStore *lines, const NsStackLineOptions *options, guint32 row)
{
  g_autoptr (NsChain) chain = NULL;

  if (row < ns_trace_get_n_rows (options->trace, NS_TABLE_ACTIVITIES))
    chain = ns_chain_new_for_activity (options->trace, row + 1);
  add_chain (lines, options, chain, FALSE);
}

/**
 * ns_stack_lines_add_task:
 * @lines: (element-type NsStackLine): list to append to
 * @options: options
 * @row: row of the task table, 0-based
 *
 * Appends the call stacks that led to the queueing of a task, and the thread that ran it.
 */
void
ns_stack_lines_add_task (GListStore *lines, const NsStackLineOptions *options, guint32 row)
{
  g_autoptr (NsChain) chain = NULL;

  if (row < ns_trace_get_n_rows (options->trace, NS_TABLE_TASKS))
    chain = ns_chain_new_for_task (options->trace, row + 1);
  add_chain (lines, options, chain, TRUE);
}

/**
 * ns_stack_lines_add_event:
 * @lines: (element-type NsStackLine): list to append to
 * @options: options
 * @row: row of the event table, 0-based
 *
 * Appends the stack of the event itself.
 */
void
ns_stack_lines_add_event (GListStore *lines, const NsStackLineOptions *options, guint32 row)
{
  const NsTrace *trace = options->trace;
  NsChainElement element = { .stack = 0 };

  if (row < ns_trace_get_n_rows (trace, NS_TABLE_EVENTS))
    {
      element.time_ns = ns_trace_get_event_time (trace, row);
      element.stack = ns_trace_get_event (trace, row)->stack;
    }
  if (element.stack == 0)
    add_line (lines, NS_STACK_LINE_MISSING, g_strdup (_ ("This record has no stack.")));
  else
    add_frames (lines, options, &element, 0);
}
