/* Completion of the command line, for shells.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-help.h"

#include "analysis/ns-difference-cells.h"
#include "export/ns-export-forms.h"

#include <string.h>

/* Options whose value is a list of fields. */
static const char *const field_list_options[] = { "columns",  "fields", "sort",
                                                  "group-by", "filter", NULL };

typedef struct
{
  const NsCliVerb *verbs;
  guint n_verbs;
  const char *word; /* the part that the user has typed */
  GString *out;
} Completion;

static void
offer (Completion *self, const char *before, const char *text, const char *behind)
{
  g_autofree char *whole = g_strconcat (before, text, behind, NULL);

  if (g_str_has_prefix (whole, self->word))
    g_string_append_printf (self->out, "%s\n", whole);
}

static void
offer_verbs (Completion *self)
{
  guint i;

  for (i = 0; i < self->n_verbs; i++)
    offer (self, "", self->verbs[i].name, "");
  offer (self, "", "--help", "");
  offer (self, "", "--version", "");
}

/* Offers fields for the last name of a comma-separated list. */
static void
offer_fields (Completion *self, const NsCliVerb *verb, const char *option)
{
  const char *comma = strrchr (self->word, ',');
  g_autofree char *before =
      comma != NULL ? g_strndup (self->word, (gsize) (comma + 1 - self->word)) : g_strdup ("");
  const char *behind = strcmp (option, "filter") == 0 ? ":" : "";
  NsTableId table;

  if (strcmp (verb->name, "diff") == 0 && strcmp (option, "filter") != 0)
    {
      g_autoptr (GPtrArray) columns = ns_difference_columns_parse ("all", NULL);
      guint i;

      for (i = 0; i < columns->len; i++)
        offer (self, before, ns_difference_column_get_id (g_ptr_array_index (columns, i)), "");
    }
  else if (ns_cli_members_get_table (verb->name, &table) || strcmp (verb->name, "diff") == 0)
    {
      const NsField *fields;
      guint n_fields;
      guint i;

      fields = ns_table_get_fields (strcmp (verb->name, "diff") == 0 ? NS_TABLE_ACTIVITIES : table,
                                    &n_fields);
      for (i = 0; i < n_fields; i++)
        offer (self, before, fields[i].id, behind);
    }
}

/* Offers each choice of a form such as `text|csv`. */
static void
offer_choices (Completion *self, const char *form)
{
  g_auto (GStrv) choices = g_strsplit (form, "|", -1);
  guint i;

  for (i = 0; choices[i] != NULL; i++)
    offer (self, "", choices[i], "");
}

static void
offer_exports (Completion *self)
{
  const NsExportForm *form = NULL;

  while ((form = ns_export_form_next (form)) != NULL)
    if (form->name != NULL)
      offer (self, "", form->name, "");
}

static void
offer_values (Completion *self, const NsCliVerb *verb, const char *option, const char *form)
{
  if (g_strv_contains (field_list_options, option))
    offer_fields (self, verb, option);
  else if (strcmp (option, "as") == 0 && strcmp (verb->name, "export") == 0)
    offer_exports (self);
  else if (strcmp (option, "as") == 0 && strcmp (verb->name, "render") == 0)
    offer_choices (self, "png|svg|pdf");
  else if (strcmp (option, "table") == 0)
    offer_verbs (self);
  else if (strchr (form, '|') != NULL)
    offer_choices (self, form);
}

/**
 * ns_cli_complete: (skip)
 * @verbs: (array length=n_verbs): all verbs
 * @n_verbs: number of @verbs
 * @argc: number of words after the program's name
 * @argv: (array length=argc): the words; the user is typing the last one
 *
 * Prints the possible completions of the last word, one per line; nothing if it is the name of a
 * file.
 *
 * Returns: exit status
 */
int
ns_cli_complete (const NsCliVerb *verbs, guint n_verbs, int argc, char *const *argv)
{
  g_autoptr (GString) out = g_string_new (NULL);
  Completion self = { verbs, n_verbs, argc > 0 ? argv[argc - 1] : "", out };
  const NsCliVerb *verb = NULL;
  const char *form = NULL;
  const char *option = NULL;
  guint i;

  for (i = 0; argc > 1 && i < n_verbs; i++)
    if (strcmp (verbs[i].name, argv[0]) == 0)
      verb = &verbs[i];
  if (argc > 2 && verb != NULL)
    option = ns_cli_options_wants_value (argv[argc - 2], verb->takes, &form);
  if (argc <= 1)
    offer_verbs (&self);
  else if (verb == NULL)
    return NS_CLI_DONE;
  else if (option != NULL)
    offer_values (&self, verb, option, form);
  else if (self.word[0] == '-')
    {
      const char *name;
      guint at = 0;

      while ((name = ns_cli_options_next (verb->takes, &at)) != NULL)
        offer (&self, "--", name, "");
    }
  g_print ("%s", out->str);
  return NS_CLI_DONE;
}
