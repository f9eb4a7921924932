/* The files that are read as one trace: what was named, what was taken out, and what is said of the
 * logs among them.
 *
 * Another list of files is read anew. Who asks for one is given it, has it read, and says so by
 * ns_case_files_set().
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-case-files.h"

#include "base/ns-hash.h"
#include "model/ns-case-memory.h"

/* So long a file that was taken out is offered back. */
#define REMOVED_S 10

/* What was read before a file was taken out. */
typedef struct
{
  char *path;       /* of the file */
  GPtrArray *files; /* (element-type GFile) */
  char *offsets;    /* of logs, as they were read then */
  char *columns;    /* likewise */
} Removed;

struct _NsCaseFiles
{
  GObject parent_instance;

  GPtrArray *files;   /* (element-type GFile): the first one names the trace */
  Removed *removing;  /* by the next list of files; (nullable) */
  Removed *removed;   /* (nullable) */
  GPtrArray *naming;  /* (element-type GFile): what the next list of files stands for; (nullable) */
  GPtrArray *named;   /* (element-type GFile): what was opened, where it is read from other files
                         since; (nullable) */
  GPtrArray *offered; /* (element-type GFile): what was read of it last time; (nullable) */
  guint removed_id;   /* until it is offered no more */
  GHashTable *asked;  /* (element-type filename): logs asked about */
  char *next_offsets; /* for who is loaded next; NULL: nothing is said of logs */
  char *next_columns; /* likewise */
};

enum
{
  PROP_0,
  PROP_REMOVED,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (NsCaseFiles, ns_case_files, G_TYPE_OBJECT)

static void
removed_free (Removed *removed)
{
  g_free (removed->path);
  g_ptr_array_unref (removed->files);
  g_free (removed->offsets);
  g_free (removed->columns);
  g_free (removed);
}

static void
forget_removed (NsCaseFiles *self)
{
  g_clear_handle_id (&self->removed_id, g_source_remove);
  g_clear_pointer (&self->removed, removed_free);
}

static gboolean
forget_cb (gpointer data)
{
  NsCaseFiles *self = data;

  self->removed_id = 0;
  forget_removed (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_REMOVED]);
  return G_SOURCE_REMOVE;
}

static gboolean
find_file (const GPtrArray *files, GFile *file, guint *number)
{
  return g_ptr_array_find_with_equal_func ((GPtrArray *) files,
                                           file,
                                           (GEqualFunc) g_file_equal,
                                           number);
}

static gboolean
find_path (const GPtrArray *files, const char *path, guint *number)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return find_file (files, file, number);
}

/* Takes @file. */
static void
add_once (GPtrArray *files, GFile *file)
{
  if (find_file (files, file, NULL))
    g_object_unref (file);
  else
    g_ptr_array_add (files, file);
}

/* The files that are read, and behind them the logs, which is the order of their list. What is read
 * of a folder is named file by file. */
static GPtrArray *
list_read (const NsTrace *trace, guint *n_inputs)
{
  const GPtrArray *archives = ns_etl_file_get_log_archives (trace->file);
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);
  guint i;

  for (i = 0; i < ns_etl_file_get_n_inputs (trace->file); i++)
    add_once (files,
              g_file_new_for_path (ns_etl_file_get_path (ns_etl_file_get_input (trace->file, i))));
  *n_inputs = files->len;
  for (i = 0; i < trace->logs->len; i++)
    {
      const NsSideLog *log = g_ptr_array_index (trace->logs, i);

      if (!log->is_inside)
        g_ptr_array_add (files, g_file_new_for_path (log->path));
    }
  /* Of some archives nothing but logs is read. */
  for (i = 0; archives != NULL && i < archives->len; i++)
    add_once (files, g_file_new_for_path (g_ptr_array_index (archives, i)));
  return files;
}

/**
 * ns_case_files_get_first:
 * @self: files
 *
 * Returns: (transfer none) (nullable): the file that names the trace
 */
GFile *
ns_case_files_get_first (NsCaseFiles *self)
{
  g_return_val_if_fail (NS_IS_CASE_FILES (self), NULL);

  return self->files->len > 0 ? g_ptr_array_index (self->files, 0) : NULL;
}

/**
 * ns_case_files_get_n:
 * @self: files
 *
 * Returns: how many were named
 */
guint
ns_case_files_get_n (NsCaseFiles *self)
{
  g_return_val_if_fail (NS_IS_CASE_FILES (self), 0);

  return self->files->len;
}

/**
 * ns_case_files_list:
 * @self: files
 *
 * Returns: (transfer full) (element-type GFile): what was named, in that order
 */
