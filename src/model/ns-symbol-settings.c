/* Converts the symbol settings to options of the resolver: search path and permitted servers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-symbol-job.h"
#include "model/ns-symbol-settings.h"

static char *
host_of (const char *address)
{
  g_autoptr (GUri) uri = g_uri_parse (address, G_URI_FLAGS_NONE, NULL);

  return g_strdup (uri != NULL && g_uri_get_host (uri) != NULL ? g_uri_get_host (uri) : address);
}

static gboolean
is_agreed (const NsSymbolSettings *settings, const char *address)
{
  g_autofree char *host = host_of (address);

  return settings->servers != NULL && g_strv_contains (settings->servers, host);
}

/* Returns the path without the servers that the user has not agreed to. */
static char *
dup_agreed_path (const NsSymbolSettings *settings, const char *text, gboolean *is_online)
{
  g_autoptr (NsSymbolPath) path = ns_symbol_path_parse (text);
  guint n_agreed = 0;
  guint i;
  guint k;

  for (i = 0; i < path->entries->len; i++)
    {
      NsSymbolEntry *entry = g_ptr_array_index (path->entries, i);

      for (k = 0; k < entry->places->len; k++)
        {
          NsSymbolPlace *place = g_ptr_array_index (entry->places, k);

          n_agreed +=
              place->kind == NS_SYMBOL_PLACE_SERVER && is_agreed (settings, place->text) ? 1 : 0;
        }
    }
  *is_online = n_agreed > 0;
  /* Without any server the resolver reports that it was not allowed to ask. */
  if (n_agreed == 0)
    return g_strdup (text);
  for (i = path->entries->len; i > 0; i--)
    {
      NsSymbolEntry *entry = g_ptr_array_index (path->entries, i - 1);

      for (k = entry->places->len; k > 0; k--)
        {
          NsSymbolPlace *place = g_ptr_array_index (entry->places, k - 1);

          if (place->kind == NS_SYMBOL_PLACE_SERVER && !is_agreed (settings, place->text))
            g_ptr_array_remove_index (entry->places, k - 1);
        }
      if (entry->places->len == 0)
        g_ptr_array_remove_index (path->entries, i - 1);
    }
  return ns_symbol_path_to_text (path);
}

/**
 * ns_symbol_job_dup_path:
 * @path: (nullable): the path from the settings
 *
 * Returns: (transfer full): @path, or the path in the environment if it is empty
 */
char *
ns_symbol_job_dup_path (const char *path)
{
  const char *main_path = g_getenv ("_NT_SYMBOL_PATH");
  const char *other = g_getenv ("_NT_ALT_SYMBOL_PATH");

  if (path != NULL && *path != '\0')
    return g_strdup (path);
  if (main_path != NULL && other != NULL)
    return g_strconcat (main_path, ";", other, NULL);
  if (main_path == NULL)
    main_path = other;
  return g_strdup (main_path != NULL ? main_path : "");
}

/**
 * ns_symbol_job_list_hosts:
 * @path: a symbol path
 *
 * Returns: (transfer full) (element-type utf8): the distinct hosts of its servers
 */
GPtrArray *
ns_symbol_job_list_hosts (const char *path)
{
  g_autoptr (NsSymbolPath) parsed = ns_symbol_path_parse (path);
  GPtrArray *hosts = g_ptr_array_new_with_free_func (g_free);
  guint i;
  guint k;

  for (i = 0; i < parsed->entries->len; i++)
    {
      NsSymbolEntry *entry = g_ptr_array_index (parsed->entries, i);

      for (k = 0; k < entry->places->len; k++)
        {
          NsSymbolPlace *place = g_ptr_array_index (entry->places, k);
          g_autofree char *host = NULL;

          if (place->kind != NS_SYMBOL_PLACE_SERVER || place->text == NULL)
            continue;
          host = host_of (place->text);
          if (!g_ptr_array_find_with_equal_func (hosts, host, g_str_equal, NULL))
            g_ptr_array_add (hosts, g_steal_pointer (&host));
        }
    }
  return hosts;
}

/**
 * ns_symbol_settings_dup_path: (skip)
 * @settings: the symbol settings
 * @options: (out): options of the resolver; its texts belong to @settings and to the returned path
 *
 * Returns: (transfer full): the path without the servers that the user has not agreed to
 */
char *
ns_symbol_settings_dup_path (const NsSymbolSettings *settings, NsResolverOptions *options)
{
  g_autofree char *path = ns_symbol_job_dup_path (settings->path);
  gboolean has_folder = settings->cache_folder != NULL && *settings->cache_folder != '\0';

  *options = (NsResolverOptions){ .cache_folder = has_folder ? settings->cache_folder : NULL,
                                  .cache_bytes = settings->cache_bytes,
                                  .cached_only = settings->cached_only };
  /* The whole path, because its caches are used even if their servers are not. */
  if (settings->cached_only)
    options->path = g_steal_pointer (&path);
  else
    options->path = dup_agreed_path (settings, path, &options->allow_network);
  return (char *) options->path;
}
