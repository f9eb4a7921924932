/* The filter of the table in front: the entry, its chips, the crumbs and what is saved.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-chip.h"
#include "ui/ns-filter-entry.h"
#include "ui/ns-spoken.h"
#include "ui/ns-window-filter.h"
#include "ui/ns-words.h"

#include <glib/gi18n.h>
#include <string.h>

/* How long after the last key a filter is applied. */
#define FILTER_DELAY_MS 150
/* From then on it is told that rows are waited for. */
#define LATE_MS 300

static NsFilterChips *
get_chips (NsWindow *self)
{
  return self->session != NULL ? ns_session_get_chips (self->session, self->table) : NULL;
}

static gboolean
has_error (NsWindow *self)
{
  return gtk_widget_has_css_class (self->filter_box, "error");
}

/* Says what is wrong with the entry; %NULL: nothing. */
static void
show_error (NsWindow *self, const NsFilterSpan *where, const GError *error)
{
  if (error != NULL)
    gtk_widget_add_css_class (self->filter_box, "error");
  else
    gtk_widget_remove_css_class (self->filter_box, "error");
  ns_filter_entry_set_wrong (NS_FILTER_ENTRY (self->filter),
                             error != NULL ? where : NULL,
                             error != NULL ? error->message : NULL);
}

static void
set_entry_text (NsWindow *self, const char *text)
{
  g_clear_handle_id (&self->filter_id, g_source_remove);
  self->is_setting_filter = TRUE;
  ns_filter_entry_set_text (NS_FILTER_ENTRY (self->filter), text);
  self->is_setting_filter = FALSE;
}

static char *
chip_count (const NsFilterChip *chip)
{
  return chip->is_counted ? ns_words_count (chip->n_rows) : g_strdup ("…");
}

/* Chips keep their widgets, and so the focus, as long as there are as many. */
static void
update_chips (NsWindow *self)
{
  NsFilterChips *chips = get_chips (self);
  guint n_chips = chips != NULL ? ns_filter_chips_get_n_chips (chips) : 0;
  gboolean had_focus = gtk_widget_get_focus_child (self->chip_box) != NULL;
  GtkWidget *child = gtk_widget_get_first_child (self->chip_box);
  guint i;

  for (i = 0; i < n_chips; i++)
    {
      const NsFilterChip *chip = ns_filter_chips_get_chip (chips, i);
      g_autofree char *count = chip_count (chip);

      if (child == NULL)
        {
          child = GTK_WIDGET (ns_chip_new ("chip", i));
          gtk_box_append (GTK_BOX (self->chip_box), child);
        }
      ns_chip_set (NS_CHIP (child),
                   ns_filter_chip_get_label (chip),
                   count,
                   chip->is_counted ? chip->n_rows : G_MAXUINT,
                   chip->is_on);
      if (chip->name != NULL)
        ns_chip_set_tooltip (NS_CHIP (child), chip->text);
      child = gtk_widget_get_next_sibling (child);
    }
  while (child != NULL)
    {
      GtkWidget *next = gtk_widget_get_next_sibling (child);

      gtk_box_remove (GTK_BOX (self->chip_box), child);
      child = next;
    }
  gtk_widget_set_visible (self->chip_scrolled, n_chips > 0);
  if (had_focus && gtk_widget_get_focus_child (self->chip_box) == NULL)
    {
      child = gtk_widget_get_last_child (self->chip_box);
      gtk_widget_grab_focus (child != NULL ? child : self->filter);
    }
}

static void
add_crumb (NsWindow *self, const char *icon, const char *text, const char *dim, const char *action)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);
  GtkWidget *label = gtk_label_new (NULL);
  g_autofree char *markup = g_markup_printf_escaped ("%s %s", text, dim);

  if (gtk_widget_get_first_child (self->crumb_box) != NULL)
    gtk_box_append (GTK_BOX (self->crumb_box), gtk_label_new ("›"));
  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  if (icon != NULL)
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (icon));
  gtk_box_append (GTK_BOX (box), label);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_widget_add_css_class (button, "crumb");
  gtk_widget_set_tooltip_text (button, text);
  ns_spoken_set_name (button, gtk_label_get_text (GTK_LABEL (label)));
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), action);
  gtk_box_append (GTK_BOX (self->crumb_box), button);
}