GPtrArray *
ns_case_files_list (NsCaseFiles *self)
{
  GPtrArray *files;
  guint i;

  g_return_val_if_fail (NS_IS_CASE_FILES (self), NULL);

  files = g_ptr_array_new_with_free_func (g_object_unref);
  for (i = 0; i < self->files->len; i++)
    g_ptr_array_add (files, g_object_ref (g_ptr_array_index (self->files, i)));
  return files;
}

/**
 * ns_case_files_set:
 * @self: files
 * @files: (array length=n_files): what is read from now on
 * @n_files: how many
 *
 * What was taken out before is offered no more, unless these are what ns_case_files_remove() gave.
 * They are what was opened, unless ns_case_files_stay_named() was called before.
 */
void
ns_case_files_set (NsCaseFiles *self, GFile *const *files, guint n_files)
{
  GPtrArray *named;
  guint i;

  g_return_if_fail (NS_IS_CASE_FILES (self));

  named = g_ptr_array_new_with_free_func (g_object_unref);
  for (i = 0; i < n_files; i++)
    g_ptr_array_add (named, g_object_ref (files[i]));
  g_ptr_array_unref (self->files);
  self->files = named;
  g_clear_pointer (&self->named, g_ptr_array_unref);
  self->named = g_steal_pointer (&self->naming);
  g_clear_pointer (&self->offered, g_ptr_array_unref);
  forget_removed (self);
  self->removed = g_steal_pointer (&self->removing);
  if (self->removed != NULL)
    self->removed_id = g_timeout_add_seconds (REMOVED_S, forget_cb, self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_REMOVED]);
}

/**
 * ns_case_files_stay_named:
 * @self: files
 *
 * The next list of files is of what was opened before, read otherwise.
 */
void
ns_case_files_stay_named (NsCaseFiles *self)
{
  g_return_if_fail (NS_IS_CASE_FILES (self));

  g_clear_pointer (&self->naming, g_ptr_array_unref);
  self->naming = self->named != NULL ? g_ptr_array_ref (self->named) : ns_case_files_list (self);
}

/**
 * ns_case_files_remember:
 * @self: files
 * @files: (element-type GFile): what is read from now on of what was opened
 *
 * As ns_case_files_stay_named(), and has @files offered when the same is opened again.
 */
void
ns_case_files_remember (NsCaseFiles *self, const GPtrArray *files)
{
  g_return_if_fail (NS_IS_CASE_FILES (self));

  ns_case_files_stay_named (self);
  ns_case_memory_keep (self->naming, files);
}

/**
 * ns_case_files_offer:
 * @self: files
 * @trace: what was read of them
 * @n_added: (out): how many more were read last time
 * @n_gone: (out): how many of these were not
 *
 * What was read last time is given by ns_case_files_take_offer(). It is no more than an offer: a
 * folder in which new files have come would else show fewer than there are.
 *
 * Returns: whether what was opened was read from other files when it was open last
 */
gboolean
ns_case_files_offer (NsCaseFiles *self, const NsTrace *trace, guint *n_added, guint *n_gone)
{
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (GPtrArray) read = NULL;
  guint n_inputs;

  g_return_val_if_fail (NS_IS_CASE_FILES (self), FALSE);

  if (self->named != NULL)
    return FALSE;
  files = ns_case_memory_read (self->files);
  if (files == NULL || files->len == 0)
    return FALSE;
  read = list_read (trace, &n_inputs);
  *n_added = ns_case_memory_count_others (files, self->files);
  *n_gone = ns_case_memory_count_others (read, files);
  if (*n_added == 0 && *n_gone == 0)
    return FALSE;
  g_clear_pointer (&self->offered, g_ptr_array_unref);
  self->offered = g_steal_pointer (&files);
  return TRUE;
}

/**
 * ns_case_files_take_offer:
 * @self: files
 *
 * Returns: (transfer full) (nullable) (element-type GFile): what was read last time of what was
 *   opened, and is to be read; %NULL: nothing is offered
 */
GPtrArray *
ns_case_files_take_offer (NsCaseFiles *self)
{
  g_return_val_if_fail (NS_IS_CASE_FILES (self), NULL);

  if (self->offered == NULL)
    return NULL;
  ns_case_files_stay_named (self);
  return g_steal_pointer (&self->offered);
}

/**
 * ns_case_files_take_back:
 * @self: files
 * @file: (nullable): what is shown still
 *
 * Nothing of the files could be shown: they are this one, or none, as before.
 */
void
ns_case_files_take_back (NsCaseFiles *self, GFile *file)
{
  GPtrArray *named;

  g_return_if_fail (NS_IS_CASE_FILES (self));

  named = g_ptr_array_new_with_free_func (g_object_unref);
  if (file != NULL)
    g_ptr_array_add (named, g_object_ref (file));
  g_ptr_array_unref (self->files);
  self->files = named;
}

