/* A filter as a list of conditions that can be switched off individually.
 *
 * The text being typed is the draft: it filters like a condition, but is not one yet.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-filter-chips.h"

#include <string.h>

struct _NsFilterChips
{
  NsTableId table;
  GPtrArray *chips; /* NsFilterChip */
  char *draft;      /* valid, or empty */
  char *settled;    /* the part of draft that is applied: without a word that may become a field
                     * name */
  GPtrArray *undo;  /* GVariant of previous states, newest last */
  gboolean is_typing;
};

static NsFilterChip *
chip_new (const char *text, const char *name, gboolean is_on)
{
  NsFilterChip *chip = g_new0 (NsFilterChip, 1);

  chip->text = g_strdup (text);
  chip->name = name != NULL && *name != '\0' ? g_strdup (name) : NULL;
  chip->is_on = is_on;
  return chip;
}

static void
chip_free (gpointer data)
{
  NsFilterChip *chip = data;

  g_free (chip->text);
  g_free (chip->name);
  g_free (chip);
}

/**
 * ns_filter_chips_new:
 * @table: the table of the filter
 *
 * Returns: (transfer full): a filter without conditions
 */
NsFilterChips *
ns_filter_chips_new (NsTableId table)
{
  NsFilterChips *self = g_new0 (NsFilterChips, 1);

  self->table = table;
  self->chips = g_ptr_array_new_with_free_func (chip_free);
  self->undo = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  self->draft = g_strdup ("");
  self->settled = g_strdup ("");
  return self;
}

/**
 * ns_filter_chips_free:
 * @self: (transfer full) (nullable): a filter
 */
void
ns_filter_chips_free (NsFilterChips *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->chips);
  g_ptr_array_unref (self->undo);
  g_free (self->draft);
  g_free (self->settled);
  g_free (self);
}

/**
 * ns_filter_chips_get_n_chips:
 * @self: a filter
 *
 * Returns: the number of conditions, on or off
 */
guint
ns_filter_chips_get_n_chips (const NsFilterChips *self)
{
  return self->chips->len;
}

/**
 * ns_filter_chips_get_chip:
 * @self: a filter
 * @index: index of a condition
 *
 * Returns: (transfer none): the condition
 */
const NsFilterChip *
ns_filter_chips_get_chip (const NsFilterChips *self, guint index)
{
  g_return_val_if_fail (index < self->chips->len, NULL);

  return g_ptr_array_index (self->chips, index);
}

/**
 * ns_filter_chips_get_draft:
 * @self: a filter
 *
 * Returns: the last valid text that was typed
 */
const char *
ns_filter_chips_get_draft (const NsFilterChips *self)
{
  return self->draft;
}

/**
 * ns_filter_chips_get_settled:
 * @self: a filter
 *
 * Returns: the part of the draft that is applied: without a word that may become a field name
 */
const char *
ns_filter_chips_get_settled (const NsFilterChips *self)
{
  return self->settled;
}

/* Returns whether the text is an alternative (“or”), which needs brackets beside other
 * conditions. */
static gboolean
needs_brackets (NsTableId table, const char *text)
{
  g_autoptr (GPtrArray) parts = ns_filter_split (table, text, NULL, NULL);

  return parts != NULL && parts->len == 1 &&
         strlen (g_ptr_array_index (parts, 0)) > strlen (text) && *text != '\0';
}

/**
 * ns_filter_chips_to_filter:
 * @self: a filter
 *
 * Returns: (transfer full): the text of the conditions that are on and of the settled draft
 */
char *
ns_filter_chips_to_filter (const NsFilterChips *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  for (i = 0; i < self->chips->len; i++)
    {
      const NsFilterChip *chip = g_ptr_array_index (self->chips, i);

      if (chip->is_on)
        g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", chip->text);
    }
  if (*self->settled == '\0')
    return g_string_free (g_steal_pointer (&text), FALSE);
  if (text->len > 0 && needs_brackets (self->table, self->settled))
    g_string_append_printf (text, " (%s)", self->settled);
  else
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", self->settled);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * ns_filter_chips_to_state:
 * @self: a filter
 *
 * Returns: (transfer floating): the whole filter without counts, as %NS_FILTER_CHIPS_STATE
 */
GVariant *
ns_filter_chips_to_state (const NsFilterChips *self)
{
  GVariantBuilder builder;
  guint i;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sbs)"));
  for (i = 0; i < self->chips->len; i++)
    {
      const NsFilterChip *chip = g_ptr_array_index (self->chips, i);

      g_variant_builder_add (&builder,
                             "(sbs)",
                             chip->text,
                             chip->is_on,
                             chip->name != NULL ? chip->name : "");
    }
  return g_variant_new (NS_FILTER_CHIPS_STATE, &builder, self->draft);
}

