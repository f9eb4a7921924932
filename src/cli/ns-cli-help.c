/* --help: describes the verbs, their options and the fields they print.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-help.h"

#include "analysis/ns-difference-cells.h"
#include "base/ns-nearest.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define INDENT_OF_MEANING 40

static const char *const type_names[] = {
  [NS_TYPE_TEXT] = N_ ("text"),      [NS_TYPE_UINT] = N_ ("number"),
  [NS_TYPE_COUNT] = N_ ("count"),    [NS_TYPE_INT] = N_ ("number"),
  [NS_TYPE_BYTES] = N_ ("bytes"),    [NS_TYPE_HEX] = N_ ("hexadecimal"),
  [NS_TYPE_TIME] = N_ ("time"),      [NS_TYPE_DURATION] = N_ ("duration"),
  [NS_TYPE_BOOL] = N_ ("yes or no"), [NS_TYPE_IP] = N_ ("address"),
  [NS_TYPE_PORT] = N_ ("port"),      [NS_TYPE_GUID] = N_ ("GUID"),
  [NS_TYPE_ROW] = N_ ("row"),        [NS_TYPE_LIST] = N_ ("list"),
  [NS_TYPE_OBJECT] = N_ ("object"),
};

/* Wraps each line of the text separately. */
static void
append_paragraphs (GString *out, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint i;

  for (i = 0; lines[i] != NULL && (lines[i][0] != '\0' || lines[i + 1] != NULL); i++)
    ns_cli_append_broken (out, lines[i], 0);
}

static void
append_field (GString *text,
              const char *id,
              NsFieldType type,
              const char *option,
              const char *meaning)
{
  g_autofree char *words =
      option != NULL ? g_strdup_printf ("%s (%s)", meaning, option) : g_strdup (meaning);

  g_string_append_printf (text, "  %-24s  %-11s ", id, _ (type_names[type]));
  if (strlen (id) > 24)
    g_string_append_printf (text, "\n%*s", INDENT_OF_MEANING, "");
  ns_cli_append_broken (text, words, INDENT_OF_MEANING);
}

static void
append_table (GString *text, NsTableId table)
{
  const NsField *fields;
  guint n_fields;
  guint i;

  fields = ns_table_get_fields (table, &n_fields);
  for (i = 0; i < n_fields; i++)
    append_field (text,
                  fields[i].id,
                  fields[i].type,
                  NULL,
                  _ (fields[i].tooltip != NULL ? fields[i].tooltip : fields[i].title));
}

static void
append_columns_of_diff (GString *text)
{
  g_autoptr (GPtrArray) columns = ns_difference_columns_parse ("all", NULL);
  guint i;

  for (i = 0; i < columns->len; i++)
    {
      const NsDifferenceColumn *column = g_ptr_array_index (columns, i);
      const char *id = ns_difference_column_get_id (column);

      append_field (text,
                    id,
                    ns_difference_column_is_time (column) ? NS_TYPE_DURATION
                    : g_str_has_prefix (id, "row_")       ? NS_TYPE_ROW
                                                          : NS_TYPE_TEXT,
                    NULL,
                    ns_difference_column_get_title (column));
    }
}

static void
append_fields (GString *text, const NsCliVerb *verb)
{
  g_autoptr (GString) fields = g_string_new (NULL);
  const NsCliMember *member;
  NsTableId table;
  guint at = 0;

  if (ns_cli_members_get_table (verb->name, &table))
    append_table (fields, table);
  else if (strcmp (verb->name, "diff") == 0)
    append_columns_of_diff (fields);
  while ((member = ns_cli_members_next (verb->name, &at)) != NULL)
    append_field (fields, member->id, member->type, member->option, _ (member->meaning));
  if (fields->len == 0)
    return;
  append_paragraphs (
      text,
      _ ("\nFields (times and durations are nanoseconds in JSON; times count from the "
         "first record):\n"));
  g_string_append_len (text, fields->str, (gssize) fields->len);
}

/**
 * ns_cli_help_print_program: (skip)
 * @verbs: (array length=n_verbs): all verbs
 * @n_verbs: number of @verbs
 *
 * Prints the help of the program.
 *
 * Returns: exit status
 */
int
ns_cli_help_print_program (const NsCliVerb *verbs, guint n_verbs)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  g_string_append (text, _ ("Usage: netstitch-cli VERB FILE… [options]\n\n"));
  append_paragraphs (
      text,
      _ ("FILE is an event trace log (.etl), a packet capture (.pcap, .pcapng), a .zip, .cab, .7z, "
         ".gz or .wpapk that contains such files, or a folder; several of one computer are read as "
         "one trace; - is standard input.\n\nVerbs:\n"));
  for (i = 0; i < n_verbs; i++)
    {
      g_string_append_printf (text, "  %-16s ", verbs[i].name);
      ns_cli_append_broken (text, _ (verbs[i].summary), 19);
    }
  g_string_append (text, _ ("\nOptions of every verb:\n"));
  ns_cli_options_append_help (text, 0);
  append_paragraphs (text,
                     _ ("\n“netstitch-cli VERB --help” lists the other options of a verb and the "
                        "fields it prints.\n"));
  g_print ("%s", text->str);
  return NS_CLI_DONE;
}

/**
 * ns_cli_help_print_verb: (skip)
 * @verb: a verb
 *
 * Prints the help of a verb.
 *
 * Returns: exit status
 */
int
ns_cli_help_print_verb (const NsCliVerb *verb)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text,
                          _ ("Usage: netstitch-cli %s %s [options]\n\n"),
                          verb->name,
                          _ (verb->operands));
  ns_cli_append_broken (text, _ (verb->summary), 0);
  g_string_append_printf (text, "\n%s", _ ("Options:\n"));
  ns_cli_options_append_help (text, verb->takes);
  append_fields (text, verb);
  g_print ("%s", text->str);
  return NS_CLI_DONE;
}

/**
 * ns_cli_help_refuse_verb: (skip)
 * @verbs: (array length=n_verbs): all verbs
 * @n_verbs: number of @verbs
 * @word: a word that is no verb
 *
 * Prints an error with the most similar verb on standard error.
 *
 * Returns: exit status
 */
int
ns_cli_help_refuse_verb (const NsCliVerb *verbs, guint n_verbs, const char *word)
{
  g_autofree char *line = NULL;
  NsNearest search;
  guint i;

  ns_nearest_init (&search, word);
  for (i = 0; i < n_verbs; i++)
    ns_nearest_offer (&search, verbs[i].name);
  line = search.best != NULL
             ? g_strdup_printf (_ ("there is no verb “%s”; did you mean “%s”?"), word, search.best)
             : g_strdup_printf (_ ("there is no verb “%s”; see netstitch-cli --help"), word);
  ns_cli_print_message (line);
  return NS_CLI_WRONG_USAGE;
}