/* Whether more rows of the file are to come. */
static gboolean
is_reading (NsWindow *self)
{
  return ns_opening_has_part (self->opening) && ns_opening_is_busy (self->opening) &&
         !ns_opening_is_cancelled (self->opening);
}

/* Up to where rows stay as they are; behind it, what is read later may still join them. */
static void
update_final (NsWindow *self)
{
  gint64 frontier_ns = ns_session_get_frontier (self->session);
  g_autofree char *text = NULL;

  /* Translators: seconds. */
  text = g_strdup_printf (_ ("Rows are final up to %.1f s; later ones may still join"),
                          (double) frontier_ns / 1e9);
  gtk_label_set_text (GTK_LABEL (self->final_text), text);
  gtk_widget_set_visible (self->final_text, is_reading (self) && frontier_ns > 0);
}

/* From the whole trace, through the zoom and each condition, to what is shown. */
static void
update_crumbs (NsWindow *self)
{
  NsFilterChips *chips = get_chips (self);
  NsTimeSpan whole = ns_session_get_whole (self->session);
  NsTimeSpan visible = ns_session_get_visible (self->session);
  /* Findings are about the operations of the trace. */
  guint n_all =
      ns_session_count_all (self->session,
                            self->table == NS_TABLE_FINDINGS ? NS_TABLE_ACTIVITIES : self->table);
  g_autofree char *all = ns_words_count (n_all);
  g_autofree char *so_far = NULL;
  GtkWidget *child;
  guint i;

  while ((child = gtk_widget_get_first_child (self->crumb_box)) != NULL)
    gtk_box_remove (GTK_BOX (self->crumb_box), child);
  /* Translators: a count of rows. */
  so_far = g_strdup_printf (_ ("%s so far"), all);
  add_crumb (self,
             NULL,
             self->table == NS_TABLE_EVENTS ? _ ("All events") : _ ("Whole trace"),
             is_reading (self) ? so_far : all,
             "win.whole-trace");
  if (visible.begin_ns != whole.begin_ns || visible.end_ns != whole.end_ns)
    {
      int n_digits = (int) ns_words_count_digits (visible.end_ns - visible.begin_ns);
      g_autofree char *span = g_strdup_printf ("%.*f\342\200\211–\342\200\211%.*f s",
                                               n_digits,
                                               (double) visible.begin_ns / 1e9,
                                               n_digits,
                                               (double) visible.end_ns / 1e9);

      add_crumb (self, "zoom-in-symbolic", span, _ ("zoom"), "win.chip-keep(uint32 0)");
    }
  for (i = 0; i < ns_filter_chips_get_n_chips (chips); i++)
    {
      const NsFilterChip *chip = ns_filter_chips_get_chip (chips, i);
      g_autofree char *count = chip_count (chip);
      g_autofree char *action = g_strdup_printf ("win.chip-keep(uint32 %u)", i + 1);

      if (chip->is_on)
        add_crumb (self, NULL, ns_filter_chip_get_label (chip), count, action);
    }
  if (*ns_filter_chips_get_settled (chips) != '\0')
    add_crumb (self, NULL, ns_filter_chips_get_settled (chips), "", "win.focus-filter");
  gtk_widget_add_css_class (gtk_widget_get_last_child (self->crumb_box), "last");
}

/* Something to clear is a condition, or a text that may become one; who cleared it types on. */
static void
update_clear (NsWindow *self)
{
  NsFilterChips *chips = get_chips (self);
  gboolean is_clear = *gtk_editable_get_text (GTK_EDITABLE (self->filter)) == '\0' &&
                      (chips == NULL || ns_filter_chips_get_n_chips (chips) == 0);

  if (is_clear && gtk_widget_has_focus (self->clear_button))
    gtk_widget_grab_focus (self->filter);
  gtk_widget_set_visible (self->clear_button, !is_clear);
}

/* “ · 4 processes · 24 servers”: what the groups of each level are. */
static void
append_group_counts (NsWindow *self, GString *text)
{
  const NsGroups *groups =
      ns_row_list_get_groups (ns_session_get_rows (self->session, self->table));
  const GPtrArray *fields = ns_session_get_grouping (self->session, self->table)->fields;
  guint i;

  /* Groups that are on their way were gathered by other fields. */
  if (groups == NULL || groups->n_fields != fields->len)
    return;
  for (i = 0; i < fields->len; i++)
    {
      const NsField *field = g_ptr_array_index (fields, i);
      g_autofree char *words = NULL;
      guint n_values;

      if (!ns_groups_count_values (groups,
                                   ns_session_get_trace (self->session),
                                   field,
                                   i,
                                   &n_values))
        continue;
      words = ns_words_values (field, n_values);
      g_string_append_printf (text, " · %s", words);
    }
}