static void
set_draft (NsFilterChips *self, const char *text)
{
  char *copy = g_strstrip (g_strdup (text));

  g_free (self->draft);
  g_free (self->settled);
  self->draft = copy;
  self->settled = g_strndup (copy, ns_filter_measure_settled (self->table, copy));
}

/**
 * ns_filter_chips_set_state:
 * @self: a filter
 * @state: a state from ns_filter_chips_to_state()
 */
void
ns_filter_chips_set_state (NsFilterChips *self, GVariant *state)
{
  g_autoptr (GVariantIter) iter = NULL;
  g_autofree char *draft = NULL;
  const char *text;
  const char *name;
  gboolean is_on;

  g_ptr_array_set_size (self->chips, 0);
  g_variant_get (state, NS_FILTER_CHIPS_STATE, &iter, &draft);
  set_draft (self, draft);
  while (g_variant_iter_next (iter, "(&sb&s)", &text, &is_on, &name))
    g_ptr_array_add (self->chips, chip_new (text, name, is_on));
  self->is_typing = FALSE;
}

/* Saves a state for undo; consecutive typing is one undo step. */
static void
remember (NsFilterChips *self, gboolean is_typing)
{
  guint i;

  /* The draft follows the conditions and does not affect their counts. */
  for (i = 0; i < self->chips->len && !is_typing; i++)
    ((NsFilterChip *) g_ptr_array_index (self->chips, i))->is_counted = FALSE;
  if (!is_typing || !self->is_typing)
    {
      if (self->undo->len >= NS_FILTER_CHIPS_MAX_UNDO)
        g_ptr_array_remove_index (self->undo, 0);
      g_ptr_array_add (self->undo, g_variant_ref_sink (ns_filter_chips_to_state (self)));
    }
  self->is_typing = is_typing;
}

static void
append_parts (NsFilterChips *self, GPtrArray *parts)
{
  guint i;

  for (i = 0; i < parts->len; i++)
    g_ptr_array_add (self->chips, chip_new (g_ptr_array_index (parts, i), NULL, TRUE));
}

/**
 * ns_filter_chips_set_text:
 * @self: a filter
 * @text: another filter
 * @where: (out) (optional): location of an error in @text
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Replaces all conditions and the draft.
 *
 * Returns: whether @text is valid; if not, nothing is changed
 */
gboolean
ns_filter_chips_set_text (NsFilterChips *self,
                          const char *text,
                          NsFilterSpan *where,
                          GError **error)
{
  g_autoptr (GPtrArray) parts = ns_filter_split (self->table, text, where, error);

  if (parts == NULL)
    return FALSE;
  if (parts->len == 0 && self->chips->len == 0 && *self->draft == '\0')
    return TRUE;
  remember (self, FALSE);
  g_ptr_array_set_size (self->chips, 0);
  set_draft (self, "");
  append_parts (self, parts);
  return TRUE;
}

/**
 * ns_filter_chips_set_draft:
 * @self: a filter
 * @text: the typed text
 * @where: (out) (optional): location of an error in @text
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: whether @text is valid; if not, the draft is kept
 */
gboolean
ns_filter_chips_set_draft (NsFilterChips *self,
                           const char *text,
                           NsFilterSpan *where,
                           GError **error)
{
  g_autoptr (GPtrArray) parts = ns_filter_split (self->table, text, where, error);
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  if (parts == NULL)
    return FALSE;
  if (strcmp (self->draft, stripped) == 0)
    return TRUE;
  remember (self, TRUE);
  set_draft (self, text);
  return TRUE;
}

/**
 * ns_filter_chips_take_draft:
 * @self: a filter
 * @where: (out) (optional): location of an error in the draft
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Converts the draft, including an unfinished last word, to conditions. The filter stays the same.
 *
 * Returns: whether the draft is valid
 */
