/* The files that are read together as one trace: which ones, the last removed one, and the time
 * settings of the logs among them.
 *
 * A changed list of files is returned to the caller, which loads it and confirms it with
 * ns_case_files_set().
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-case-files.h"

#include "base/ns-hash.h"
#include "model/ns-case-memory.h"

/* Time for which the removal of a file can be undone. */
#define REMOVED_S 10

/* State before a file was removed. */
typedef struct
{
  char *path;       /* of the removed file */
  GPtrArray *files; /* (element-type GFile) */
  char *offsets;    /* time offsets of the logs */
  char *columns;    /* time columns of the logs */
} Removed;

struct _NsCaseFiles
{
  GObject parent_instance;

  GPtrArray *files;       /* (element-type GFile): the first one names the trace */
  Removed *removing;      /* to become removed with the next list of files; (nullable) */
  Removed *removed;       /* removal that can be undone; (nullable) */
  GPtrArray *opened_next; /* (element-type GFile): files opened by the user, for the next list of
                           * files; (nullable) */
  GPtrArray *opened;      /* (element-type GFile): files opened by the user, if other ones are read
                           * instead; (nullable) */
  GPtrArray *previous;    /* (element-type GFile): files read last time; (nullable) */
  guint removed_id;       /* timeout that ends the undo */
  GHashTable *asked;      /* (element-type filename): logs whose time column was requested */
  char *next_offsets;     /* for the next loader; NULL for the defaults */
  char *next_columns;     /* likewise */
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

/* Adds @file unless it is in the list; takes ownership. */
static void
add_once (GPtrArray *files, GFile *file)
{
  if (find_file (files, file, NULL))
    g_object_unref (file);
  else
    g_ptr_array_add (files, file);
}

/* Lists the trace files that are read, then the logs; files in folders are listed individually. */
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

      if (!log->is_embedded)
        g_ptr_array_add (files, g_file_new_for_path (log->path));
    }
  /* From some archives only logs are read. */
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
 * Returns: the number of listed files
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
 * Returns: (transfer full) (element-type GFile): the listed files, in order
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
 * @files: (array length=n_files): the files that are read now
 * @n_files: number of files
 *
 * Ends the undo of a removal, unless @files came from ns_case_files_remove(). @files count as
 * opened by the user, unless ns_case_files_keep_opened() was called before.
 */
void
ns_case_files_set (NsCaseFiles *self, GFile *const *files, guint n_files)
{
  GPtrArray *list;
  guint i;

  g_return_if_fail (NS_IS_CASE_FILES (self));

  list = g_ptr_array_new_with_free_func (g_object_unref);
  for (i = 0; i < n_files; i++)
    g_ptr_array_add (list, g_object_ref (files[i]));
  g_ptr_array_unref (self->files);
  self->files = list;
  g_clear_pointer (&self->opened, g_ptr_array_unref);
  self->opened = g_steal_pointer (&self->opened_next);
  g_clear_pointer (&self->previous, g_ptr_array_unref);
  forget_removed (self);
  self->removed = g_steal_pointer (&self->removing);
  if (self->removed != NULL)
    self->removed_id = g_timeout_add_seconds (REMOVED_S, forget_cb, self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_REMOVED]);
}

/**
 * ns_case_files_keep_opened:
 * @self: files
 *
 * Declares that the next list of files replaces the files opened by the user.
 */
void
ns_case_files_keep_opened (NsCaseFiles *self)
{
  g_return_if_fail (NS_IS_CASE_FILES (self));

  g_clear_pointer (&self->opened_next, g_ptr_array_unref);
  self->opened_next =
      self->opened != NULL ? g_ptr_array_ref (self->opened) : ns_case_files_list (self);
}

/**
 * ns_case_files_remember:
 * @self: files
 * @files: (element-type GFile): files read in place of the opened ones
 *
 * Like ns_case_files_keep_opened(), and stores @files to be offered when the same files are opened
 * again.
 */
void
ns_case_files_remember (NsCaseFiles *self, const GPtrArray *files)
{
  g_return_if_fail (NS_IS_CASE_FILES (self));

  ns_case_files_keep_opened (self);
  ns_case_memory_keep (self->opened_next, files);
}

/**
 * ns_case_files_offer:
 * @self: files
 * @trace: the trace read from them
 * @n_added: (out): number of files that were added last time
 * @n_gone: (out): number of files that were removed last time
 *
 * Prepares ns_case_files_take_offer(). The files of last time are only offered, because a folder
 * may contain new files since then.
 *
 * Returns: whether other files were read when the same ones were opened last
 */