/* Of how many rows, or events, how many are shown. */
static void
append_count (NsWindow *self, guint n_all, GString *text)
{
  guint n_shown = ns_row_list_get_rows (ns_session_get_rows (self->session, self->table))->len;
  gboolean is_events = self->table == NS_TABLE_EVENTS;
  g_autofree char *all = ns_words_count (n_all);
  g_autofree char *shown = ns_words_count (n_shown);

  if (*ns_session_get_filter (self->session, self->table) == '\0')
    g_string_append_printf (text,
                            is_events ? ngettext ("%s event", "%s events", n_all)
                                      : ngettext ("%s row", "%s rows", n_all),
                            all);
  else
    g_string_append_printf (text,
                            is_events ? ngettext ("%s of %s event", "%s of %s events", n_all)
                                      : ngettext ("%s of %s row", "%s of %s rows", n_all),
                            shown,
                            all);
}

/* “8 findings · 4,821 rows”, as the tab counts them. */
static void
append_findings (NsWindow *self, guint n_all, GString *text)
{
  guint n_shown = ns_row_list_get_rows (ns_session_get_rows (self->session, self->table))->len;
  guint n_rows = ns_session_count_all (self->session, NS_TABLE_ACTIVITIES);
  g_autofree char *all = ns_words_count (n_all);
  g_autofree char *shown = ns_words_count (n_shown);
  g_autofree char *rows = ns_words_count (n_rows);

  if (*ns_session_get_filter (self->session, self->table) == '\0')
    g_string_append_printf (text, ngettext ("%s finding", "%s findings", n_all), all);
  else
    g_string_append_printf (text,
                            ngettext ("%s of %s finding", "%s of %s findings", n_all),
                            shown,
                            all);
  g_string_append (text, " · ");
  g_string_append_printf (text, ngettext ("%s row", "%s rows", n_rows), rows);
}

static gboolean
late_cb (gpointer data)
{
  NsWindow *self = data;

  self->late_id = 0;
  self->is_late = TRUE;
  ns_window_update_crumbs (self);
  return G_SOURCE_REMOVE;
}

/* Most answers come before it could be read that they are waited for. */
static void
watch_wait (NsWindow *self)
{
  if (!ns_session_is_busy (self->session, self->table))
    {
      g_clear_handle_id (&self->late_id, g_source_remove);
      self->is_late = FALSE;
    }
  else if (!self->is_late && self->late_id == 0)
    self->late_id = g_timeout_add (LATE_MS, late_cb, self);
  gtk_widget_set_visible (self->late_spinner, self->is_late);
  gtk_spinner_set_spinning (GTK_SPINNER (self->late_spinner), self->is_late);
}

/* What is listed meanwhile are the rows from before, which the new filter has nothing to do with.
 */
static void
append_wait (NsWindow *self, guint n_all, GString *text)
{
  g_autofree char *all = ns_words_count (n_all);

  /* How many there are is what is being found out. */
  if (self->table == NS_TABLE_FINDINGS && n_all == 0)
    {
      g_string_append (text, _ ("Looking for findings…"));
      return;
    }
  g_string_append_printf (
      text,
      self->table == NS_TABLE_EVENTS
          ? ngettext ("Looking through %s event…", "Looking through %s events…", n_all)
          : ngettext ("Looking through %s row…", "Looking through %s rows…", n_all),
      all);
}

static void
tell_count (NsWindow *self)
{
  guint n_all = ns_session_count_all (self->session, self->table);
  gboolean is_busy = ns_session_is_busy (self->session, self->table);
  g_autoptr (GString) text = g_string_new (NULL);

  watch_wait (self);
  /* For a moment it says what it said, which is still what is listed. */
  if (is_busy && !self->is_late && self->counted == self->table)
    return;
  self->counted = self->table;
  if (is_busy)
    append_wait (self, n_all, text);
  else
    {
      if (self->table == NS_TABLE_FINDINGS)
        append_findings (self, n_all, text);
      else
        append_count (self, n_all, text);
      append_group_counts (self, text);
      ns_window_append_stack_count (self, text);
    }
  ns_spoken_set_status (self->count, text->str);
}