gboolean
ns_filter_chips_take_draft (NsFilterChips *self, NsFilterSpan *where, GError **error)
{
  g_autoptr (GPtrArray) parts = ns_filter_split (self->table, self->draft, where, error);

  if (parts == NULL)
    return FALSE;
  append_parts (self, parts);
  set_draft (self, "");
  self->is_typing = FALSE;
  return TRUE;
}

/**
 * ns_filter_chips_add:
 * @self: a filter
 * @condition: an additional condition
 * @name: (nullable): its name
 */
void
ns_filter_chips_add (NsFilterChips *self, const char *condition, const char *name)
{
  guint i;

  for (i = 0; i < self->chips->len; i++)
    {
      NsFilterChip *chip = g_ptr_array_index (self->chips, i);

      if (strcmp (chip->text, condition) != 0)
        continue;
      if (!chip->is_on)
        ns_filter_chips_toggle (self, i);
      return;
    }
  remember (self, FALSE);
  g_ptr_array_add (self->chips, chip_new (condition, name, TRUE));
}

/**
 * ns_filter_chips_set_named:
 * @self: a filter
 * @condition: the new condition
 * @name: its name
 *
 * Replaces all conditions by a named one, as one undo step.
 */
void
ns_filter_chips_set_named (NsFilterChips *self, const char *condition, const char *name)
{
  remember (self, FALSE);
  g_ptr_array_set_size (self->chips, 0);
  set_draft (self, "");
  g_ptr_array_add (self->chips, chip_new (condition, name, TRUE));
}

/**
 * ns_filter_chip_get_label:
 * @chip: a condition
 *
 * Returns: its name, or its text
 */
const char *
ns_filter_chip_get_label (const NsFilterChip *chip)
{
  return chip->name != NULL ? chip->name : chip->text;
}

/* Returns `(a or b)` without its brackets, or another text unchanged. */
static char *
dup_unbracketed (NsTableId table, const char *text)
{
  g_autofree char *inner = NULL;
  gsize length = strlen (text);

  if (length > 2 && text[0] == '(' && text[length - 1] == ')')
    {
      inner = g_strndup (text + 1, length - 2);
      if (needs_brackets (table, inner))
        return g_steal_pointer (&inner);
    }
  return g_strdup (text);
}

/**
 * ns_filter_chips_add_also:
 * @self: a filter
 * @field: id of the field of @condition
 * @condition: a condition for rows to show in addition
 *
 * Adds @condition as an alternative to the condition on @field, or else to all that are on.
 */
void
ns_filter_chips_add_also (NsFilterChips *self, const char *field, const char *condition)
{
  g_autofree char *begin = g_strdup_printf ("%s=", field);
  g_autofree char *all = ns_filter_chips_to_filter (self);
  g_autoptr (GPtrArray) parts = NULL;
  g_autofree char *joined = NULL;
  guint i;

  if (*all == '\0')
    return;
  remember (self, FALSE);
  for (i = 0; i < self->chips->len; i++)
    {
      NsFilterChip *chip = g_ptr_array_index (self->chips, i);
      g_autofree char *inner = dup_unbracketed (self->table, chip->text);

      if (!chip->is_on || !g_str_has_prefix (inner, begin))
        continue;
      g_free (chip->text);
      g_clear_pointer (&chip->name, g_free);
      chip->text = g_strdup_printf ("(%s or %s)", inner, condition);
      chip->is_counted = FALSE;
      return;
    }
  for (i = self->chips->len; i > 0; i--)
    if (((NsFilterChip *) g_ptr_array_index (self->chips, i - 1))->is_on)
      g_ptr_array_remove_index (self->chips, i - 1);
  set_draft (self, "");
  joined = g_strdup_printf ("(%s or %s)", all, condition);
  g_ptr_array_add (self->chips, chip_new (joined, NULL, TRUE));
}

/**
 * ns_filter_chips_remove:
 * @self: a filter
 * @index: a condition
 */
void
ns_filter_chips_remove (NsFilterChips *self, guint index)
{
  if (index >= self->chips->len)
    return;
  remember (self, FALSE);
  g_ptr_array_remove_index (self->chips, index);
}

