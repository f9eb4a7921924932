/* The verb `pdb`: resolves addresses, lists functions, or prints the identity of a PDB.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json.h"
#include "base/ns-text.h"
#include "cli/ns-cli-rows.h"
#include "symbols/ns-pdb.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#define MAX_RVA_FILE_BYTES (1 << 30)

static const char *const address_columns[] = { "rva",    "symbol",  "offset", "file", "line",
                                               "public", "inlines", "folded", NULL };
static const char *const function_columns[] = { "rva", "size", "symbol", "public", NULL };
static const char *const identity_columns[] = { "guid",     "age",       "machine", "stripped",
                                                "modules",  "functions", "publics", "info_age",
                                                "fastlink", "damaged",   NULL };

static inline void
append (GString *text, const char *bytes)
{
  ns_text_append (text, bytes, strlen (bytes));
}

static void
append_number (GString *text, guint32 number)
{
  char digits[16];
  char *at = digits + sizeof digits - 1;

  *at = '\0';
  do
    {
      *--at = (char) ('0' + number % 10);
      number /= 10;
    }
  while (number > 0);
  append (text, at);
}

static void
append_json_level (const NsPdbFrame *frame, GString *json)
{
  append (json, json->len > 1 ? ",{\"symbol\":" : "{\"symbol\":");
  ns_json_append_string (json, frame->symbol);
  append (json, ",\"file\":");
  ns_json_append_string (json, frame->file);
  append (json, ",\"line\":");
  if (frame->line != 0)
    append_number (json, frame->line);
  else
    append (json, "null");
  g_string_append_c (json, '}');
}

static void
append_text_level (const NsPdbFrame *frame, GString *text)
{
  if (text->len > 0)
    append (text, " < ");
  append (text, frame->symbol);
  if (frame->file == NULL)
    return;
  append (text, " (");
  append (text, frame->file);
  g_string_append_c (text, ':');
  append_number (text, frame->line);
  g_string_append_c (text, ')');
}

/* Adds an address as hexadecimal with 0x. Avoids printf(), because this runs once per row. */
static void
add_rva (NsCliRows *rows, guint32 rva)
{
  char text[16];
  char *at = text + sizeof text - 1;

  *at = '\0';
  do
    *--at = "0123456789abcdef"[rva & 15];
  while ((rva >>= 4) > 0);
  *--at = 'x';
  *--at = '0';
  ns_cli_rows_add_text (rows, at);
}

static void
add_inlines (NsCliRows *rows, const NsPdbFrame *frames, guint n_frames)
{
  GString *levels;

  if (n_frames == 0)
    {
      ns_cli_rows_add_json (rows, "[]", "");
      return;
    }
  levels = ns_cli_rows_get_scratch (rows);
  if (ns_cli_rows_is_json (rows))
    g_string_append_c (levels, '[');
  for (guint i = 0; i < n_frames; i++)
    if (ns_cli_rows_is_json (rows))
      append_json_level (&frames[i], levels);
    else
      append_text_level (&frames[i], levels);
  if (ns_cli_rows_is_json (rows))
    g_string_append_c (levels, ']');
  ns_cli_rows_add_json (rows, levels->str, levels->str);
}

static void
add_line (NsCliRows *rows, const NsPdbFrame *frame)
{
  ns_cli_rows_add_text (rows, frame->file);
  if (frame->line != 0)
    ns_cli_rows_add_number (rows, frame->line);
  else
    ns_cli_rows_add_null (rows);
}

static gboolean
print_address (NsCliRows *rows,
               guint32 rva,
               const NsPdbFrame *frames,
               guint n_frames,
               GError **error)
{
  add_rva (rows, rva);
  if (n_frames == 0)
    {
      for (guint i = 0; i < 5; i++)
        ns_cli_rows_add_null (rows);
      ns_cli_rows_add_json (rows, "[]", "");
      ns_cli_rows_add_null (rows);
      return ns_cli_rows_end_row (rows, error);
    }

  ns_cli_rows_add_text (rows, frames[n_frames - 1].symbol);
  ns_cli_rows_add_number (rows, frames[n_frames - 1].offset);
  add_line (rows, &frames[n_frames - 1]);
  ns_cli_rows_add_boolean (rows, frames[n_frames - 1].kind == NS_PDB_FRAME_PUBLIC);
  add_inlines (rows, frames, n_frames - 1);
  ns_cli_rows_add_boolean (rows, frames[n_frames - 1].is_folded);
  return ns_cli_rows_end_row (rows, error);
}

/* Parses a hexadecimal address, with or without 0x. */
static gboolean
parse_rva (const char *text, guint32 *rva, GError **error)
{
  const char *digits = text[0] == '0' && (text[1] | 0x20) == 'x' ? text + 2 : text;
  const char *at = digits;
  guint64 value = 0;

  for (; g_ascii_isxdigit (*at) && value <= G_MAXUINT32; at++)
    value = value << 4 | (guint64) g_ascii_xdigit_value (*at);
  if (at == digits || *at != '\0' || value > G_MAXUINT32)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("“%s” is not a hexadecimal address of 32 bits"),
                   text);
      return FALSE;
    }
  *rva = (guint32) value;
  return TRUE;
}