/* Says of how many rows how many are shown. */
void
ns_window_update_crumbs (NsWindow *self)
{
  if (self->session == NULL)
    return;
  tell_count (self);
  gtk_widget_set_visible (self->undo_button, ns_filter_chips_has_filtered (get_chips (self)));
  update_final (self);
  update_crumbs (self);
  update_clear (self);
}

/* A count that is under way keeps its window. */
typedef struct
{
  NsWindow *window;
  NsTableId table;
  GCancellable *cancellable;
} Counting;

static void
counted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Counting *counting = user_data;
  NsWindow *self = counting->window;

  if (self->counting == counting->cancellable &&
      ns_filter_chips_count_finish (ns_session_get_chips (self->session, counting->table),
                                    result,
                                    NULL) &&
      self->table == counting->table)
    {
      update_chips (self);
      ns_window_update_crumbs (self);
    }
  g_object_unref (counting->cancellable);
  g_object_unref (self);
  g_free (counting);
}

/* The rows come first: they are waited for, and often say how many a condition leaves. */
static void
count_chips (NsWindow *self)
{
  NsFilterChips *chips = get_chips (self);
  Counting *counting;
  guint i;

  g_cancellable_cancel (self->counting);
  g_clear_object (&self->counting);
  self->is_count_due = ns_session_is_busy (self->session, self->table);
  if (self->is_count_due)
    return;
  for (i = 0; i < ns_filter_chips_get_n_chips (chips); i++)
    if (!ns_filter_chips_get_chip (chips, i)->is_counted)
      break;
  if (i == ns_filter_chips_get_n_chips (chips))
    return;
  self->counting = g_cancellable_new ();
  counting = g_new0 (Counting, 1);
  counting->window = g_object_ref (self);
  counting->table = self->table;
  counting->cancellable = g_object_ref (self->counting);
  ns_filter_chips_count_async (chips,
                               ns_session_get_trace (self->session),
                               self->counting,
                               counted_cb,
                               counting);
}

/* Counts what waited for the rows of the table in front. */
void
ns_window_count_chips (NsWindow *self)
{
  if (!self->is_count_due || ns_session_is_busy (self->session, self->table))
    return;
  ns_filter_chips_take_count (get_chips (self), ns_session_count_rows (self->session, self->table));
  update_chips (self);
  count_chips (self);
}

/* Shows the chips of the table in front, without a change of theirs. */
void
ns_window_show_chips (NsWindow *self)
{
  if (self->session == NULL)
    return;
  ns_filter_entry_set_table (NS_FILTER_ENTRY (self->filter),
                             ns_session_get_trace (self->session),
                             self->table);
  set_entry_text (self, ns_filter_chips_get_draft (get_chips (self)));
  show_error (self, NULL, NULL);
  update_chips (self);
  count_chips (self);
  ns_window_update_crumbs (self);
  ns_window_update_actions (self);
}

/* Functions have got names: what looks into stacks is asked again. */
void
ns_window_names_changed (NsWindow *self)
{
  guint table;

  ns_session_names_changed (self->session);
  for (table = 0; table < NS_N_TABLES; table++)
    ns_filter_chips_names_changed (ns_session_get_chips (self->session, table));
  count_chips (self);
}

/* Filters were set by others than this: the chips say the same. */
void
ns_window_take_filters (NsWindow *self)
{
  guint table;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      const char *text = ns_session_get_filter (self->session, (NsTableId) table);
      g_autofree char *said =
          ns_filter_chips_to_filter (ns_session_get_chips (self->session, table));

      if (g_strcmp0 (said, text) != 0)
        ns_filter_chips_set_text (ns_session_get_chips (self->session, table), text, NULL, NULL);
    }
  ns_window_show_chips (self);
  ns_window_record (self, NS_HISTORY_FILTER);
}

/* The conditions changed: so do the rows. */
static void
chips_changed (NsWindow *self, NsHistoryKind kind)
{
  g_autofree char *text = ns_filter_chips_to_filter (get_chips (self));
  g_autoptr (GError) error = NULL;

  if (!ns_session_set_filter (self->session, self->table, text, NULL, &error))
    {
      ns_window_say (self, error->message);
      return;
    }
  if (kind == NS_HISTORY_TYPING)
    {
      show_error (self, NULL, NULL);
      ns_window_update_crumbs (self);
      ns_window_update_actions (self);
    }
  else
    ns_window_show_chips (self);
  ns_window_check_followed (self);
  ns_window_record (self, kind);
}