/**
 * ns_filter_chips_keep:
 * @self: a filter
 * @n_chips: number of conditions to keep, from the first; the others and the draft are removed
 */
void
ns_filter_chips_keep (NsFilterChips *self, guint n_chips)
{
  if (n_chips >= self->chips->len && *self->draft == '\0')
    return;
  remember (self, FALSE);
  if (n_chips < self->chips->len)
    g_ptr_array_set_size (self->chips, (int) n_chips);
  set_draft (self, "");
}

/**
 * ns_filter_chips_toggle:
 * @self: a filter
 * @index: a condition
 *
 * Switches a condition off or on.
 */
void
ns_filter_chips_toggle (NsFilterChips *self, guint index)
{
  NsFilterChip *chip;

  if (index >= self->chips->len)
    return;
  remember (self, FALSE);
  chip = g_ptr_array_index (self->chips, index);
  chip->is_on = !chip->is_on;
}

/**
 * ns_filter_chips_edit:
 * @self: a filter
 * @index: a condition
 *
 * Makes a condition the draft, to be edited. The previous draft is converted to conditions.
 *
 * Returns: (transfer full) (nullable): the new draft
 */
char *
ns_filter_chips_edit (NsFilterChips *self, guint index)
{
  NsFilterChip *chip;
  g_autofree char *text = NULL;

  if (index >= self->chips->len)
    return NULL;
  remember (self, FALSE);
  chip = g_ptr_array_index (self->chips, index);
  text = g_strdup (chip->text);
  ns_filter_chips_take_draft (self, NULL, NULL);
  g_ptr_array_remove_index (self->chips, index);
  set_draft (self, text);
  self->is_typing = TRUE;
  return g_steal_pointer (&text);
}

/**
 * ns_filter_chips_can_undo:
 * @self: a filter
 *
 * Returns: whether there is a change to undo
 */
gboolean
ns_filter_chips_can_undo (const NsFilterChips *self)
{
  return self->undo->len > 0;
}

static gboolean
has_conditions (const NsFilterChips *self)
{
  return self->chips->len > 0 || *self->settled != '\0';
}

/**
 * ns_filter_chips_has_filtered:
 * @self: a filter
 *
 * A draft that may still become a field name is not a filter, although it can be undone.
 *
 * Returns: whether there is a filter, or was one before the last change
 */
gboolean
ns_filter_chips_has_filtered (const NsFilterChips *self)
{
  g_autoptr (NsFilterChips) before = NULL;

  if (self->undo->len == 0 || has_conditions (self))
    return self->undo->len > 0;
  before = ns_filter_chips_new (self->table);
  ns_filter_chips_set_state (before, g_ptr_array_index (self->undo, self->undo->len - 1));
  return has_conditions (before);
}

/**
 * ns_filter_chips_undo:
 * @self: a filter
 *
 * Undoes the last change.
 *
 * Returns: whether there was one
 */
gboolean
ns_filter_chips_undo (NsFilterChips *self)
{
  g_autoptr (GVariant) state = NULL;

  if (self->undo->len == 0)
    return FALSE;
  state = g_ptr_array_steal_index (self->undo, self->undo->len - 1);
  ns_filter_chips_set_state (self, state);
  return TRUE;
}

/* A running count of conditions, with copies of its input. */
typedef struct
{
  NsTrace *trace;
  NsTableId table;
  GPtrArray *chips; /* NsFilterChip */
} Count;

static void
count_free (gpointer data)
{
  Count *count = data;

  ns_trace_unref (count->trace);
  g_ptr_array_unref (count->chips);
  g_free (count);
}

static gboolean
count_progress (double fraction, gpointer user_data)
{
  return !g_cancellable_is_cancelled (user_data);
}

/* Returns the rows of @rows that pass the condition; %NULL @rows are all rows. */
static GArray *
keep_matching (Count *count, const NsFilterChip *chip, const GArray *rows, GCancellable *stop)
{
  g_autoptr (NsFilter) filter = ns_filter_new (count->table, chip->text, NULL, NULL);
  g_autoptr (GArray) kept = NULL;
  guint i;

  if (filter != NULL && rows == NULL)
    return ns_filter_run (filter, count->trace, count->table, count_progress, stop);
  kept = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (i = 0; filter != NULL && i < rows->len; i++)
    {
      guint32 row = g_array_index (rows, guint32, i);

      if (ns_filter_matches (filter, count->trace, row))
        g_array_append_val (kept, row);
      if (i % 4096 == 0 && g_cancellable_is_cancelled (stop))
        return NULL;
    }
  return g_steal_pointer (&kept);
}