static gboolean
add_rva_line (GArray *rvas, char *line, GError **error)
{
  guint32 rva;

  g_strstrip (line);
  if (*line == '\0' || *line == '#')
    return TRUE;
  if (!parse_rva (line, &rva, error))
    return FALSE;
  g_array_append_val (rvas, rva);
  return TRUE;
}

static gboolean
read_rvas (const char *path, GArray *rvas, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) problem = NULL;
  GStatBuf about;
  gsize n_text;
  char *end;

  /* The size is checked before reading: a sparse file can have any size. The path may also be a
   * pipe. */
  if (g_stat (path, &about) == 0 && about.st_size > MAX_RVA_FILE_BYTES)
    {
      g_set_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_LIMIT, _ ("%s is too large"), path);
      return FALSE;
    }
  if (!g_file_get_contents (path, &text, &n_text, &problem))
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_OPEN,
                   _ ("cannot read the addresses: %s"),
                   problem->message);
      return FALSE;
    }
  for (char *line = text; line != NULL; line = end)
    {
      end = strchr (line, '\n');
      if (end != NULL)
        *end++ = '\0';
      if (!add_rva_line (rvas, line, error))
        return FALSE;
    }
  return TRUE;
}

/* Frames of one requested address, in Answers.levels. */
typedef struct
{
  guint first;
  guint n_frames;
} Found;

typedef struct
{
  Found *found;   /* in the order of the requests */
  GArray *levels; /* (element-type NsPdbFrame) */
} Answers;

static void
keep_cb (guint i, const NsPdbFrame *frames, guint n_frames, gpointer user_data)
{
  Answers *answers = user_data;

  answers->found[i] = (Found){ answers->levels->len, n_frames };
  g_array_append_vals (answers->levels, frames, n_frames);
}

static gboolean
read_asked (const NsCli *cli, GArray *rvas, GError **error)
{
  guint32 rva;

  if (cli->options.rvas != NULL && !read_rvas (cli->options.rvas, rvas, error))
    return FALSE;
  if (cli->options.rva == NULL)
    return TRUE;
  if (!parse_rva (cli->options.rva, &rva, error))
    return FALSE;
  g_array_append_val (rvas, rva);
  return TRUE;
}

static gboolean
print_addresses (NsCli *cli, NsExportFormat format, NsPdb *pdb, GError **error)
{
  g_autoptr (NsCliRows) rows =
      ns_cli_rows_new (cli->view, format, address_columns, ns_cli_write, cli);
  g_autoptr (GArray) levels = NULL;
  g_autoptr (GArray) rvas = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree Found *found = NULL;
  Answers answers;

  if (!read_asked (cli, rvas, error))
    return FALSE;
  found = g_new (Found, rvas->len);
  levels = g_array_sized_new (FALSE, FALSE, sizeof (NsPdbFrame), rvas->len);
  answers = (Answers){ found, levels };
  ns_pdb_lookup_many (pdb,
                      (const guint32 *) (gconstpointer) rvas->data,
                      rvas->len,
                      keep_cb,
                      &answers);
  for (guint i = 0; i < rvas->len; i++)
    {
      const NsPdbFrame *frames = (const NsPdbFrame *) (gconstpointer) levels->data +
                                 (found[i].n_frames > 0 ? found[i].first : 0);

      if (!print_address (rows, g_array_index (rvas, guint32, i), frames, found[i].n_frames, error))
        return FALSE;
    }
  return ns_cli_rows_finish (rows, FALSE, error);
}

typedef struct
{
  guint32 rva;
  guint32 size;
  gsize name; /* offset in Listing.names */
  gboolean is_public;
} Function;

typedef struct
{
  NsPdb *pdb;
  GArray *functions;
  GString *names;
} Listing;

static void
add_function_cb (const NsPdbFunction *function, gpointer user_data)
{
  Listing *listing = user_data;
  Function mine = { function->rva, function->size, listing->names->len, function->is_public };

  g_string_append_len (listing->names, function->symbol, (gssize) function->n_symbol);
  g_string_append_c (listing->names, '\0');
  g_array_append_val (listing->functions, mine);
}

static int
compare_functions (gconstpointer a, gconstpointer b)
{
  const Function *left = a;
  const Function *right = b;

  return (left->rva > right->rva) - (left->rva < right->rva);
}

static gboolean
print_function (NsCliRows *rows, const Listing *listing, guint i, GError **error)
{
  const Function *function = &g_array_index (listing->functions, Function, i);
  const char *name = listing->names->str + function->name;
  g_autofree char *text =
      ns_pdb_name_to_text (listing->pdb, name, strlen (name), function->is_public);

  add_rva (rows, function->rva);
  ns_cli_rows_add_number (rows, function->size);
  ns_cli_rows_add_text (rows, text);
  ns_cli_rows_add_boolean (rows, function->is_public);
  return ns_cli_rows_end_row (rows, error);
}