/* Applies what stands in the entry; what makes no sense leaves the rows as they are. */
void
ns_window_apply_filter (NsWindow *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->filter));
  g_autoptr (GError) error = NULL;
  NsFilterSpan where = { 0 };

  g_clear_handle_id (&self->filter_id, g_source_remove);
  if (self->session == NULL)
    return;
  if (ns_filter_chips_set_draft (get_chips (self), text, &where, &error))
    chips_changed (self, NS_HISTORY_TYPING);
  else
    show_error (self, &where, error);
}

/* Makes chips of what stands in the entry. */
static void
take_draft (NsWindow *self)
{
  NsFilterChips *chips = get_chips (self);
  gboolean has_more;

  ns_window_apply_filter (self);
  if (chips == NULL || has_error (self))
    return;
  has_more = strcmp (ns_filter_chips_get_draft (chips), ns_filter_chips_get_settled (chips)) != 0;
  if (!ns_filter_chips_take_draft (chips, NULL, NULL))
    return;
  /* A word that nothing was made of is looked for as a text from now on. */
  if (has_more)
    {
      chips_changed (self, NS_HISTORY_FILTER);
      return;
    }
  ns_window_show_chips (self);
  ns_window_amend (self);
}

static gboolean
filter_timeout_cb (gpointer data)
{
  NsWindow *self = data;

  self->filter_id = 0;
  ns_window_apply_filter (self);
  return G_SOURCE_REMOVE;
}

static void
entry_changed_cb (NsWindow *self)
{
  if (self->is_setting_filter)
    return;
  update_clear (self);
  g_clear_handle_id (&self->filter_id, g_source_remove);
  self->filter_id = g_timeout_add (FILTER_DELAY_MS, filter_timeout_cb, self);
}

static void
edit_chip (NsWindow *self, guint index)
{
  g_autofree char *text = NULL;

  ns_window_apply_filter (self);
  if (has_error (self))
    return;
  text = ns_filter_chips_edit (get_chips (self), index);
  if (text == NULL)
    return;
  chips_changed (self, NS_HISTORY_FILTER);
  gtk_widget_grab_focus (self->filter);
  gtk_editable_set_position (GTK_EDITABLE (self->filter), -1);
}

/* At the start of the entry, Backspace takes the last chip back and Left goes to it. */
static gboolean
entry_key_cb (GtkEventControllerKey *controller,
              guint key,
              guint keycode,
              GdkModifierType state,
              NsWindow *self)
{
  NsFilterChips *chips = get_chips (self);
  guint n_chips = chips != NULL ? ns_filter_chips_get_n_chips (chips) : 0;
  GtkEditable *entry = GTK_EDITABLE (self->filter);

  if (n_chips == 0 || gtk_editable_get_position (entry) != 0 ||
      gtk_editable_get_selection_bounds (entry, NULL, NULL) ||
      (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)))
    return FALSE;
  if (key == GDK_KEY_BackSpace)
    {
      edit_chip (self, n_chips - 1);
      return TRUE;
    }
  if (key == GDK_KEY_Left)
    return gtk_widget_grab_focus (gtk_widget_get_last_child (self->chip_box));
  return FALSE;
}

/* Replaces all conditions. */
void
ns_window_set_filter_text (NsWindow *self, const char *text)
{
  g_autoptr (GError) error = NULL;
  NsFilterSpan where = { 0 };

  if (self->session == NULL)
    return;
  if (ns_filter_chips_set_text (get_chips (self), text, &where, &error))
    {
      chips_changed (self, NS_HISTORY_FILTER);
      return;
    }
  set_entry_text (self, text);
  show_error (self, &where, error);
}

/* Takes the last change of the filter back. */
void
ns_window_undo_filter (NsWindow *self)
{
  if (self->session != NULL && ns_filter_chips_undo (get_chips (self)))
    chips_changed (self, NS_HISTORY_FILTER);
}

