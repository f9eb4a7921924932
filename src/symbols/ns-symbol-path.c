/* Parses symbol paths in the syntax of Windows debuggers.
 *
 * The grammar is that of _NT_SYMBOL_PATH (Microsoft Learn, "Advanced SymSrv use").
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-symbol-path.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
place_free (gpointer data)
{
  NsSymbolPlace *place = data;

  g_free (place->text);
  g_free (place);
}

static void
entry_free (gpointer data)
{
  NsSymbolEntry *entry = data;

  g_ptr_array_unref (entry->places);
  g_free (entry);
}

static NsSymbolPlace *
place_new (NsSymbolPlaceKind kind, const char *text)
{
  NsSymbolPlace *place = g_new0 (NsSymbolPlace, 1);

  place->kind = kind;
  place->text = g_strdup (text);
  place->is_cache = kind == NS_SYMBOL_PLACE_CACHE;
  return place;
}

static NsSymbolEntry *
entry_new (void)
{
  NsSymbolEntry *entry = g_new0 (NsSymbolEntry, 1);

  entry->places = g_ptr_array_new_with_free_func (place_free);
  return entry;
}

static gboolean
has_prefix (const char *text, const char *prefix)
{
  return g_ascii_strncasecmp (text, prefix, strlen (prefix)) == 0;
}

static gboolean
is_address (const char *text)
{
  return has_prefix (text, "http://") || has_prefix (text, "https://");
}

static gboolean
is_windows_path (const char *text)
{
  return (g_ascii_isalpha (text[0]) && text[1] == ':') || has_prefix (text, "\\\\");
}

G_GNUC_PRINTF (2, 3)
static void
note (NsSymbolPath *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_ptr_array_add (self->notes, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

static void
set_cache (const GPtrArray *places, guint i)
{
  NsSymbolPlace *place = i < places->len ? g_ptr_array_index (places, i) : NULL;

  if (place != NULL && place->kind == NS_SYMBOL_PLACE_FOLDER)
    place->is_cache = TRUE;
}

/* Adds the place that @text names to @places, or a note that it is not reachable here. */
static void
add_place (NsSymbolPath *self, GPtrArray *places, const char *text)
{
  if (*text == '\0')
    g_ptr_array_add (places, place_new (NS_SYMBOL_PLACE_CACHE, NULL));
  else if (is_address (text))
    g_ptr_array_add (places, place_new (NS_SYMBOL_PLACE_SERVER, text));
  else if (has_prefix (text, "file:///"))
    g_ptr_array_add (places, place_new (NS_SYMBOL_PLACE_FOLDER, text + strlen ("file://")));
  else if (is_windows_path (text))
    note (self, _ ("%s: a Windows path, not reachable here"), text);
  else
    g_ptr_array_add (places, place_new (NS_SYMBOL_PLACE_FOLDER, text));
}

static void
add_caches (const GPtrArray *caches, NsSymbolEntry *entry)
{
  for (guint i = 0; i < caches->len; i++)
    {
      const NsSymbolPlace *cache = g_ptr_array_index (caches, i);

      g_ptr_array_add (entry->places, place_new (cache->kind, cache->text));
      set_cache (entry->places, entry->places->len - 1);
    }
}

static void
add_chain (NsSymbolPath *self, const GPtrArray *caches, const char *chain)
{
  g_auto (GStrv) parts = g_strsplit (chain, "*", -1);
  NsSymbolEntry *entry = entry_new ();
  guint n_parts = g_strv_length (parts);
  guint n_before;

  add_caches (caches, entry);
  n_before = entry->places->len;
  /* The default cache precedes a server given alone. */
  if (n_parts == 1 && is_address (g_strstrip (parts[0])) && n_before == 0)
    g_ptr_array_add (entry->places, place_new (NS_SYMBOL_PLACE_CACHE, NULL));
  if (n_parts == 0)
    add_place (self, entry->places, "");
  for (guint i = 0; i < n_parts; i++)
    {
      add_place (self, entry->places, g_strstrip (parts[i]));
      /* Files come from the last place and are kept in the first. */
      if (i == 0 && n_parts > 1)
        set_cache (entry->places, n_before);
    }
  if (entry->places->len > n_before)
    g_ptr_array_add (self->entries, entry);
  else
    entry_free (entry);
}

/* Parses `symsrv*LIBRARY*…`; only the library symsrv.dll exists. */
static void
add_symsrv (NsSymbolPath *self, const GPtrArray *caches, const char *rest)
{
  const char *star = strchr (rest, '*');

  if (star == NULL || !has_prefix (rest, "symsrv.dll*"))
    note (self, _ ("symsrv*%s: only symsrv.dll is supported"), rest);
  else
    add_chain (self, caches, star + 1);
}