static gboolean
find_other (NsCaseFiles *self, const char *path, guint *number)
{
  for (*number = 1; *number < self->files->len; (*number)++)
    if (g_strcmp0 (g_file_peek_path (g_ptr_array_index (self->files, *number)), path) == 0)
      return TRUE;
  return FALSE;
}

/**
 * ns_case_files_has_other:
 * @self: files
 * @path: a path
 *
 * Returns: whether that file was named besides the first one, rather than a folder or an archive
 *   that holds it
 */
gboolean
ns_case_files_has_other (NsCaseFiles *self, const char *path)
{
  guint number;

  g_return_val_if_fail (NS_IS_CASE_FILES (self), FALSE);

  return find_other (self, path, &number);
}

/**
 * ns_case_files_drop_other:
 * @self: files
 * @path: what was named besides the first one, and is shown elsewhere
 */
void
ns_case_files_drop_other (NsCaseFiles *self, const char *path)
{
  guint number;

  g_return_if_fail (NS_IS_CASE_FILES (self));

  if (find_other (self, path, &number))
    g_ptr_array_remove_index (self->files, number);
}

/**
 * ns_case_files_keep_clocks:
 * @self: files
 * @trace: (nullable): what was read of them
 * @changed: (nullable): what is to be read otherwise
 *
 * Has the logs read as they were in @trace, but for @changed, when the files are read next.
 */
void
ns_case_files_keep_clocks (NsCaseFiles *self, const NsTrace *trace, const NsLogClock *changed)
{
  g_return_if_fail (NS_IS_CASE_FILES (self));

  g_clear_pointer (&self->next_offsets, g_free);
  g_clear_pointer (&self->next_columns, g_free);
  if (trace != NULL)
    ns_log_clocks_list (trace, changed, &self->next_offsets, &self->next_columns);
}

/**
 * ns_case_files_make_loader:
 * @self: files, at least one
 * @view: what the reader of the trace wants
 *
 * Returns: (transfer full): what reads them as one trace, once, and the logs as was said last
 */
NsTraceLoader *
ns_case_files_make_loader (NsCaseFiles *self, NsViewContext *view)
{
  g_autoptr (GPtrArray) beside = NULL;
  NsTraceLoader *loader;

  g_return_val_if_fail (NS_IS_CASE_FILES (self), NULL);
  g_return_val_if_fail (self->files->len > 0, NULL);

  beside = ns_case_files_list (self);
  g_ptr_array_remove_index (beside, 0);
  loader = ns_trace_loader_new (ns_case_files_get_first (self));
  ns_trace_loader_set_view (loader, view);
  ns_trace_loader_set_beside (loader, beside);
  ns_trace_loader_set_log_clocks (loader, self->next_offsets, self->next_columns);
  g_clear_pointer (&self->next_offsets, g_free);
  g_clear_pointer (&self->next_columns, g_free);
  return loader;
}

/**
 * ns_case_files_add:
 * @self: files
 * @trace: what was read of them
 * @files: (element-type GFile): more of them
 *
 * Returns: (transfer full) (nullable) (element-type GFile): what is to be read then; %NULL: all of
 *   them are read already, maybe as part of a folder
 */
GPtrArray *
ns_case_files_add (NsCaseFiles *self, const NsTrace *trace, GListModel *files)
{
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GPtrArray) read = NULL;
  guint n_inputs;
  guint n_before;
  guint i;

  g_return_val_if_fail (NS_IS_CASE_FILES (self), NULL);

  all = ns_case_files_list (self);
  read = list_read (trace, &n_inputs);
  n_before = all->len;
  for (i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      if (!find_file (read, file, NULL))
        add_once (all, g_object_ref (file));
    }
  return all->len > n_before ? g_steal_pointer (&all) : NULL;
}

/**
 * ns_case_files_remove:
 * @self: files
 * @trace: what was read of them
 * @path: one of them, or what was read of a folder
 *
 * When the rest is read @path is offered back for a while, with its clock as it was corrected.
 *
 * Returns: (transfer full) (nullable) (element-type GFile): what is to be read then; %NULL: @path
 * is no file of @trace, or what is left would be no trace
 */
GPtrArray *
ns_case_files_remove (NsCaseFiles *self, const NsTrace *trace, const char *path)
{
  g_autoptr (GPtrArray) files = NULL;
  guint n_inputs;
  guint number;

  g_return_val_if_fail (NS_IS_CASE_FILES (self), NULL);

  files = list_read (trace, &n_inputs);
  /* Logs alone are no trace. */
  if (!find_path (files, path, &number) || (number < n_inputs && n_inputs == 1))
    return NULL;
  g_ptr_array_remove_index (files, number);
  g_clear_pointer (&self->removing, removed_free);
  self->removing = g_new0 (Removed, 1);
  self->removing->path = g_strdup (path);
  self->removing->files = ns_case_files_list (self);
  ns_log_clocks_list (trace, NULL, &self->removing->offsets, &self->removing->columns);
  return g_steal_pointer (&files);
}

