/* View presets: small text files with view settings that can be applied to any trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-preset.h"
#include "query/ns-filter.h"
#include "query/ns-order.h"

#include <string.h>

#define GROUP "Netstitch view"
#define FORMAT_VERSION 1
#define MAX_WIDTH 2000

/**
 * ns_preset_new:
 *
 * Returns: (transfer full): an empty preset
 */
NsPreset *
ns_preset_new (void)
{
  NsPreset *self = g_new0 (NsPreset, 1);
  guint i;

  for (i = 0; i < NS_N_TABLES; i++)
    {
      self->tables[i].columns = g_array_new (FALSE, FALSE, sizeof (NsPresetColumn));
      self->tables[i].groups = g_ptr_array_new ();
    }
  return self;
}

/**
 * ns_preset_free:
 * @self: (transfer full) (nullable): a preset
 */
void
ns_preset_free (NsPreset *self)
{
  guint i;

  if (self == NULL)
    return;
  for (i = 0; i < NS_N_TABLES; i++)
    {
      g_array_unref (self->tables[i].columns);
      g_ptr_array_unref (self->tables[i].groups);
      g_free (self->tables[i].filter);
      g_free (self->tables[i].sort);
    }
  g_free (self->front);
  g_free (self->lanes);
  g_free (self->clock);
  g_free (self);
}

static void
name_unknown (GPtrArray *unknown, const char *group, const char *what)
{
  g_ptr_array_add (unknown, g_strdup_printf ("%s: %s", group, what));
}

/* Parses columns and widths, for example `url:240;server`. */
static void
parse_columns (NsPresetTable *table, NsTableId id, char **words, GPtrArray *unknown)
{
  guint i;

  for (i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (g_strstrip (words[i]), ":", 2);
      NsPresetColumn column = { 0 };

      if (parts[0] == NULL || *parts[0] == '\0')
        continue;
      column.field = ns_table_find_field (id, parts[0]);
      if (parts[1] != NULL)
        column.width = (int) CLAMP (g_ascii_strtoll (parts[1], NULL, 10), 0, MAX_WIDTH);
      if (column.field != NULL)
        g_array_append_val (table->columns, column);
      else
        name_unknown (unknown, ns_table_get_name (id), parts[0]);
    }
}

static void
parse_groups (NsPresetTable *table, NsTableId id, char **words, GPtrArray *unknown)
{
  guint i;

  for (i = 0; words[i] != NULL; i++)
    {
      const NsField *field = ns_table_find_field (id, g_strstrip (words[i]));

      if (field != NULL)
        g_ptr_array_add (table->groups, (gpointer) field);
      else
        name_unknown (unknown, ns_table_get_name (id), words[i]);
    }
}

static void
parse_filter (NsPresetTable *table, NsTableId id, char *text, GPtrArray *unknown)
{
  g_autoptr (GError) error = NULL;
  NsFilter *filter = *text != '\0' ? ns_filter_new (id, text, NULL, &error) : NULL;

  if (error != NULL)
    {
      name_unknown (unknown, ns_table_get_name (id), error->message);
      g_free (text);
      return;
    }
  g_clear_pointer (&filter, ns_filter_free);
  table->filter = text;
}

static void
parse_sort (NsPresetTable *table, NsTableId id, char *text, GPtrArray *unknown)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) order = ns_order_parse (id, text, &error);

  if (order == NULL)
    {
      name_unknown (unknown, ns_table_get_name (id), error != NULL ? error->message : text);
      g_free (text);
      return;
    }
  table->sort = text;
}

