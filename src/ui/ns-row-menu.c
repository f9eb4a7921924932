/* Context menu of a table row. Its filter items name the value of the clicked cell and the number
 * of rows that they keep.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-row-menu.h"

#include "ui/ns-words.h"

#include <glib/gi18n.h>
#include <string.h>

/* Rows are counted only up to this number, since counting delays the menu. */
#define MAX_COUNTED 100000
#define MAX_LETTERS 40

/* The value of the clicked cell, as shown in the menu. */
typedef struct
{
  char *text; /* column title and value; NULL: the cell is empty */
  guint n_with;
  guint n_without;
  gboolean is_counted;
} Value;

/* Counts the shown rows with and without the value. */
static void
count_rows (NsSession *session, const char *condition, Value *value)
{
  NsTrace *trace = ns_session_get_trace (session);
  NsTableId table = ns_session_get_front (session);
  const GArray *rows = ns_row_list_get_rows (ns_session_get_rows (session, table));
  g_autoptr (NsFilter) filter = ns_filter_new (table, condition, NULL, NULL);
  guint i;

  value->is_counted = filter != NULL && rows->len <= MAX_COUNTED;
  for (i = 0; value->is_counted && i < rows->len; i++)
    if (ns_filter_matches (filter, trace, g_array_index (rows, guint32, i)))
      value->n_with++;
    else
      value->n_without++;
}

static void
describe_value (NsSession *session, const NsField *field, const NsFieldValue *raw, Value *value)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *condition = ns_filter_from_value (field, raw);

  if (!raw->is_null)
    ns_field_append_human (field, raw, text);
  if (text->len == 0)
    return;
  if (g_utf8_strlen (text->str, -1) > MAX_LETTERS)
    {
      g_string_truncate (text,
                         (gsize) (g_utf8_offset_to_pointer (text->str, MAX_LETTERS) - text->str));
      g_string_append (text, "…");
    }
  /* Translators: the title of a column, and a value in it. */
  value->text = g_strdup_printf (_ ("%s “%s”"), _ (field->title), text->str);
  count_rows (session, condition, value);
}

/* Doubles the underscores of a value, which would mark mnemonics in a label. */
static char *
escape_keys (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "_", -1);

  return g_strjoinv ("__", parts);
}

/* Appends a row count to an item label; @words: (transfer full): the label. */
static char *
add_count (char *words, guint n_rows, gboolean is_counted)
{
  g_autofree char *given = words;
  g_autofree char *count = ns_words_count (n_rows);
  g_autofree char *rows = g_strdup_printf (ngettext ("%s row", "%s rows", n_rows), count);

  return is_counted ? g_strdup_printf ("%s · %s", given, rows) : g_steal_pointer (&given);
}

/* Returns the label of an item that uses the value; %NULL for other items. */
static char *
dup_item_label (const char *action, const Value *value)
{
  g_autofree char *text = value->text != NULL ? escape_keys (value->text) : NULL;

  if (text == NULL)
    return NULL;
  /* Translators: %s is the title of a column and a value. */
  if (strcmp (action, "win.only-value") == 0)
    return add_count (g_strdup_printf (_ ("_Only %s"), text), value->n_with, value->is_counted);
  if (strcmp (action, "win.without-value") == 0)
    return add_count (g_strdup_printf (_ ("_Without %s"), text),
                      value->n_without,
                      value->is_counted);
  if (strcmp (action, "win.also-value") == 0)
    return g_strdup_printf (_ ("A_lso %s"), text);
  return NULL;
}

static GMenu *
copy_section (GMenuModel *section, const Value *value)
{
  GMenu *copy = g_menu_new ();
  int i;

  for (i = 0; i < g_menu_model_get_n_items (section); i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new_from_model (section, i);
      g_autofree char *action = NULL;
      g_autofree char *label = NULL;

      if (g_menu_item_get_attribute (item, G_MENU_ATTRIBUTE_ACTION, "s", &action))
        label = dup_item_label (action, value);
      if (label != NULL)
        g_menu_item_set_label (item, label);
      g_menu_append_item (copy, item);
    }
  return copy;
}

/**
 * ns_row_menu_new:
 * @session: a session
 * @field: (nullable): the clicked column of the table in front
 * @value: the value of the clicked cell
 * @has_value: (out): whether there is a value to filter by or to copy
 *
 * Returns: (transfer full): the menu model
 */
GMenuModel *
ns_row_menu_new (NsSession *session,
                 const NsField *field,
                 const NsFieldValue *value,
                 gboolean *has_value)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/org/netstitch/Netstitch/ns-row-menu.ui");
  GMenuModel *items = G_MENU_MODEL (gtk_builder_get_object (builder, "row_menu"));
  GMenu *menu = g_menu_new ();
  Value said = { 0 };
  int i;

  if (field != NULL)
    describe_value (session, field, value, &said);
  *has_value = said.text != NULL;
  for (i = 0; i < g_menu_model_get_n_items (items); i++)
    {
      g_autoptr (GMenuItem) item = g_menu_item_new_from_model (items, i);
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (items, i, G_MENU_LINK_SECTION);
      g_autoptr (GMenu) copy = section != NULL ? copy_section (section, &said) : NULL;

      if (copy != NULL)
        g_menu_item_set_section (item, G_MENU_MODEL (copy));
      g_menu_append_item (menu, item);
    }
  g_free (said.text);
  return G_MENU_MODEL (menu);
}