static gboolean
print_functions (NsCli *cli, NsExportFormat format, NsPdb *pdb, GError **error)
{
  g_autoptr (NsCliRows) rows =
      ns_cli_rows_new (cli->view, format, function_columns, ns_cli_write, cli);
  g_autoptr (GArray) functions = g_array_new (FALSE, FALSE, sizeof (Function));
  g_autoptr (GString) names = g_string_new (NULL);
  Listing listing = { pdb, functions, names };

  ns_pdb_foreach_function (pdb, add_function_cb, &listing);
  g_array_sort (functions, compare_functions);
  for (guint i = 0; i < functions->len; i++)
    if (!print_function (rows, &listing, i, error))
      return FALSE;
  return ns_cli_rows_finish (rows, FALSE, error);
}

static void
count_function_cb (const NsPdbFunction *function, gpointer user_data)
{
  guint64 *n_functions = user_data;

  *n_functions += !function->is_public;
}

static gboolean
print_identity (NsCli *cli, NsExportFormat format, NsPdb *pdb, GError **error)
{
  g_autoptr (NsCliRows) rows =
      ns_cli_rows_new (cli->view, format, identity_columns, ns_cli_write, cli);
  const NsPdbIdentity *identity = ns_pdb_get_identity (pdb);
  char guid[NS_GUID_TEXT_SIZE];
  char machine[16];
  guint64 n_functions = 0;

  ns_pdb_foreach_function (pdb, count_function_cb, &n_functions);
  g_snprintf (machine, sizeof machine, "0x%x", identity->machine);
  ns_cli_rows_add_text (rows, ns_guid_to_text (&identity->guid, guid));
  ns_cli_rows_add_number (rows, identity->age);
  if (ns_pdb_machine_to_text (identity->machine) != NULL)
    ns_cli_rows_add_text (rows, ns_pdb_machine_to_text (identity->machine));
  else
    ns_cli_rows_add_text (rows, identity->machine != 0 ? machine : NULL);
  ns_cli_rows_add_boolean (rows, identity->is_stripped);
  ns_cli_rows_add_number (rows, identity->n_modules);
  ns_cli_rows_add_number (rows, n_functions);
  ns_cli_rows_add_number (rows, ns_pdb_get_n_publics (pdb));
  ns_cli_rows_add_number (rows, identity->info_age);
  ns_cli_rows_add_boolean (rows, identity->is_fastlink);
  ns_cli_rows_add_number (rows, ns_pdb_get_n_damaged (pdb));
  return ns_cli_rows_end_row (rows, error) && ns_cli_rows_finish (rows, TRUE, error);
}

/* Fails if memory ran out while the PDB was read: an incomplete answer would depend on the
 * machine. */
static gboolean
check_memory (const NsCli *cli, const NsPdb *pdb, GError **error)
{
  if (!ns_pdb_is_short_of_memory (pdb))
    return TRUE;
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_LIMIT,
               _ ("there is not enough memory to read %s"),
               cli->options.files[0]);
  return FALSE;
}

static void
report_damage (const NsCli *cli, NsPdb *pdb)
{
  g_autofree char *line = NULL;
  guint n_damaged = ns_pdb_get_n_damaged (pdb);

  if (n_damaged == 0 || cli->options.is_quiet)
    return;
  line = g_strdup_printf (ngettext ("%s is damaged: %u part of it could not be read",
                                    "%s is damaged: %u parts of it could not be read",
                                    n_damaged),
                          cli->options.files[0],
                          n_damaged);
  ns_cli_print_message (line);
}

/**
 * ns_cli_pdb:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `pdb`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_pdb (NsCli *cli, GError **error)
{
  const NsCliOptions *options = &cli->options;
  g_autoptr (NsPdb) pdb = NULL;
  NsExportFormat format;
  gboolean want_addresses = options->rvas != NULL || options->rva != NULL;
  gboolean is_done;

  if (want_addresses + options->want_functions + options->want_identity != 1)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("pdb needs one of --rvas FILE, --rva N, --functions and --identity"));
      return FALSE;
    }
  if (!ns_cli_rows_get_format (cli, &format, error))
    return FALSE;
  pdb = ns_pdb_open (options->files[0], error);
  if (pdb == NULL)
    return FALSE;

  if (want_addresses)
    is_done = print_addresses (cli, format, pdb, error);
  else if (options->want_functions)
    is_done = print_functions (cli, format, pdb, error);
  else
    is_done = print_identity (cli, format, pdb, error);
  if (!is_done || !check_memory (cli, pdb, error))
    return FALSE;
  report_damage (cli, pdb);
  return TRUE;
}