/* Keeps only rows with a value, only those without it, or those with it, too. */
void
ns_window_filter_value (NsWindow *self,
                        NsWindowValueFilter how,
                        const char *field,
                        const char *condition)
{
  NsFilterChips *chips = get_chips (self);
  g_autofree char *without = g_strdup_printf ("-%s", condition);

  if (chips == NULL)
    return;
  if (how == NS_WINDOW_ALSO_VALUE)
    ns_filter_chips_add_also (chips, field, condition);
  else
    ns_filter_chips_add (chips, how == NS_WINDOW_ONLY_VALUE ? condition : without, NULL);
  chips_changed (self, NS_HISTORY_FILTER);
}

/* One condition more; @name may be NULL. */
void
ns_window_add_condition (NsWindow *self, const char *condition, const char *name)
{
  ns_filter_chips_add (get_chips (self), condition, name);
  chips_changed (self, NS_HISTORY_FILTER);
}

/* Shows only what a condition with a name keeps, as one step. */
void
ns_window_set_named_filter (NsWindow *self, const char *condition, const char *name)
{
  ns_filter_chips_set_named (get_chips (self), condition, name);
  chips_changed (self, NS_HISTORY_FILTER);
}

static void
chip_toggle_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  ns_filter_chips_toggle (get_chips (self), g_variant_get_uint32 (parameter));
  chips_changed (self, NS_HISTORY_FILTER);
}

static void
chip_remove_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  ns_filter_chips_remove (get_chips (self), g_variant_get_uint32 (parameter));
  chips_changed (self, NS_HISTORY_FILTER);
}

static void
chip_edit_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  edit_chip (data, g_variant_get_uint32 (parameter));
}

static void
chip_keep_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  ns_filter_chips_keep (get_chips (self), g_variant_get_uint32 (parameter));
  chips_changed (self, NS_HISTORY_FILTER);
}

static void
take_draft_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  take_draft (data);
}

/* Typing without a keyboard: what stands in the entry, as if it had been typed. */
static void
type_filter_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  set_entry_text (self, g_variant_get_string (parameter, NULL));
  ns_window_apply_filter (self);
}

/* Completing without a keyboard. */
static void
take_offer_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ns_filter_entry_take_offer (NS_FILTER_ENTRY (NS_WINDOW (data)->filter),
                              g_variant_get_uint32 (parameter));
}

static void
whole_trace_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  NsWindow *self = data;

  ns_session_set_visible (self->session, ns_session_get_whole (self->session));
  ns_window_set_filter_text (self, "");
}

static const GActionEntry entries[] = {
  { "chip-toggle", chip_toggle_cb, "u", NULL, NULL, { 0 } },
  { "chip-remove", chip_remove_cb, "u", NULL, NULL, { 0 } },
  { "chip-edit", chip_edit_cb, "u", NULL, NULL, { 0 } },
  { "chip-keep", chip_keep_cb, "u", NULL, NULL, { 0 } },
  { "chip-take", take_draft_cb, NULL, NULL, NULL, { 0 } },
  { "type-filter", type_filter_cb, "s", NULL, NULL, { 0 } },
  { "take-offer", take_offer_cb, "u", NULL, NULL, { 0 } },
  { "whole-trace", whole_trace_cb, NULL, NULL, NULL, { 0 } },
};

/* Switches what needs an open trace. */
void
ns_window_enable_filter (NsWindow *self, gboolean has_trace)
{
  guint i;

  ns_window_enable_filter_follow (self,
                                  has_trace && ns_session_get_selected (self->session)->len > 0);
  ns_window_enable_go (self, has_trace);

  for (i = 0; i < G_N_ELEMENTS (entries); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), entries[i].name);

      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), has_trace);
    }
}

/* Another trace, whose filters are its own, or none. */
void
ns_window_reset_filters (NsWindow *self)
{
  g_clear_handle_id (&self->filter_id, g_source_remove);
  g_cancellable_cancel (self->counting);
  g_clear_object (&self->counting);
  ns_window_forget_followed (self);
  if (self->session == NULL)
    ns_filter_entry_set_table (NS_FILTER_ENTRY (self->filter), NULL, self->table);
}

/* Makes the filter row of a new window. */
void
ns_window_add_filter (NsWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  ns_window_add_filter_follow (self);
  ns_window_add_go (self);
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_swapped (self->filter, "changed", G_CALLBACK (entry_changed_cb), self);
  g_signal_connect_swapped (self->filter, "activate", G_CALLBACK (take_draft), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (entry_key_cb), self);
  gtk_widget_add_controller (self->filter, keys);
}
