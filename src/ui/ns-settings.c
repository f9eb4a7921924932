/* The program's settings, and what else its windows share; without an installed schema, defaults
 * are used. The display owns them, as it owns those of GTK.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-geo-file.h"
#include "model/ns-symbol-job.h"
#include "ui/ns-settings.h"

#include <gtk/gtk.h>

#define DEFAULT_PAYLOAD_BYTES (64 * 1024)
#define SHARED "ns-shared"

typedef struct
{
  GSettings *settings; /* NULL: without a schema */
  NsViewContext *view;
  NsHandedFiles *files;
} Shared;

static GSettings *
make_settings (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;

  if (source != NULL)
    schema = g_settings_schema_source_lookup (source, NS_APP_ID, TRUE);
  return schema != NULL ? g_settings_new_full (schema, NULL, NULL) : NULL;
}

static void
shared_free (gpointer data)
{
  Shared *self = data;

  g_clear_object (&self->settings);
  ns_view_context_unref (self->view);
  ns_handed_files_free (self->files);
  g_free (self);
}

static const Shared *
get_shared (void)
{
  GObject *display = G_OBJECT (gdk_display_get_default ());
  Shared *self = g_object_get_data (display, SHARED);

  if (self != NULL)
    return self;
  self = g_new0 (Shared, 1);
  self->settings = make_settings ();
  self->view = ns_view_context_new ();
  self->files = ns_handed_files_new ();
  g_object_set_data_full (display, SHARED, self, shared_free);
  return self;
}

/**
 * ns_settings_choose_backend:
 *
 * Makes GSettings use its keyfile backend if there is no D-Bus session bus: dconf writes through
 * the bus, and logs a warning for every change without one. Keeps `GSETTINGS_BACKEND` if it is set.
 * Must be called before a second thread starts, since it changes the environment.
 */
void
ns_settings_choose_backend (void)
{
  const char *address = g_getenv ("DBUS_SESSION_BUS_ADDRESS");
  g_autofree char *socket = g_build_filename (g_get_user_runtime_dir (), "bus", NULL);
  g_autofree char *launcher = NULL;

  /* GIO looks for a bus in these ways, in the order of the D-Bus specification. */
  if ((address != NULL && *address != '\0') || g_file_test (socket, G_FILE_TEST_EXISTS))
    return;
  launcher = g_find_program_in_path ("dbus-launch");
  if (launcher == NULL)
    g_setenv ("GSETTINGS_BACKEND", "keyfile", FALSE);
}

/**
 * ns_settings_get:
 *
 * Returns: (transfer none) (nullable): the settings; %NULL if the schema is not installed, for
 *   example when the program is run from the build folder
 */
GSettings *
ns_settings_get (void)
{
  return get_shared ()->settings;
}

/**
 * ns_settings_get_view:
 *
 * Returns: (transfer none): the view context that all windows share
 */
NsViewContext *
ns_settings_get_view (void)
{
  return get_shared ()->view;
}

/**
 * ns_settings_get_handed_files:
 *
 * Returns: (transfer none): the files that all windows handed to other programs
 */
NsHandedFiles *
ns_settings_get_handed_files (void)
{
  return get_shared ()->files;
}

/**
 * ns_settings_apply_symbols:
 *
 * Applies the symbol settings to the view context.
 */
void
ns_settings_apply_symbols (void)
{
  GSettings *settings = ns_settings_get ();
  g_autofree char *path = NULL;
  g_autofree char *folder = NULL;
  g_auto (GStrv) servers = NULL;
  NsSymbolSettings wanted = { 0 };

  if (settings != NULL)
    {
      path = g_settings_get_string (settings, "symbol-path");
      folder = g_settings_get_string (settings, "symbol-cache-folder");
      servers = g_settings_get_strv (settings, "symbol-servers");
      wanted.cached_only = g_settings_get_boolean (settings, "symbol-cached-only");
      wanted.cache_bytes = (guint64) g_settings_get_uint (settings, "symbol-cache-gib") << 30;
    }
  wanted.path = path;
  wanted.cache_folder = folder;
  wanted.servers = (const char *const *) servers;
  ns_view_context_set_symbols (ns_settings_get_view (), &wanted);
}

/**
 * ns_settings_apply_stacks:
 *
 * Applies the call stack settings to the view context.
 */
void
ns_settings_apply_stacks (void)
{
  GSettings *settings = ns_settings_get ();
  g_autofree char *single = NULL;
  guint view = NS_CHAIN_VIEW_DEFAULT;

  if (settings == NULL)
    return;
  single = g_settings_get_string (settings, "single-stack");
  if (g_strcmp0 (single, "both") == 0)
    view |= NS_CHAIN_VIEW_SINGLE_TWICE;
  if (g_settings_get_boolean (settings, "tracing-frames"))
    view |= NS_CHAIN_VIEW_TRACING;
  ns_view_context_set_chain_view (ns_settings_get_view (), (NsChainView) view);
}

/**
 * ns_settings_apply_places:
 * @error: return location
 *
 * Opens the GeoIP database of the settings, if one is set.
 *
 * Returns: %FALSE if it cannot be used
 */
gboolean
ns_settings_apply_places (GError **error)
{
  GSettings *settings = ns_settings_get ();
  g_autofree char *path = NULL;

  if (settings != NULL)
    path = g_settings_get_string (settings, "places-database");
  return ns_places_use (ns_settings_get_view (), path, error);
}

/**
 * ns_settings_add_symbol_folder:
 * @folder: a folder
 *
 * Adds a folder at the front of the symbol path.
 */
void
ns_settings_add_symbol_folder (const char *folder)
{
  GSettings *settings = ns_settings_get ();
  g_autofree char *path = NULL;
  g_autofree char *old = NULL;
  g_autofree char *now = NULL;

  if (settings != NULL)
    path = g_settings_get_string (settings, "symbol-path");
  old = ns_symbol_job_dup_path (path);
  now = *old != '\0' ? g_strconcat (folder, ";", old, NULL) : g_strdup (folder);
  if (settings != NULL)
    {
      g_settings_set_string (settings, "symbol-path", now);
      ns_settings_apply_symbols ();
    }
  else
    {
      NsSymbolSettings wanted = { .path = now };

      ns_view_context_set_symbols (ns_settings_get_view (), &wanted);
    }
}

/**
 * ns_settings_get_payload_bytes:
 *
 * Returns: the maximum number of payload bytes read per row; 0: payloads are never read
 */
gsize
ns_settings_get_payload_bytes (void)
{
  GSettings *settings = ns_settings_get ();

  if (settings == NULL)
    return DEFAULT_PAYLOAD_BYTES;
  if (g_settings_get_boolean (settings, "payload-never"))
    return 0;
  return (gsize) g_settings_get_uint (settings, "payload-kib") * 1024;
}
