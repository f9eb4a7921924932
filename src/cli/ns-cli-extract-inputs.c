/* Enumerates the traces that `extract` reads.
 *
 * Names come from the command line and from a list. A folder is read when it is reached, so memory
 * holds the names of the folders on the path to the current one only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-extract.h"

#include "base/ns-strings.h"
#include "engine/app/wfp/ns-wfp.h"
#include "engine/open/ns-log.h"
#include "etl/ns-etl-archive.h"
#include "side/ns-side.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

/* Maximum depth of folders. */
#define MAX_DEPTH 32
/* Maximum length of a name in a list, in bytes. */
#define MAX_NAME_BYTES (64 * 1024)

/* An open folder. */
typedef struct
{
  char *path;
  GPtrArray *names; /* (element-type utf8): sorted */
  guint next;
} Folder;

struct _NsCliInputs
{
  const NsCliOptions *options;
  GPtrArray *logs; /* (element-type filename): operands that are read with each trace */
  guint next;      /* index of the next operand */
  FILE *list;      /* NULL: no list, or its end was reached */
  GArray *folders;
};

static void
folder_clear (gpointer data)
{
  Folder *self = data;

  g_free (self->path);
  g_ptr_array_unref (self->names);
}

/**
 * ns_cli_input_clear:
 * @self: an input
 *
 * Frees the contents of @self.
 */
void
ns_cli_input_clear (NsCliInput *self)
{
  g_clear_pointer (&self->path, g_free);
  g_clear_pointer (&self->raw_name, g_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->id, g_free);
}

static gboolean
is_plain_log (const NsCliOptions *options, const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) &&
         ns_side_find_kind (path, options->time_columns) != NS_SIDE_NONE;
}

static gboolean
is_names_file (const char *path)
{
  g_autoptr (GPtrArray) one = g_ptr_array_new ();

  g_ptr_array_add (one, (gpointer) path);
  return ns_wfp_take_names_file (one) != NULL;
}

/* Returns the operands that accompany each trace. If only archives and logs are named, an archive
 * counts as a trace, which fails then. */
static GPtrArray *
list_logs (const NsCliOptions *options)
{
  g_autoptr (GPtrArray) plain = g_ptr_array_new ();
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  guint i;

  for (i = 0; i < options->n_files; i++)
    {
      char *path = options->files[i];

      if (is_plain_log (options, path))
        {
          g_ptr_array_add (plain, path);
          g_ptr_array_add (all, path);
        }
      else if (is_names_file (path) || ns_log_is_archive (path, options->time_columns))
        g_ptr_array_add (all, path);
    }
  if (all->len < options->n_files || options->from_file != NULL)
    return g_steal_pointer (&all);
  return g_steal_pointer (&plain);
}

/**
 * ns_cli_inputs_get_logs: (skip)
 * @self: the inputs
 *
 * Returns: (transfer none) (element-type filename): the operands that are no traces but logs and
 *   the like, to be read with each trace
 */
const GPtrArray *
ns_cli_inputs_get_logs (const NsCliInputs *self)
{
  return self->logs;
}

/**
 * ns_cli_inputs_new:
 * @options: the options; must outlive the result
 * @error: %NS_TRACE_ERROR_OPEN
 *
 * Returns: (transfer full) (nullable): the inputs; %NULL with @error set if the list cannot be
 *   opened
 */
NsCliInputs *
ns_cli_inputs_new (const NsCliOptions *options, GError **error)
{
  g_autoptr (NsCliInputs) self = g_new0 (NsCliInputs, 1);

  self->options = options;
  self->folders = g_array_new (FALSE, FALSE, sizeof (Folder));
  g_array_set_clear_func (self->folders, folder_clear);
  self->logs = list_logs (options);
  if (options->from_file == NULL)
    return g_steal_pointer (&self);
  self->list = strcmp (options->from_file, "-") == 0 ? stdin : fopen (options->from_file, "re");
  if (self->list == NULL)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_OPEN,
                   _ ("cannot open “%s”: %s"),
                   options->from_file,
                   g_strerror (errno));
      return NULL;
    }
  return g_steal_pointer (&self);
}

static void
close_list (NsCliInputs *self)
{
  if (self->list != NULL && self->list != stdin)
    fclose (self->list);
  self->list = NULL;
}

/**
 * ns_cli_inputs_free:
 * @self: (transfer full) (nullable): the inputs
 *
 * Frees @self.
 */
void
ns_cli_inputs_free (NsCliInputs *self)
{
  if (self == NULL)
    return;
  close_list (self);
  g_clear_pointer (&self->logs, g_ptr_array_unref);
  if (self->folders != NULL)
    g_array_unref (self->folders);
  g_free (self);
}

