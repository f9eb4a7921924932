/* List item factory for the lines of a call stack.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-row-links.h"
#include "ui/ns-accessible.h"
#include "ui/ns-words.h"
#include "ui/panel/ns-confidence-indicator.h"
#include "ui/panel/ns-stack-cell.h"
#include "ui/panel/ns-stack-line.h"

#include <glib/gi18n.h>
#include <string.h>

/* Alpha of dimmed text, of 65535; as dark as `text-dim`, for any colour of the row. */
#define DIM_ALPHA 52000

/* Minimum width in characters of the function name and of the source location. */
#define NAME_CHARS 26
#define PLACE_CHARS 5

/* Maximum lines of each label of a thread switch. */
#define THREAD_SWITCH_LINES 2

/* Creates a link that runs an action, for a missing stack. */
static GtkWidget *
link_new (const char *text, const char *action)
{
  GtkWidget *link = gtk_button_new_with_label (text);

  gtk_widget_add_css_class (link, "link");
  gtk_widget_set_halign (link, GTK_ALIGN_START);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (link), action);
  return link;
}

/* Makes a widget and its children left-to-right, as code is in every language. */
static void
read_from_left (GtkWidget *widget)
{
  GtkWidget *child;

  gtk_widget_set_direction (widget, GTK_TEXT_DIR_LTR);
  for (child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    read_from_left (child);
}

/* Builds a cell: two lines of text, a text and the confidence at the end, links below. */
static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *links = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *mark = gtk_image_new_from_icon_name ("dialog-information-symbolic");
  guint i;

  for (i = 0; i < 2; i++)
    {
      GtkWidget *label = gtk_label_new (NULL);

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
      gtk_box_append (GTK_BOX (lines), label);
    }
  gtk_box_append (GTK_BOX (links), link_new (_ ("Why?"), "stack.why"));
  gtk_box_append (GTK_BOX (links), link_new (_ ("Record a trace with stacks…"), "win.recipe::"));
  gtk_box_append (GTK_BOX (lines), links);
  gtk_widget_set_hexpand (lines, TRUE);
  gtk_widget_set_valign (lines, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (mark, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), mark);
  gtk_box_append (GTK_BOX (box), lines);
  gtk_box_append (GTK_BOX (box), gtk_label_new (NULL));
  gtk_box_append (GTK_BOX (box), ns_confidence_indicator_new ());
  read_from_left (box);
  g_object_set_data (G_OBJECT (box), NS_STACK_CELL_ITEM, item);
  gtk_list_item_set_child (item, box);
}

static const char *
style_of (const NsStackLine *line)
{
  switch (line->kind)
    {
    case NS_STACK_LINE_THREAD:
      return "stack-thread";
    case NS_STACK_LINE_FRAME:
      return "stack-frame";
    case NS_STACK_LINE_THREAD_SWITCH:
      return "stack-seam";
    case NS_STACK_LINE_MISSING:
      return "stack-missing";
    case NS_STACK_LINE_FOLD:
    case NS_STACK_LINE_NOTE:
    default:
      return "dim";
    }
}

static void
add_attribute (PangoAttrList *list, PangoAttribute *attribute, gsize begin, gsize end)
{
  attribute->start_index = (guint) begin;
  attribute->end_index = (guint) end;
  pango_attr_list_insert (list, attribute);
}

/* Emphasizes the function in `module!function+0x1f`; in a thread switch, who queued the work and
 * the wait. */
static void
set_text (GtkWidget *label, const NsStackLine *line, const char *text, const char *strong)
{
  g_autoptr (PangoAttrList) list = pango_attr_list_new ();
  const char *at = strong != NULL ? strstr (text, strong) : NULL;
  const char *function = line->kind == NS_STACK_LINE_FRAME ? strchr (text, '!') : NULL;
  const char *place = function != NULL ? g_strrstr (function, "+0x") : NULL;

  gtk_label_set_text (GTK_LABEL (label), text);
  if (at != NULL)
    add_attribute (list,
                   pango_attr_weight_new (PANGO_WEIGHT_BOLD),
                   (gsize) (at - text),
                   (gsize) (at - text) + strlen (strong));
  if (function != NULL && line->is_named)
    add_attribute (list,
                   pango_attr_foreground_alpha_new (DIM_ALPHA),
                   0,
                   (gsize) (function - text) + 1);
  if (place != NULL && line->is_named)
    add_attribute (list,
                   pango_attr_foreground_alpha_new (DIM_ALPHA),
                   (gsize) (place - text),
                   strlen (text));
  gtk_label_set_attributes (GTK_LABEL (label), list);
}

/* Sets the confidence of a thread switch, and a tooltip with the whole text of any line, which a
 * narrow cell ellipsizes. */
static void
set_thread_switch (GtkWidget *box, GtkWidget *blocks, const NsStackLine *line)
{
  const char *words = line->is_inferred
                          ? _ ("Inferred: the work started before its queueing was recorded.")
                          : _ ("Observed: both events refer to the same work item.");
  g_autofree char *all = NULL;
  g_autofree char *tip = NULL;

  if (line->kind != NS_STACK_LINE_THREAD_SWITCH)
    {
      all = line->side != NULL ? g_strdup_printf ("%s\n%s", line->text, line->side)
                               : g_strdup (line->text);
      tip = ns_words_tooltip (all);
      gtk_widget_set_tooltip_text (box, tip);
      return;
    }
  all = g_strdup_printf ("%s\n%s\n%s", line->text, line->second != NULL ? line->second : "", words);
  tip = ns_words_tooltip (all);
  gtk_widget_set_tooltip_text (box, tip);
  ns_confidence_indicator_set_confidence (blocks,
                                          line->is_inferred ? NS_CONFIDENCE_INFERRED
                                                            : NS_CONFIDENCE_CERTAIN);
}

