/* The verb `pdb`: what a PDB says of addresses, of its functions, and of itself.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json.h"
#include "cli/ns-cli-rows.h"
#include "symbols/ns-pdb.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_LEVELS (NS_PDB_MAX_INLINE_DEPTH + 1)
#define MAX_RVA_FILE_BYTES (1u << 30)

static const char *const address_columns[] = { "rva",    "symbol",  "offset", "file", "line",
                                               "public", "inlines", "folded", NULL };
static const char *const function_columns[] = { "rva", "size", "symbol", "public", NULL };
static const char *const identity_columns[] = { "guid",     "age",       "machine", "stripped",
                                                "modules",  "functions", "publics", "info_age",
                                                "fastlink", "damaged",   NULL };

static void
append_level (const NsPdbFrame *frame, GString *json, GString *text)
{
  g_string_append (json, json->len > 1 ? ",{\"symbol\":" : "{\"symbol\":");
  ns_json_append_string (json, frame->symbol);
  g_string_append (json, ",\"file\":");
  if (frame->file != NULL)
    ns_json_append_string (json, frame->file);
  else
    g_string_append (json, "null");
  if (frame->line != 0)
    g_string_append_printf (json, ",\"line\":%u}", frame->line);
  else
    g_string_append (json, ",\"line\":null}");

  g_string_append_printf (text, "%s%s", text->len > 0 ? " < " : "", frame->symbol);
  if (frame->file != NULL)
    g_string_append_printf (text, " (%s:%u)", frame->file, frame->line);
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
  g_autoptr (GString) json = g_string_new ("[");
  g_autoptr (GString) text = g_string_new (NULL);
  char address[16];

  g_snprintf (address, sizeof address, "0x%x", rva);
  ns_cli_rows_add_text (rows, address);
  if (n_frames == 0)
    {
      for (guint i = 0; i < 5; i++)
        ns_cli_rows_add_null (rows);
      ns_cli_rows_add_json (rows, "[]", "");
      ns_cli_rows_add_null (rows);
      return ns_cli_rows_end_row (rows, error);
    }

  for (guint i = 0; i + 1 < n_frames; i++)
    append_level (&frames[i], json, text);
  g_string_append_c (json, ']');
  ns_cli_rows_add_text (rows, frames[n_frames - 1].symbol);
  ns_cli_rows_add_number (rows, frames[n_frames - 1].offset);
  add_line (rows, &frames[n_frames - 1]);
  ns_cli_rows_add_boolean (rows, frames[n_frames - 1].kind == NS_PDB_FRAME_PUBLIC);
  ns_cli_rows_add_json (rows, json->str, text->str);
  ns_cli_rows_add_boolean (rows, frames[n_frames - 1].is_folded);
  return ns_cli_rows_end_row (rows, error);
}

/* Addresses are hexadecimal, with 0x or without. */
static gboolean
parse_rva (const char *text, guint32 *rva, GError **error)
{
  const char *digits = g_ascii_strncasecmp (text, "0x", 2) == 0 ? text + 2 : text;
  guint64 value;

  if (!g_ascii_string_to_unsigned (digits, 16, 0, G_MAXUINT32, &value, NULL))
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
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) problem = NULL;
  gsize n_text;

  if (!g_file_get_contents (path, &text, &n_text, &problem))
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_OPEN,
                   _ ("cannot read the addresses: %s"),
                   problem->message);
      return FALSE;
    }
  if (n_text > MAX_RVA_FILE_BYTES)
    {
      g_set_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_LIMIT, _ ("%s is too large"), path);
      return FALSE;
    }
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (!add_rva_line (rvas, lines[i], error))
      return FALSE;
  return TRUE;
}

/* An address that was asked for, and the levels of code that are there. */
typedef struct
{
  guint32 rva;
  guint place; /* in the order asked */
  guint first; /* of its levels */
  guint n_frames;
} Asked;

static int
compare_rvas (gconstpointer a, gconstpointer b)
{
  const Asked *left = a;
  const Asked *right = b;

  return (left->rva > right->rva) - (left->rva < right->rva);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Asked *left = a;
  const Asked *right = b;

  return (left->place > right->place) - (left->place < right->place);
}

/* In the order of the addresses, so that each module is read once however many there are. */
static void
look_up_all (NsPdb *pdb, GArray *asked, GArray *levels)
{
  NsPdbFrame frames[MAX_LEVELS];

  g_array_sort (asked, compare_rvas);
  for (guint i = 0; i < asked->len; i++)
    {
      Asked *one = &g_array_index (asked, Asked, i);

      one->first = levels->len;
      one->n_frames = ns_pdb_lookup (pdb, one->rva, frames, MAX_LEVELS);
      g_array_append_vals (levels, frames, one->n_frames);
    }
  g_array_sort (asked, compare_places);
}

static gboolean
print_addresses (NsCli *cli, NsExportFormat format, NsPdb *pdb, GError **error)
{
  g_autoptr (NsCliRows) rows = ns_cli_rows_new (format, address_columns, ns_cli_write, cli);
  g_autoptr (GArray) asked = g_array_new (FALSE, FALSE, sizeof (Asked));
  g_autoptr (GArray) levels = g_array_new (FALSE, FALSE, sizeof (NsPdbFrame));
  g_autoptr (GArray) rvas = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (cli->options.rvas != NULL && !read_rvas (cli->options.rvas, rvas, error))
    return FALSE;
  if (cli->options.rva != NULL)
    {
      guint32 rva;

      if (!parse_rva (cli->options.rva, &rva, error))
        return FALSE;
      g_array_append_val (rvas, rva);
    }
  for (guint i = 0; i < rvas->len; i++)
    {
      Asked one = { .rva = g_array_index (rvas, guint32, i), .place = i };

      g_array_append_val (asked, one);
    }
  look_up_all (pdb, asked, levels);
  for (guint i = 0; i < asked->len; i++)
    {
      const Asked *one = &g_array_index (asked, Asked, i);
      const NsPdbFrame *frames =
          (const NsPdbFrame *) (gconstpointer) levels->data + (one->n_frames > 0 ? one->first : 0);

      if (!print_address (rows, one->rva, frames, one->n_frames, error))
        return FALSE;
    }
  return ns_cli_rows_finish (rows, FALSE, error);
}

typedef struct
{
  guint32 rva;
  guint32 size;
  gsize name; /* in the names */
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
  char address[16];

  g_snprintf (address, sizeof address, "0x%x", function->rva);
  ns_cli_rows_add_text (rows, address);
  ns_cli_rows_add_number (rows, function->size);
  ns_cli_rows_add_text (rows, text);
  ns_cli_rows_add_boolean (rows, function->is_public);
  return ns_cli_rows_end_row (rows, error);
}

static gboolean
print_functions (NsCli *cli, NsExportFormat format, NsPdb *pdb, GError **error)
{
  g_autoptr (NsCliRows) rows = ns_cli_rows_new (format, function_columns, ns_cli_write, cli);
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
  g_autoptr (NsCliRows) rows = ns_cli_rows_new (format, identity_columns, ns_cli_write, cli);
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

static void
tell_damage (const NsCli *cli, NsPdb *pdb)
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
  ns_cli_tell (line);
}

/**
 * ns_cli_pdb:
 * @cli: what was asked
 * @error: return location
 *
 * Returns: %FALSE if it could not be done
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
                   _ ("pdb wants one of --rvas FILE, --rva N, --functions and --identity"));
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
  if (is_done)
    tell_damage (cli, pdb);
  return is_done;
}