static void
count_worker (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Count *count = task_data;
  g_autoptr (GArray) rows = NULL;
  guint i;

  for (i = 0; i < count->chips->len; i++)
    {
      NsFilterChip *chip = g_ptr_array_index (count->chips, i);
      g_autoptr (GArray) kept = keep_matching (count, chip, rows, cancellable);

      if (kept == NULL)
        {
          g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "stopped");
          return;
        }
      chip->n_rows = kept->len;
      if (!chip->is_on)
        continue;
      g_clear_pointer (&rows, g_array_unref);
      rows = g_steal_pointer (&kept);
    }
  g_task_return_boolean (task, TRUE);
}

/**
 * ns_filter_chips_count_async:
 * @self: a filter
 * @trace: the trace
 * @cancellable: cancels the count
 * @callback: called when it has ended
 * @user_data: for @callback
 *
 * Counts, in a thread, the rows that each condition leaves of those left by the conditions before
 * it. A condition that is off is counted as if it were on, but does not affect those after it.
 */
void
ns_filter_chips_count_async (const NsFilterChips *self,
                             NsTrace *trace,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Count *count = g_new0 (Count, 1);
  guint i;

  g_task_set_source_tag (task, ns_filter_chips_count_async);
  count->trace = ns_trace_ref (trace);
  count->table = self->table;
  count->chips = g_ptr_array_new_with_free_func (chip_free);
  for (i = 0; i < self->chips->len; i++)
    {
      const NsFilterChip *chip = g_ptr_array_index (self->chips, i);

      g_ptr_array_add (count->chips, chip_new (chip->text, NULL, chip->is_on));
    }
  g_task_set_task_data (task, count, count_free);
  g_task_run_in_thread (task, count_worker);
}

/**
 * ns_filter_chips_count_finish:
 * @self: the filter; it may have changed since
 * @result: passed to the callback
 * @error: %G_IO_ERROR_CANCELLED if it was cancelled
 *
 * Copies the counts to the conditions that have not changed since.
 *
 * Returns: whether the count was completed
 */
gboolean
ns_filter_chips_count_finish (NsFilterChips *self, GAsyncResult *result, GError **error)
{
  Count *count = g_task_get_task_data (G_TASK (result));
  guint i;

  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  for (i = 0; i < MIN (self->chips->len, count->chips->len); i++)
    {
      NsFilterChip *chip = g_ptr_array_index (self->chips, i);
      const NsFilterChip *counted = g_ptr_array_index (count->chips, i);

      if (strcmp (chip->text, counted->text) != 0 || chip->is_on != counted->is_on)
        break;
      chip->n_rows = counted->n_rows;
      chip->is_counted = TRUE;
    }
  return TRUE;
}

/**
 * ns_filter_chips_take_count:
 * @self: a filter
 * @n_rows: number of rows that pass the whole filter
 *
 * Sets the count of the last condition that is on, which equals that of the whole filter.
 */
void
ns_filter_chips_take_count (NsFilterChips *self, guint n_rows)
{
  guint i = self->chips->len;

  if (*self->settled != '\0')
    return;
  while (i > 0 && !((NsFilterChip *) g_ptr_array_index (self->chips, i - 1))->is_on)
    i--;
  if (i > 0)
    {
      NsFilterChip *last = g_ptr_array_index (self->chips, i - 1);

      last->n_rows = n_rows;
      last->is_counted = TRUE;
    }
}

/**
 * ns_filter_chips_names_changed:
 * @self: a filter
 *
 * Invalidates the counts of conditions on call stacks after symbols were resolved.
 */
void
ns_filter_chips_names_changed (NsFilterChips *self)
{
  guint i;

  for (i = 0; i < self->chips->len; i++)
    {
      NsFilterChip *chip = g_ptr_array_index (self->chips, i);

      if (strstr (chip->text, "stack") != NULL)
        chip->is_counted = FALSE;
    }
}