static void
add_entry (NsSymbolPath *self, GPtrArray *caches, const char *text)
{
  NsSymbolEntry *entry;
  guint n_caches = caches->len;

  if (has_prefix (text, "cache*"))
    {
      add_place (self, caches, text + strlen ("cache*"));
      if (caches->len == n_caches)
        return;
      set_cache (caches, n_caches);
      /* `cache*` alone is searched too, even if no server follows. */
      entry = entry_new ();
      add_caches (caches, entry);
      g_ptr_array_add (self->entries, entry);
    }
  else if (has_prefix (text, "srv*"))
    add_chain (self, caches, text + strlen ("srv*"));
  else if (has_prefix (text, "symsrv*"))
    add_symsrv (self, caches, text + strlen ("symsrv*"));
  else if (strchr (text, '*') != NULL)
    note (self, _ ("%s: unknown keyword"), text);
  else if (is_address (text))
    add_chain (self, caches, text);
  else
    {
      entry = entry_new ();
      entry->is_flat = TRUE;
      add_place (self, entry->places, text);
      if (entry->places->len > 0)
        g_ptr_array_add (self->entries, entry);
      else
        entry_free (entry);
    }
}

/**
 * ns_symbol_path_parse:
 * @text: a symbol path, such as `cache*;srv*https://example.org/symbols;/home/me/symbols`
 *
 * Entries that cannot be used are skipped with a note; parsing never fails.
 *
 * Returns: (transfer full): the parsed path
 */
NsSymbolPath *
ns_symbol_path_parse (const char *text)
{
  NsSymbolPath *self = g_new0 (NsSymbolPath, 1);
  g_autoptr (GPtrArray) caches = g_ptr_array_new_with_free_func (place_free);
  g_auto (GStrv) entries = g_strsplit (text, ";", -1);

  self->entries = g_ptr_array_new_with_free_func (entry_free);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; entries[i] != NULL; i++)
    if (*g_strstrip (entries[i]) != '\0')
      add_entry (self, caches, entries[i]);
  return self;
}

/**
 * ns_symbol_path_free:
 * @self: (transfer full) (nullable): a path
 */
void
ns_symbol_path_free (NsSymbolPath *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->entries);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

static gboolean
has_place (const NsSymbolPath *self, const NsSymbolPlace *wanted)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      const NsSymbolEntry *entry = g_ptr_array_index (self->entries, i);
      const NsSymbolPlace *place = g_ptr_array_index (entry->places, 0);

      if (place->kind == wanted->kind && g_strcmp0 (place->text, wanted->text) == 0)
        return TRUE;
    }
  return FALSE;
}

/**
 * ns_symbol_path_keep_caches:
 * @self: a path
 *
 * Reduces the path to its caches, each once, without servers, stores and plain folders.
 */
void
ns_symbol_path_keep_caches (NsSymbolPath *self)
{
  g_autoptr (GPtrArray) all = g_steal_pointer (&self->entries);

  self->entries = g_ptr_array_new_with_free_func (entry_free);
  for (guint i = 0; i < all->len; i++)
    {
      const NsSymbolEntry *entry = g_ptr_array_index (all, i);

      for (guint k = 0; k < entry->places->len; k++)
        {
          const NsSymbolPlace *place = g_ptr_array_index (entry->places, k);
          NsSymbolEntry *kept;

          if (!place->is_cache || has_place (self, place))
            continue;
          kept = entry_new ();
          g_ptr_array_add (kept->places, place_new (place->kind, place->text));
          set_cache (kept->places, 0);
          g_ptr_array_add (self->entries, kept);
        }
    }
}

/**
 * ns_symbol_path_to_text:
 * @self: a path
 *
 * Returns: (transfer full): the parsed path as text, for preferences and tests
 */
char *
ns_symbol_path_to_text (const NsSymbolPath *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const NsSymbolEntry *entry = g_ptr_array_index (self->entries, i);

      g_string_append (text, i > 0 ? ";" : "");
      g_string_append (text, entry->is_flat ? "" : "srv");
      for (guint k = 0; k < entry->places->len; k++)
        {
          const NsSymbolPlace *place = g_ptr_array_index (entry->places, k);

          g_string_append_printf (text,
                                  "%s%s",
                                  entry->is_flat ? "" : "*",
                                  place->text != NULL ? place->text : "");
        }
    }
  return g_string_free (text, FALSE);
}