/* Returns the next name of the list; (transfer full); NULL: end or error. */
static char *
read_name (NsCliInputs *self, GError **error)
{
  int end = self->options->has_zeros ? '\0' : '\n';
  g_autoptr (GString) name = g_string_new (NULL);
  int c;

  while (self->list != NULL)
    {
      c = getc (self->list);
      if (c != EOF && c != end)
        {
          if (name->len >= MAX_NAME_BYTES)
            {
              g_set_error (error,
                           NS_TRACE_ERROR,
                           NS_TRACE_ERROR_LIMIT,
                           _ ("a name in “%s” is longer than %d bytes; are its names ended by zero "
                              "bytes (-0)?"),
                           self->options->from_file,
                           MAX_NAME_BYTES);
              return NULL;
            }
          g_string_append_c (name, (char) c);
          continue;
        }
      if (c == EOF && ferror (self->list))
        {
          g_set_error (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_OPEN,
                       _ ("cannot read “%s”: %s"),
                       self->options->from_file,
                       g_strerror (errno));
          close_list (self);
          return NULL;
        }
      if (c == EOF)
        close_list (self);
      if (name->len > 0)
        return g_string_free (g_steal_pointer (&name), FALSE);
    }
  return NULL;
}

static char *
next_operand (NsCliInputs *self, GError **error)
{
  while (self->next < self->options->n_files)
    {
      const char *operand = self->options->files[self->next++];

      if (!g_ptr_array_find (self->logs, operand, NULL))
        return g_strdup (operand);
    }
  return read_name (self, error);
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Opens a folder. Returns %FALSE if that fails; opening it as a trace then reports why. */
static gboolean
enter_folder (NsCliInputs *self, const char *path)
{
  Folder folder = { g_strdup (path), g_ptr_array_new_with_free_func (g_free), 0 };
  GDir *dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (folder.names, g_strdup (name));
  if (dir != NULL)
    {
      g_dir_close (dir);
      g_ptr_array_sort (folder.names, compare_names);
      g_array_append_val (self->folders, folder);
      return TRUE;
    }
  folder_clear (&folder);
  return FALSE;
}

/* Returns whether a file of a folder is a trace or an archive; logs, compressed or not, are
 * skipped. */
static gboolean
is_input_name (const char *name)
{
  g_autofree char *plain = NULL;

  if (ns_etl_archive_has_trace_name (name))
    return TRUE;
  if (!ns_etl_archive_has_name (name))
    return FALSE;
  plain = ns_etl_archive_dup_unpacked_name (name);
  return plain == NULL || !ns_etl_archive_has_log_name (plain);
}

/* Gets the next trace of the open folders. */
static gboolean
next_of_folders (NsCliInputs *self, NsCliInput *input)
{
  while (self->folders->len > 0)
    {
      Folder *folder = &g_array_index (self->folders, Folder, self->folders->len - 1);
      const char *root = g_array_index (self->folders, Folder, 0).path;
      const char *below;
      const char *name;
      g_autofree char *path = NULL;

      if (folder->next == folder->names->len)
        {
          g_array_set_size (self->folders, self->folders->len - 1);
          continue;
        }
      name = g_ptr_array_index (folder->names, folder->next++);
      path = g_build_filename (folder->path, name, NULL);
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          if (self->options->is_recursive && self->folders->len < MAX_DEPTH &&
              !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
            enter_folder (self, path);
          continue;
        }
      if (!is_input_name (name))
        continue;
      below = path + strlen (root);
      below += strspn (below, "/");
      input->raw_name = g_strdup (below);
      input->name = ns_utf8_from_bytes (below, strlen (below));
      input->path = g_steal_pointer (&path);
      return TRUE;
    }
  return FALSE;
}

/**
 * ns_cli_inputs_next:
 * @self: the inputs
 * @input: (out): the next input
 * @error: set if the list is invalid
 *
 * Returns: %FALSE at the end, or with @error set
 */
gboolean
ns_cli_inputs_next (NsCliInputs *self, NsCliInput *input, GError **error)
{
  *input = (NsCliInput){ NULL, NULL };
  for (;;)
    {
      char *operand;

      if (next_of_folders (self, input))
        return TRUE;
      operand = next_operand (self, error);
      if (operand == NULL)
        return FALSE;
      if (g_file_test (operand, G_FILE_TEST_IS_DIR) && enter_folder (self, operand))
        {
          g_free (operand);
          continue;
        }
      input->path = operand;
      input->raw_name = g_strdup (operand);
      input->name = ns_utf8_from_bytes (operand, strlen (operand));
      return TRUE;
    }
}