/* Gives the function name width before the source location, whose end is the important part. */
static void
share_width (GtkWidget *first, GtkWidget *side, const NsStackLine *line, const char *text)
{
  gboolean is_place = line->kind == NS_STACK_LINE_FRAME && line->is_named && line->side != NULL;

  gtk_label_set_width_chars (GTK_LABEL (first),
                             is_place ? (int) MIN (g_utf8_strlen (text, -1), NAME_CHARS) : -1);
  gtk_label_set_width_chars (GTK_LABEL (side), is_place ? PLACE_CHARS : -1);
  gtk_label_set_ellipsize (GTK_LABEL (side),
                           is_place ? PANGO_ELLIPSIZE_START : PANGO_ELLIPSIZE_NONE);
  if (is_place)
    gtk_widget_add_css_class (side, "place");
  else
    gtk_widget_remove_css_class (side, "place");
}

/* Wraps the text of a missing stack completely and that of a thread switch to two lines, so that
 * thread and evidence stay readable in a narrow panel; a frame has one line. */
static void
set_wrap (GtkWidget *label, NsStackLineKind kind)
{
  gtk_label_set_wrap (GTK_LABEL (label),
                      kind == NS_STACK_LINE_MISSING || kind == NS_STACK_LINE_THREAD_SWITCH);
  gtk_label_set_lines (GTK_LABEL (label),
                       kind == NS_STACK_LINE_THREAD_SWITCH ? THREAD_SWITCH_LINES : -1);
  gtk_label_set_ellipsize (GTK_LABEL (label),
                           kind == NS_STACK_LINE_MISSING ? PANGO_ELLIPSIZE_NONE
                                                         : PANGO_ELLIPSIZE_END);
}

static void
line_changed_cb (NsStackLine *line, GtkWidget *box)
{
  GtkWidget *mark = gtk_widget_get_first_child (box);
  GtkWidget *lines = gtk_widget_get_next_sibling (mark);
  GtkWidget *first = gtk_widget_get_first_child (lines);
  GtkWidget *second = gtk_widget_get_next_sibling (first);
  GtkWidget *links = gtk_widget_get_next_sibling (second);
  GtkWidget *side = gtk_widget_get_next_sibling (lines);
  GtkWidget *blocks = gtk_widget_get_next_sibling (side);
  gboolean is_missing = line->kind == NS_STACK_LINE_MISSING;
  /* The reason for a missing name is read out like a source location. */
  const char *more =
      line->kind == NS_STACK_LINE_FRAME && !line->is_named ? line->side : line->second;
  g_autofree char *spoken = more != NULL ? g_strdup_printf ("%s, %s", line->text, more) : NULL;
  g_autofree char *strong = NULL;
  g_autofree char *text = ns_stack_line_dup_shown (line, &strong);
  const char *second_style = NULL;
  const char *classes[] = { "stack-line", style_of (line), NULL, NULL };

  if (line->kind == NS_STACK_LINE_THREAD_SWITCH && line->is_inferred)
    second_style = "inferred";
  if (line->kind == NS_STACK_LINE_FRAME && !line->is_named)
    second_style = "unresolved";
  classes[2] = second_style;
  gtk_widget_set_css_classes (box, classes);
  set_text (first, line, text, strong);
  set_wrap (first, line->kind);
  set_wrap (second, line->kind);
  set_text (second, line, line->second != NULL ? line->second : "", line->strong_second);
  gtk_widget_set_visible (second, line->second != NULL);
  gtk_widget_set_visible (links, line->missing != NS_STACK_PRESENT);
  gtk_widget_set_visible (gtk_widget_get_last_child (links),
                          line->missing == NS_STACK_NOT_ENABLED ||
                              line->missing == NS_STACK_NOT_STACK_ENABLED);
  gtk_widget_add_css_class (second, "dim");
  gtk_label_set_text (GTK_LABEL (side), line->side != NULL ? line->side : "");
  gtk_widget_set_visible (side, line->side != NULL);
  gtk_widget_add_css_class (side, "dim");
  share_width (first, side, line, text);
  gtk_widget_set_visible (mark, is_missing);
  gtk_widget_set_visible (blocks, line->kind == NS_STACK_LINE_THREAD_SWITCH);
  set_thread_switch (box, blocks, line);
  ns_accessible_set_row_name (box, spoken != NULL ? spoken : line->text);
}

static void
unbind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item),
                                        line_changed_cb,
                                        gtk_list_item_get_child (item));
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
  GtkWidget *box = gtk_list_item_get_child (item);
  NsStackLine *line = gtk_list_item_get_item (item);

  line_changed_cb (line, box);
  g_signal_connect_object (line, "changed", G_CALLBACK (line_changed_cb), box, 0);
}

/**
 * ns_stack_cell_factory_new:
 *
 * Returns: (transfer full): factory for #NsStackLine objects; each widget has its #GtkListItem as
 * object data %NS_STACK_CELL_ITEM
 */
GtkListItemFactory *
ns_stack_cell_factory_new (void)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), NULL);
  return factory;
}
