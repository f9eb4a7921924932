/* What a trace was read from when it was last open, of which files were added or taken out then.
 *
 * A folder that is opened is what stands in it, so nothing is added or left out by itself: what was
 * read last time is offered.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-view.h"
#include "ui/ns-window-private.h"

#include <glib/gi18n.h>
#include <string.h>

#define FILES "files" /* as: URIs */
/* No view of a trace is called so. */
#define KEY_PREFIX "case-"
/* Files that are remembered of a trace. */
#define MAX_FILES 1024

static gint
compare_uris (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
list_uris (const GPtrArray *files)
{
  GPtrArray *uris = g_ptr_array_new_with_free_func (g_free);
  guint i;

  for (i = 0; i < files->len; i++)
    g_ptr_array_add (uris, g_file_get_uri (g_ptr_array_index (files, i)));
  g_ptr_array_sort (uris, compare_uris);
  return uris;
}

/* The same files are known in any order. */
static char *
make_key (const GPtrArray *files)
{
  g_autoptr (GPtrArray) uris = list_uris (files);
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  guint i;

  for (i = 0; i < uris->len; i++)
    {
      const char *uri = g_ptr_array_index (uris, i);

      g_checksum_update (sum, (const guchar *) uri, (gssize) strlen (uri) + 1);
    }
  return g_strconcat (KEY_PREFIX, g_checksum_get_string (sum), NULL);
}

static gboolean
has_file (const GPtrArray *files, GFile *file)
{
  return g_ptr_array_find_with_equal_func ((GPtrArray *) files,
                                           file,
                                           (GEqualFunc) g_file_equal,
                                           NULL);
}

/* How many of @files are neither among @others nor in a folder among these. */
static guint
count_others (const GPtrArray *files, const GPtrArray *others)
{
  guint n = 0;
  guint i;
  guint k;

  for (i = 0; i < files->len; i++)
    {
      GFile *file = g_ptr_array_index (files, i);
      gboolean is_there = has_file (others, file);

      for (k = 0; k < others->len && !is_there; k++)
        is_there = g_file_has_prefix (file, g_ptr_array_index (others, k));
      n += is_there ? 0 : 1;
    }
  return n;
}

/**
 * ns_window_remember_files: (skip)
 * @self: a window
 * @named: (element-type GFile): what was opened
 * @files: (element-type GFile): what is read instead from now on
 *
 * Keeps that for when the same is opened again.
 */
void
ns_window_remember_files (NsWindow *self, const GPtrArray *named, const GPtrArray *files)
{
  g_autofree char *key = make_key (named);
  g_autoptr (GPtrArray) uris = list_uris (files);
  g_autoptr (GVariant) view = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *same = make_key (files);
  GVariantDict dict;

  if (strcmp (same, key) == 0 || uris->len > MAX_FILES)
    {
      ns_view_file_forget (key);
      return;
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict,
                               FILES,
                               g_variant_new_strv ((const char *const *) uris->pdata,
                                                   (gssize) uris->len));
  view = g_variant_ref_sink (g_variant_dict_end (&dict));
  if (!ns_view_file_write (key, view, &error))
    g_info ("the files of a trace were not kept: %s", error->message);
}

static GPtrArray *
read_remembered (const GPtrArray *named)
{
  g_autofree char *key = make_key (named);
  g_autoptr (GVariant) view = ns_view_file_read (key);
  g_autofree const char **uris = NULL;
  GPtrArray *files;
  guint i;

  if (view == NULL || !g_variant_lookup (view, FILES, "^a&s", &uris))
    return NULL;
  files = g_ptr_array_new_with_free_func (g_object_unref);
  for (i = 0; uris[i] != NULL && i < MAX_FILES; i++)
    g_ptr_array_add (files, g_file_new_for_uri (uris[i]));
  return files;
}

/* How what was read last time differs; NULL: not at all. */
static char *
describe (guint n_added, guint n_gone)
{
  g_autofree char *added = NULL;
  g_autofree char *gone = NULL;

  added = g_strdup_printf (ngettext ("%u file was added", "%u files were added", n_added), n_added);
  gone = g_strdup_printf (ngettext ("%u file was taken out", "%u files were taken out", n_gone),
                          n_gone);
  if (n_added > 0 && n_gone > 0)
    /* Translators: such as “1 file was added” and “2 files were taken out”. */
    return g_strdup_printf (_ ("When this was open last, %s and %s."), added, gone);
  if (n_added + n_gone > 0)
    /* Translators: such as “1 file was added”. */
    return g_strdup_printf (_ ("When this was open last, %s."), n_added > 0 ? added : gone);
  return NULL;
}

/**
 * ns_window_offer_files: (skip)
 * @self: a window that has just read what was opened in it
 *
 * Offers to read what was read last time, where files were added then or taken out.
 */
void
ns_window_offer_files (NsWindow *self)
{
  g_autoptr (GPtrArray) named = ns_window_list_files (self);
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (GPtrArray) read = NULL;
  g_autofree char *text = NULL;

  if (self->named != NULL || self->session == NULL)
    return;
  files = read_remembered (named);
  if (files == NULL || files->len == 0)
    return;
  read = ns_window_list_read (self);
  text = describe (count_others (files, named), count_others (read, files));
  if (text == NULL)
    return;
  self->removed_from = g_steal_pointer (&files);
  ns_notice_bars_set_offer (self->bars, text);
}

/**
 * ns_window_keep_named: (skip)
 * @self: a window
 *
 * Returns: (transfer full) (element-type GFile): what was opened, whatever it is read from now
 */
GPtrArray *
ns_window_keep_named (NsWindow *self)
{
  return self->named != NULL ? g_ptr_array_ref (self->named) : ns_window_list_files (self);
}
