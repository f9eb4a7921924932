/* A damaged trace in a window: what is said of it, and the list of what could be read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-window-private.h"
#include "ui/ns-words.h"
#include "ui/sheets/ns-damage-sheet.h"

#include <glib/gi18n.h>

/* A file that ends too early: where, and what that leaves. */
static char *
describe_cut (const NsTrace *trace, const NsDamage *damage)
{
  g_autofree char *n_read = ns_words_count (damage->n_read);
  g_autofree char *n_expected = ns_words_count (damage->n_expected);
  g_autofree char *size = ns_words_count (ns_etl_file_get_size (trace->file));
  g_autofree char *n_rows = ns_words_count (trace->activities->len);
  g_autofree char *end = ns_words_seconds (damage->read_end_ns);
  g_autofree char *rest = ns_words_seconds (damage->end_ns - damage->read_end_ns);
  GString *text = g_string_new (NULL);

  if (damage->n_expected >= damage->n_read)
    /* Translators: numbers; the last one is the size of the file. */
    g_string_append_printf (text,
                            _ ("The file ends at buffer %s of %s (byte %s). "),
                            n_read,
                            n_expected,
                            size);
  else
    g_string_append_printf (text, _ ("The file ends at byte %s. "), size);
  g_string_append_printf (text,
                          ngettext ("%s row up to %s is shown",
                                    "%s rows up to %s are shown",
                                    trace->activities->len),
                          n_rows,
                          end);
  if (damage->end_ns > damage->read_end_ns)
    /* Translators: goes on after “… rows up to … are shown”; a span of time. */
    g_string_append_printf (text, _ ("; the last %s are missing"), rest);
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

static char *
describe_places (const NsTrace *trace, const NsDamage *damage)
{
  g_autofree char *offset = ns_words_byte (trace, damage->first->offset);

  return g_strdup_printf (ngettext ("%u place is wrong, at byte %s: %s.",
                                    "%u places are wrong, the first at byte %s: %s.",
                                    damage->n_places),
                          damage->n_places,
                          offset,
                          damage->first->what);
}

/* A sentence for each. */
static char *
describe_beside (const NsTrace *trace)
{
  const GPtrArray *places = ns_etl_file_get_report (trace->file)->damage;
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < places->len; i++)
    {
      const NsEtlDamage *place = g_ptr_array_index (places, i);

      g_string_append_printf (text,
                              "%s%c%s.",
                              i > 0 ? " " : "",
                              g_ascii_toupper (place->what[0]),
                              place->what + 1);
    }
  return g_string_free (text, FALSE);
}

static void
show_bar (NsWindow *self, const NsTrace *trace, const NsDamage *damage)
{
  gboolean is_cut = damage->is_cut && trace->file != NULL;
  g_autofree char *what = is_cut             ? describe_cut (trace, damage)
                          : damage->is_whole ? describe_beside (trace)
                                             : describe_places (trace, damage);
  const char *head = is_cut             ? _ ("Damaged trace, opened up to the damage.")
                     : damage->is_whole ? _ ("The trace is whole; what came along with it is not.")
                                        : _ ("Damaged trace, opened as far as it can be read.");
  g_autofree char *markup = g_markup_printf_escaped ("<b>%s</b> %s", head, what);

  gtk_label_set_markup (GTK_LABEL (self->damage_text), markup);
}

/* How much of the file could be read, in a hundred; never all of a damaged one. */
static guint
get_part_read (const NsTrace *trace, const NsDamage *damage)
{
  double all = damage->is_cut && damage->n_expected >= damage->n_read
                   ? (double) damage->n_expected
                   : (double) ns_etl_file_get_size (trace->file);
  double read = damage->is_cut && damage->n_expected >= damage->n_read
                    ? (double) damage->n_read
                    : all - (double) ns_etl_file_get_report (trace->file)->n_bytes_dropped;

  return all > 0 ? (guint) CLAMP (100 * read / all, 0, 99) : 0;
}

/* In the status bar: what is not there at all, or was lost before it was written. */
static void
show_losses (NsWindow *self, const NsTrace *trace, const NsDamage *damage)
{
  const NsEtlHeader *header = trace->file != NULL ? ns_etl_file_get_header (trace->file) : NULL;
  GString *text = g_string_new (NULL);

  if (damage->is_damaged && !damage->is_whole)
    g_string_append_printf (text,
                            _ ("Opened partly: %u %% of the file"),
                            get_part_read (trace, damage));
  if (header != NULL && (header->events_lost > 0 || header->buffers_lost > 0))
    {
      guint n_lost = header->events_lost > 0 ? header->events_lost : header->buffers_lost;
      g_autofree char *n = ns_words_count (n_lost);

      g_string_append (text, text->len > 0 ? " · " : "");
      g_string_append_printf (text,
                              header->events_lost > 0
                                  ? ngettext ("%s event lost", "%s events lost", n_lost)
                                  : ngettext ("%s buffer lost", "%s buffers lost", n_lost),
                              n);
    }
  gtk_label_set_text (GTK_LABEL (self->losses), text->str);
  gtk_widget_set_visible (self->losses_mark, text->len > 0);
  g_string_free (text, TRUE);
}

static void
show_list (NsWindow *self, gboolean is_shown)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "damage");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (is_shown));
  gtk_widget_set_visible (self->damage_sheet, is_shown);
  gtk_widget_set_visible (GTK_WIDGET (self->find_bar), !is_shown);
  gtk_widget_set_visible (self->tables, !is_shown);
}

static void
damage_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  NsWindow *self = data;

  if (g_variant_get_boolean (state))
    ns_window_show_page (self, "trace");
  show_list (self, g_variant_get_boolean (state));
}

static const GActionEntry entries[] = {
  { "damage", NULL, NULL, "false", damage_cb, { 0 } },
};

/* Says what is wrong with the trace of a new session. */
void
ns_window_show_damage (NsWindow *self)
{
  const NsTrace *trace = ns_session_get_trace (self->session);
  const NsDamage *damage = ns_session_get_damage (self->session);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "damage");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), damage->is_damaged);
  show_list (self, FALSE);
  ns_damage_sheet_set_session (NS_DAMAGE_SHEET (self->damage_sheet), self->session);
  show_losses (self, trace, damage);
  if (damage->is_damaged)
    show_bar (self, trace, damage);
  gtk_info_bar_set_revealed (GTK_INFO_BAR (self->damage_bar), damage->is_damaged);
}

/* Adds the action of the list to a new window. */
void
ns_window_add_damage_actions (NsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (
                                   g_action_map_lookup_action (G_ACTION_MAP (self), "damage")),
                               FALSE);
}
