/* The verb `symbols`: lists which modules have symbols, and where they were found or why not.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-rows.h"
#include "cli/ns-cli-symbols.h"
#include "engine/activities/ns-chain-images.h"

static const char *const symbol_columns[] = { "name",  "guid",   "age",  "pdb",
                                              "state", "reason", "file", NULL };

/* Adds the images that stacks show, those with most frames first. */
static void
add_shown (NsCliSymbols *self)
{
  g_autoptr (GArray) images = ns_chain_list_images (self->trace);

  for (guint i = 0; i < images->len; i++)
    ns_cli_symbols_add_image (self, g_array_index (images, NsChainImage, i).image);
}

/* Returns one image per module of the resolver, the first that has it; (transfer full). */
static GArray *
list_images (NsCliSymbols *self)
{
  guint n_modules = ns_resolver_get_n_modules (self->resolver);
  GArray *rows = g_array_new (FALSE, TRUE, sizeof (NsRow));

  g_array_set_size (rows, n_modules);
  for (guint i = 0; i < self->modules->len; i++)
    {
      guint32 module = g_array_index (self->modules, guint32, i);

      if (module != 0 && g_array_index (rows, NsRow, module - 1) == 0)
        g_array_index (rows, NsRow, module - 1) = i + 1;
    }
  return rows;
}

static gboolean
print_module (NsCliSymbols *self, NsCliRows *rows, NsRow row, GError **error)
{
  const NsImageRow *image = ns_trace_get_row (self->trace, NS_TABLE_IMAGES, row);
  g_auto (NsModuleInfo) info = { 0 };
  char guid[NS_GUID_TEXT_SIZE];

  ns_resolver_get_info (self->resolver, g_array_index (self->modules, guint32, row - 1) - 1, &info);
  ns_cli_rows_add_text (rows,
                        image->name != NS_STRING_NONE ? ns_trace_text (self->trace, image->name)
                                                      : NULL);
  ns_cli_rows_add_text (rows, image->has_guid ? ns_guid_to_text (&image->guid, guid) : NULL);
  if (image->has_guid)
    ns_cli_rows_add_number (rows, image->age);
  else
    ns_cli_rows_add_null (rows);
  ns_cli_rows_add_text (rows,
                        image->pdb != NS_STRING_NONE ? ns_trace_text (self->trace, image->pdb)
                                                     : NULL);
  ns_cli_rows_add_text (rows, ns_module_state_to_text (info.state));
  ns_cli_rows_add_text (rows, info.reason);
  ns_cli_rows_add_text (rows, info.file);
  return ns_cli_rows_end_row (rows, error);
}

static gboolean
print_modules (NsCliSymbols *self, NsCli *cli, NsExportFormat format, GError **error)
{
  g_autoptr (NsCliRows) rows =
      ns_cli_rows_new (cli->view, format, symbol_columns, ns_cli_write, cli);
  g_autoptr (GArray) images = NULL;

  add_shown (self);
  /* Requests all modules first, so that several are fetched at once: servers are slow. */
  for (guint i = 0; i < ns_resolver_get_n_modules (self->resolver); i++)
    ns_resolver_request (self->resolver, i);
  for (guint i = 0; i < ns_resolver_get_n_modules (self->resolver); i++)
    ns_resolver_load (self->resolver, i);
  images = list_images (self);
  for (guint i = 0; i < images->len; i++)
    if (!print_module (self, rows, g_array_index (images, NsRow, i), error))
      return FALSE;
  return ns_cli_rows_finish (rows, FALSE, error);
}

/**
 * ns_cli_verb_symbols:
 * @cli: the parsed command line
 * @error: return location
 *
 * Runs the verb `symbols`.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_verb_symbols (NsCli *cli, GError **error)
{
  NsExportFormat format;
  NsTrace *trace;
  NsCliSymbols *symbols;
  gboolean is_done;

  if (!ns_cli_rows_get_format (cli, &format, error))
    return FALSE;
  trace = ns_cli_open_trace (cli, FALSE, error);
  if (trace == NULL)
    return FALSE;
  symbols = ns_cli_symbols_new (cli, trace);
  is_done = print_modules (symbols, cli, format, error);
  ns_cli_symbols_free (symbols);
  ns_trace_unref (trace);
  return is_done;
}