/**
 * ns_case_files_put_back:
 * @self: files
 *
 * Returns: (transfer full) (nullable) (element-type GFile): what was read before a file was taken
 *   out, and is to be read again as it was; %NULL: nothing is offered
 */
GPtrArray *
ns_case_files_put_back (NsCaseFiles *self)
{
  GPtrArray *files;

  g_return_val_if_fail (NS_IS_CASE_FILES (self), NULL);

  if (self->removed == NULL)
    return NULL;
  files = g_ptr_array_ref (self->removed->files);
  g_free (self->next_offsets);
  g_free (self->next_columns);
  self->next_offsets = g_steal_pointer (&self->removed->offsets);
  self->next_columns = g_steal_pointer (&self->removed->columns);
  forget_removed (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_REMOVED]);
  return files;
}

/**
 * ns_case_files_get_removed:
 * @self: files
 *
 * Returns: (transfer none) (nullable): the path of the file that was taken out and is offered back
 */
const char *
ns_case_files_get_removed (NsCaseFiles *self)
{
  g_return_val_if_fail (NS_IS_CASE_FILES (self), NULL);

  return self->removed != NULL ? self->removed->path : NULL;
}

/**
 * ns_case_files_move:
 * @self: files
 * @trace: what was read of them
 * @path: one of them, or what was read of a folder
 * @by: by how many places
 *
 * Returns: (transfer full) (nullable) (element-type GFile): what is to be read then; %NULL: there
 * is no such place among files, or among logs
 */
GPtrArray *
ns_case_files_move (NsCaseFiles *self, const NsTrace *trace, const char *path, int by)
{
  g_autoptr (GPtrArray) files = NULL;
  gpointer moved;
  guint n_inputs;
  guint number;
  guint other;

  g_return_val_if_fail (NS_IS_CASE_FILES (self), NULL);

  files = list_read (trace, &n_inputs);
  if (!find_path (files, path, &number))
    return NULL;
  /* Numbers wrap round: above the first there is none. */
  other = number + (guint) by;
  if (other >= files->len || (number < n_inputs) != (other < n_inputs))
    return NULL;
  moved = files->pdata[number];
  files->pdata[number] = files->pdata[other];
  files->pdata[other] = moved;
  return g_steal_pointer (&files);
}

/**
 * ns_case_files_ask_column:
 * @self: files
 * @trace: what was read of them
 *
 * A table whose times are not found has no lines: of each it is asked once which column they are
 * in.
 *
 * Returns: (transfer none) (nullable): a log of @trace to be asked about now
 */
const char *
ns_case_files_ask_column (NsCaseFiles *self, const NsTrace *trace)
{
  const char *path;

  g_return_val_if_fail (NS_IS_CASE_FILES (self), NULL);

  path = ns_log_clocks_find_unknown (trace, self->asked);
  if (path != NULL)
    g_hash_table_add (self->asked, g_strdup (path));
  return path;
}

static void
ns_case_files_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_REMOVED)
    g_value_set_string (value, ns_case_files_get_removed (NS_CASE_FILES (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ns_case_files_finalize (GObject *object)
{
  NsCaseFiles *self = NS_CASE_FILES (object);

  forget_removed (self);
  g_clear_pointer (&self->removing, removed_free);
  g_clear_pointer (&self->naming, g_ptr_array_unref);
  g_clear_pointer (&self->named, g_ptr_array_unref);
  g_clear_pointer (&self->offered, g_ptr_array_unref);
  g_ptr_array_unref (self->files);
  g_hash_table_unref (self->asked);
  g_free (self->next_offsets);
  g_free (self->next_columns);
  G_OBJECT_CLASS (ns_case_files_parent_class)->finalize (object);
}

static void
ns_case_files_class_init (NsCaseFilesClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = ns_case_files_get_property;
  object_class->finalize = ns_case_files_finalize;
  /**
   * NsCaseFiles:removed:
   *
   * The path of the file that was taken out and is offered back.
   */
  properties[PROP_REMOVED] =
      g_param_spec_string ("removed", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
ns_case_files_init (NsCaseFiles *self)
{
  self->files = g_ptr_array_new_with_free_func (g_object_unref);
  self->asked = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
}

/**
 * ns_case_files_new:
 *
 * Returns: (transfer full): no file yet
 */
NsCaseFiles *
ns_case_files_new (void)
{
  return g_object_new (NS_TYPE_CASE_FILES, NULL);
}
