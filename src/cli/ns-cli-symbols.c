/* Resolves symbols of the frames that the program prints.
 *
 * The symbol path is --symbols, or else _NT_SYMBOL_PATH. Only --symbols allows network access:
 * writing it counts as consent for this run.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-symbols.h"

#include "base/ns-plain.h"
#include "engine/trace/ns-namer.h"

#include <glib-unix.h>
#include <poll.h>
#include <unistd.h>

static char *
dup_path (const NsCli *cli)
{
  const char *path = cli->options.symbols;
  const char *other = g_getenv ("_NT_ALT_SYMBOL_PATH");

  if (path != NULL)
    return g_strdup (path);
  path = g_getenv ("_NT_SYMBOL_PATH");
  if (path != NULL && other != NULL)
    return g_strconcat (path, ";", other, NULL);
  return g_strdup (path != NULL ? path : other);
}

/* Shows the progress of downloads; called in any thread of the resolver. */
static void
report_progress (NsResolver *resolver, guint module, gpointer user_data)
{
  g_auto (NsModuleInfo) info = { 0 };
  g_autofree char *done = NULL;
  g_autofree char *name = g_utf8_make_valid (ns_resolver_get_name (resolver, module), -1);

  ns_plain_make (name);
  ns_resolver_get_info (resolver, module, &info);
  if (info.state != NS_MODULE_DOWNLOADING)
    {
      if (info.n_done > 0)
        g_printerr ("\n");
      return;
    }
  done = g_format_size (info.n_done);
  if (info.n_total > 0)
    g_printerr ("\r%3u %% · %s · %s", (guint) (info.n_done * 100 / info.n_total), done, name);
  else
    g_printerr ("\r%s · %s", done, name);
}

static gpointer
watch (gpointer data)
{
  NsCliSymbols *self = data;
  struct pollfd fds[] = { { ns_cli_get_stop_fd (), POLLIN, 0 },
                          { self->watch_pipe[0], POLLIN, 0 } };

  while (poll (fds, G_N_ELEMENTS (fds), -1) < 0)
    ;
  if (fds[0].revents != 0)
    ns_resolver_cancel (self->resolver);
  return NULL;
}

/**
 * ns_cli_symbols_new:
 * @cli: the parsed command line
 * @trace: a trace; must outlive the result
 *
 * Returns: (transfer full): symbols of the trace's images, none loaded yet
 */
NsCliSymbols *
ns_cli_symbols_new (const NsCli *cli, const NsTrace *trace)
{
  NsCliSymbols *self = g_new0 (NsCliSymbols, 1);
  g_autofree char *path = dup_path (cli);
  NsResolverOptions options = { .path = path,
                                .allow_network = cli->options.symbols != NULL,
                                .cached_only = cli->options.want_cached_only };
  const NsSymbolPath *parsed;

  self->cli = cli;
  self->trace = trace;
  self->resolver = ns_resolver_new (&options);
  if (cli->options.want_progress)
    ns_resolver_set_func (self->resolver, report_progress, self);
  self->modules = g_array_new (FALSE, TRUE, sizeof (guint32));
  g_array_set_size (self->modules, ns_trace_get_n_rows (trace, NS_TABLE_IMAGES));
  parsed = ns_resolver_get_path (self->resolver);
  self->has_path = parsed->entries->len > 0;
  for (guint i = 0; !cli->options.is_quiet && i < parsed->notes->len; i++)
    ns_cli_print_message (g_ptr_array_index (parsed->notes, i));
  if (self->has_path && g_unix_open_pipe (self->watch_pipe, FD_CLOEXEC, NULL))
    {
      /* Without the thread, a search only ends when the user stops the program twice. */
      self->watcher = g_thread_try_new ("stop", watch, self, NULL);
      if (self->watcher == NULL)
        {
          close (self->watch_pipe[0]);
          close (self->watch_pipe[1]);
        }
    }
  return self;
}

/**
 * ns_cli_symbols_free:
 * @self: (transfer full) (nullable): symbols
 *
 * Frees @self.
 */
void
ns_cli_symbols_free (NsCliSymbols *self)
{
  if (self == NULL)
    return;
  if (self->watcher != NULL)
    {
      close (self->watch_pipe[1]);
      g_thread_join (self->watcher);
      close (self->watch_pipe[0]);
    }
  ns_resolver_free (self->resolver);
  g_array_unref (self->modules);
  g_free (self);
}