static void
parse_table (NsPreset *self, GKeyFile *file, const char *group, GPtrArray *unknown)
{
  g_auto (GStrv) columns = g_key_file_get_string_list (file, group, "columns", NULL, NULL);
  g_auto (GStrv) groups = g_key_file_get_string_list (file, group, "groups", NULL, NULL);
  char *filter = g_key_file_get_string (file, group, "filter", NULL);
  char *sort = g_key_file_get_string (file, group, "sort", NULL);
  NsTableId id;

  if (!ns_table_from_name (group, &id))
    {
      g_ptr_array_add (unknown, g_strdup (group));
      g_free (filter);
      g_free (sort);
      return;
    }
  self->tables[id].is_there = TRUE;
  if (columns != NULL)
    parse_columns (&self->tables[id], id, columns, unknown);
  if (groups != NULL)
    parse_groups (&self->tables[id], id, groups, unknown);
  if (filter != NULL)
    parse_filter (&self->tables[id], id, filter, unknown);
  if (sort != NULL)
    parse_sort (&self->tables[id], id, sort, unknown);
}

/**
 * ns_preset_parse:
 * @text: content of the file
 * @unknown: (element-type utf8): receives unknown names; the rest is used
 * @error: %NS_TRACE_ERROR_QUERY if it is not a preset
 *
 * Returns: (transfer full) (nullable): the preset
 */
NsPreset *
ns_preset_parse (const char *text, GPtrArray *unknown, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (NsPreset) self = ns_preset_new ();
  g_auto (GStrv) groups = NULL;
  guint i;

  if (!g_key_file_load_from_data (file, text, (gsize) strlen (text), G_KEY_FILE_NONE, NULL) ||
      g_key_file_get_integer (file, GROUP, "version", NULL) != FORMAT_VERSION)
    {
      g_set_error_literal (error,
                           NS_TRACE_ERROR,
                           NS_TRACE_ERROR_QUERY,
                           "this is no view of this program");
      return NULL;
    }
  self->front = g_key_file_get_string (file, GROUP, "table", NULL);
  self->lanes = g_key_file_get_string (file, GROUP, "lanes", NULL);
  self->clock = g_key_file_get_string (file, GROUP, "clock", NULL);
  groups = g_key_file_get_groups (file, NULL);
  for (i = 0; groups[i] != NULL; i++)
    if (g_strcmp0 (groups[i], GROUP) != 0)
      parse_table (self, file, groups[i], unknown);
  return g_steal_pointer (&self);
}

static void
write_table (GKeyFile *file, const NsPresetTable *table, const char *name)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  guint i;

  for (i = 0; i < table->columns->len; i++)
    {
      const NsPresetColumn *column = &g_array_index (table->columns, NsPresetColumn, i);

      g_ptr_array_add (words,
                       column->width > 0
                           ? g_strdup_printf ("%s:%d", column->field->id, column->width)
                           : g_strdup (column->field->id));
    }
  if (words->len > 0)
    g_key_file_set_string_list (file,
                                name,
                                "columns",
                                (const char *const *) words->pdata,
                                words->len);
  g_ptr_array_set_size (words, 0);
  for (i = 0; i < table->groups->len; i++)
    g_ptr_array_add (words,
                     g_strdup (((const NsField *) g_ptr_array_index (table->groups, i))->id));
  if (words->len > 0)
    g_key_file_set_string_list (file,
                                name,
                                "groups",
                                (const char *const *) words->pdata,
                                words->len);
  g_key_file_set_string (file, name, "filter", table->filter != NULL ? table->filter : "");
  g_key_file_set_string (file, name, "sort", table->sort != NULL ? table->sort : "");
}

/**
 * ns_preset_to_text:
 * @self: a preset
 *
 * Returns: (transfer full): the content of its file
 */
char *
ns_preset_to_text (const NsPreset *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  guint i;

  g_key_file_set_integer (file, GROUP, "version", FORMAT_VERSION);
  if (self->front != NULL)
    g_key_file_set_string (file, GROUP, "table", self->front);
  if (self->lanes != NULL)
    g_key_file_set_string (file, GROUP, "lanes", self->lanes);
  if (self->clock != NULL)
    g_key_file_set_string (file, GROUP, "clock", self->clock);
  for (i = 0; i < NS_N_TABLES; i++)
    if (self->tables[i].is_there)
      write_table (file, &self->tables[i], ns_table_get_name ((NsTableId) i));
  return g_key_file_to_data (file, NULL, NULL);
}