gboolean
ns_case_files_offer (NsCaseFiles *self, const NsTrace *trace, guint *n_added, guint *n_gone)
{
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (GPtrArray) read = NULL;
  guint n_inputs;

  g_return_val_if_fail (NS_IS_CASE_FILES (self), FALSE);

  if (self->opened != NULL)
    return FALSE;
  files = ns_case_memory_read (self->files);
  if (files == NULL || files->len == 0)
    return FALSE;
  read = list_read (trace, &n_inputs);
  *n_added = ns_case_memory_count_others (files, self->files);
  *n_gone = ns_case_memory_count_others (read, files);
  if (*n_added == 0 && *n_gone == 0)
    return FALSE;
  g_clear_pointer (&self->previous, g_ptr_array_unref);
  self->previous = g_steal_pointer (&files);
  return TRUE;
}

/**
 * ns_case_files_take_offer:
 * @self: files
 *
 * Returns: (transfer full) (nullable) (element-type GFile): the files read last time, to be loaded;
 *   %NULL if nothing is offered
 */
GPtrArray *
ns_case_files_take_offer (NsCaseFiles *self)
{
  g_return_val_if_fail (NS_IS_CASE_FILES (self), NULL);

  if (self->previous == NULL)
    return NULL;
  ns_case_files_keep_opened (self);
  return g_steal_pointer (&self->previous);
}

/**
 * ns_case_files_take_back:
 * @self: files
 * @file: (nullable): the file that is still shown
 *
 * Resets the list to @file after loading failed.
 */
void
ns_case_files_take_back (NsCaseFiles *self, GFile *file)
{
  GPtrArray *list;

  g_return_if_fail (NS_IS_CASE_FILES (self));

  list = g_ptr_array_new_with_free_func (g_object_unref);
  if (file != NULL)
    g_ptr_array_add (list, g_object_ref (file));
  g_ptr_array_unref (self->files);
  self->files = list;
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
 * Returns: whether the list contains that file after the first one; a folder or archive that
 *   contains it does not count
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
 * @path: a listed file other than the first one, which is shown elsewhere
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
 * @trace: (nullable): the trace read from them
 * @changed: (nullable): changed time settings of one log
 *
 * Uses the time settings of the logs in @trace, except for @changed, when the files are loaded
 * next.
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
 * @view: settings for reading the trace
 *
 * Returns: (transfer full): a loader for the files as one trace, with the last time settings of the
 *   logs
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
 * @trace: the trace read from them
 * @files: (element-type GFile): files to add
 *
 * Returns: (transfer full) (nullable) (element-type GFile): the files to load; %NULL if all of
 *   @files are read already, perhaps as part of a folder
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
 * @trace: the trace read from them
 * @path: a file of the trace
 *
 * The removal can be undone for a while after the rest is loaded, with the time settings of the
 * file.
 *
 * Returns: (transfer full) (nullable) (element-type GFile): the files to load; %NULL if @path is
 *   not a file of @trace or the rest would contain no trace
 */
GPtrArray *
ns_case_files_remove (NsCaseFiles *self, const NsTrace *trace, const char *path)
{
  g_autoptr (GPtrArray) files = NULL;
  guint n_inputs;
  guint number;

  g_return_val_if_fail (NS_IS_CASE_FILES (self), NULL);

  files = list_read (trace, &n_inputs);
  /* Logs alone are not a trace. */
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
 * Undoes the last removal.
 *
 * Returns: (transfer full) (nullable) (element-type GFile): the files to load; %NULL if there is
 *   nothing to undo
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
 * Returns: (transfer none) (nullable): the path of the file whose removal can be undone
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
 * @trace: the trace read from them
 * @path: a file of the trace
 * @by: number of positions to move it
 *
 * Returns: (transfer full) (nullable) (element-type GFile): the files to load; %NULL if the
 *   position does not exist among the trace files, or among the logs
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
  /* The sum wraps round for a position before the first. */
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
 * @trace: the trace read from them
 *
 * Returns the next log with an unknown time column, whose lines are therefore missing. Each log is
 * returned once.
 *
 * Returns: (transfer none) (nullable): the path of a log of @trace
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
  g_clear_pointer (&self->opened_next, g_ptr_array_unref);
  g_clear_pointer (&self->opened, g_ptr_array_unref);
  g_clear_pointer (&self->previous, g_ptr_array_unref);
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
   * The path of the file whose removal can be undone.
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
 * Returns: (transfer full): an empty list of files
 */
NsCaseFiles *
ns_case_files_new (void)
{
  return g_object_new (NS_TYPE_CASE_FILES, NULL);
}