guint
ns_cli_symbols_add_image (NsCliSymbols *self, NsRow row)
{
  const NsImageRow *image = ns_trace_get_row (self->trace, NS_TABLE_IMAGES, row);
  guint32 *module = &g_array_index (self->modules, guint32, row - 1);
  NsSymbolId id = {
    .guid = image->guid,
    .age = image->age,
    .has_guid = image->has_guid,
    .timestamp = image->timestamp,
    .image_size = image->size <= G_MAXUINT32 ? (guint32) image->size : 0,
  };

  if (*module == 0)
    {
      if (image->name != NS_STRING_NONE)
        id.module = ns_trace_text (self->trace, image->name);
      if (image->pdb != NS_STRING_NONE)
        id.pdb = ns_trace_text (self->trace, image->pdb);
      *module = ns_resolver_add (self->resolver, &id) + 1;
    }
  return *module - 1;
}

/**
 * ns_cli_symbols_resolve:
 * @image: row of the image that holds the address
 * @rva: the address, relative to the image
 * @is_return: it is a return address
 * @symbol: (out): the symbol
 * @user_data: (type NsCliSymbols): symbols
 *
 * Returns: %TRUE if a symbol was found
 */
gboolean
ns_cli_symbols_resolve (NsRow image,
                        guint64 rva,
                        gboolean is_return,
                        NsExportSymbol *symbol,
                        gpointer user_data)
{
  NsCliSymbols *self = user_data;
  NsPdbFrame frames[NS_RESOLVER_MAX_LEVELS];
  guint module;
  guint n_frames;

  if (!self->has_path || rva > G_MAXUINT32 || ns_cli_is_stopped ())
    return FALSE;
  module = ns_cli_symbols_add_image (self, image);
  ns_resolver_load (self->resolver, module);
  n_frames = ns_resolver_lookup (self->resolver,
                                 module,
                                 (guint32) rva,
                                 is_return,
                                 frames,
                                 G_N_ELEMENTS (frames));
  if (n_frames == 0)
    return FALSE;
  symbol->symbol = frames[n_frames - 1].symbol;
  symbol->offset = frames[n_frames - 1].offset;
  symbol->file = frames[n_frames - 1].file;
  symbol->line = frames[n_frames - 1].line;
  symbol->inlined = NULL;
  return TRUE;
}

/* Resolver of a trace's function names, created on first use: most listings show none. */
typedef struct
{
  const NsCli *cli;
  const NsTrace *trace;
  GMutex lock; /* sorting and filtering many rows uses two threads */
  NsCliSymbols *symbols;
} Names;

static void
names_free (gpointer data)
{
  Names *names = data;

  ns_cli_symbols_free (names->symbols);
  g_mutex_clear (&names->lock);
  g_free (names);
}

static gboolean
names_find (NsRow image,
            guint64 rva,
            gboolean is_return,
            GString *name,
            guint32 *offset,
            gpointer user_data)
{
  Names *names = user_data;
  g_autoptr (GMutexLocker) locker G_GNUC_UNUSED = g_mutex_locker_new (&names->lock);
  NsExportSymbol symbol = { 0 };

  if (names->symbols == NULL)
    names->symbols = ns_cli_symbols_new (names->cli, names->trace);
  if (!ns_cli_symbols_resolve (image, rva, is_return, &symbol, names->symbols) ||
      symbol.symbol == NULL)
    return FALSE;
  g_string_append (name, symbol.symbol);
  *offset = (guint32) symbol.offset;
  return TRUE;
}

/**
 * ns_cli_symbols_give:
 * @cli: the parsed command line; must outlive @trace
 * @trace: a trace that no other thread uses yet
 *
 * Makes @trace resolve function names in call trees, filters and sentences.
 */
void
ns_cli_symbols_give (const NsCli *cli, NsTrace *trace)
{
  Names *names;

  if (cli->options.symbols == NULL && g_getenv ("_NT_SYMBOL_PATH") == NULL &&
      g_getenv ("_NT_ALT_SYMBOL_PATH") == NULL)
    return;
  names = g_new0 (Names, 1);
  names->cli = cli;
  names->trace = trace;
  g_mutex_init (&names->lock);
  ns_trace_set_namer (trace, names_find, names, names_free);
}
