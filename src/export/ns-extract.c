/* The tables of a trace as typed columns, for programs that read many traces at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-private.h"

#include "base/ns-time.h"
#include "export/ns-export-rows.h"
#include "export/ns-redact.h"
#include "query/ns-order.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Digits of SHA-256 that make an identity. */
#define ID_DIGITS 32
#define DAY_CHARS 10 /* 2026-01-31 */
/* Places of damage that are told of a trace. */
#define MAX_DAMAGE 100

struct _NsExtract
{
  const NsTrace *trace;
  NsExtractOptions options;
  NsExtractKeys *keys; /* NULL: stacks are not told */
  char *machine;       /* NULL: not known, or not to be told */
};

/* Rows of one table of the trace on their way. */
typedef struct
{
  NsExtract *extract;
  const NsExtractShape *shape;
  guint layer;
  const NsRedact *redact;
  NsTypedCell *cells;
  NsFieldValue *values; /* which cells point into */
  GPtrArray *texts;     /* (element-type utf8): made for the row */
} Walk;

/**
 * ns_extract_new:
 * @trace: a trace; lives longer
 * @options: how it is to be told; what it points to lives longer
 *
 * Returns: (transfer full): what tells its tables
 */
NsExtract *
ns_extract_new (const NsTrace *trace, const NsExtractOptions *options)
{
  NsExtract *self = g_new0 (NsExtract, 1);

  self->trace = trace;
  self->options = *options;
  if (options->stacks != NS_EXTRACT_STACKS_NONE)
    self->keys = ns_extract_keys_new (trace);
  if (!options->is_redacted)
    self->machine = g_strdup (ns_etl_file_get_machine (trace->file));
  return self;
}

/**
 * ns_extract_free:
 * @self: (transfer full) (nullable): what told a trace's tables
 */
void
ns_extract_free (NsExtract *self)
{
  if (self == NULL)
    return;
  ns_extract_keys_free (self->keys);
  g_free (self->machine);
  g_free (self);
}

/* The header's stamp has 100 ns; what is finer comes from the clock of the trace. */
static gint64
to_utc (const NsTrace *trace, gint64 time_ns)
{
  guint64 filetime = ns_etl_file_ns_to_filetime (trace->file, 0);

  return ((gint64) filetime - NS_FILETIME_UNIX_EPOCH) * 100 + time_ns;
}

/**
 * ns_extract_dup_day:
 * @self: what tells a trace's tables
 *
 * Returns: (transfer full) (nullable): the day in UTC on which the trace begins: `2026-01-31`
 */
char *
ns_extract_dup_day (const NsExtract *self)
{
  g_autofree char *iso =
      ns_time_filetime_to_iso (ns_etl_file_ns_to_filetime (self->trace->file, 0), 0, TRUE);

  return iso != NULL && strlen (iso) > DAY_CHARS ? g_strndup (iso, DAY_CHARS) : NULL;
}

static void
set_number (NsTypedCell *cell, gint64 number)
{
  cell->is_null = FALSE;
  cell->number = number;
}

static void
set_text (NsTypedCell *cell, const char *text)
{
  cell->is_null = text == NULL;
  cell->text = text;
}

static void
set_list (NsTypedCell *cell, const GPtrArray *list)
{
  cell->is_null = list == NULL;
  cell->list = list;
}

/* What the JSON of a row says as a text. */
static void
set_made_text (Walk *self, const NsField *field, const NsFieldValue *value, NsTypedCell *cell)
{
  GString *text = g_string_new (NULL);
  char *made;

  ns_field_append_raw (field, value, text);
  made = g_string_free (text, FALSE);
  g_ptr_array_add (self->texts, made);
  set_text (cell, made);
}

static void
set_value (Walk *self, const NsField *field, const NsFieldValue *value, NsTypedCell *cell)
{
  switch (value->type)
    {
    case NS_TYPE_TEXT:
    case NS_TYPE_GUID:
      set_text (cell, value->v.text);
      break;
    case NS_TYPE_HEX:
    case NS_TYPE_IP:
    case NS_TYPE_OBJECT:
      set_made_text (self, field, value, cell);
      break;
    case NS_TYPE_LIST:
      set_list (cell, value->list);
      break;
    case NS_TYPE_INT:
    case NS_TYPE_TIME:
    case NS_TYPE_DURATION:
      set_number (cell, value->v.i);
      break;
    case NS_TYPE_UINT:
    case NS_TYPE_COUNT:
    case NS_TYPE_BYTES:
    case NS_TYPE_BOOL:
    case NS_TYPE_PORT:
    case NS_TYPE_ROW:
    default:
      set_number (cell, (gint64) MIN (value->v.u, G_MAXINT64));
      break;
    }
}

/* Tables that share a column may have its values otherwise: a handle of one is a number of another.
 */
static void
set_value_of_kind (Walk *self,
                   NsTypedKind kind,
                   const NsField *field,
                   const NsFieldValue *value,
                   NsTypedCell *cell)
{
  gboolean is_list = value->type == NS_TYPE_LIST;
  gboolean is_text = value->type == NS_TYPE_TEXT || value->type == NS_TYPE_GUID ||
                     value->type == NS_TYPE_HEX || value->type == NS_TYPE_IP ||
                     value->type == NS_TYPE_OBJECT;

  if (kind == NS_TYPED_TEXT && !is_text)
    set_made_text (self, field, value, cell);
  else if (kind == NS_TYPED_TEXT                                 ? is_text
           : kind == NS_TYPED_TEXTS || kind == NS_TYPED_INTEGERS ? is_list
                                                                 : !is_text && !is_list)
    set_value (self, field, value, cell);
}

/* Reads the field once; cells point into what was read until the row is done. */
static void
read_field (Walk *self, guint column, const NsField *field, guint row)
{
  NsFieldValue *value = &self->values[column];

  ns_field_get (self->extract->trace, field, row, value);
  if (self->redact != NULL)
    ns_redact_apply (self->redact, field, value);
  if (!value->is_null)
    set_value_of_kind (self,
                       self->shape->table.columns[column].kind,
                       field,
                       value,
                       &self->cells[column]);
}

/* Fields that are lists of frames: in rows only where that was asked for. */
static gboolean
is_left_empty (const NsExtract *self, const NsField *field)
{
  static const char *const frames[] = { "stack",
                                        "first_stack",
                                        "middle_stacks",
                                        "last_stack",
                                        NULL };

  return self->options.stacks != NS_EXTRACT_STACKS_FULL && field->type == NS_TYPE_LIST &&
         g_strv_contains (frames, field->id);
}

/* The way of calls, with the names of frames that were made for the rows before. */
static void
read_path (Walk *self, guint row, NsTypedCell *cell)
{
  NsExtract *extract = self->extract;
  char *path;

  if (extract->keys == NULL || extract->options.is_redacted)
    return;
  path = ns_extract_keys_dup_path (extract->keys, row);
  g_ptr_array_add (self->texts, path);
  set_text (cell, path);
}

static void
read_keys (Walk *self, guint column, guint row)
{
  const char *first;
  const char *last;

  if (self->extract->keys == NULL)
    return;
  ns_extract_keys_find (self->extract->keys, row, &first, &last);
  set_text (&self->cells[column], first);
  set_text (&self->cells[column + 1], last);
}

static void
read_cell (Walk *self, guint column, guint row)
{
  NsExtract *extract = self->extract;
  const NsExtractColumn *origin = &self->shape->columns[column];
  const NsField *field = origin->fields[self->layer];
  NsTypedCell *cell = &self->cells[column];

  cell->is_null = TRUE;
  self->values[column] = (NsFieldValue){ .is_null = TRUE };
  switch (origin->origin)
    {
    case NS_EXTRACT_OF_TRACE_ID:
      set_text (cell, extract->options.id);
      break;
    case NS_EXTRACT_OF_MACHINE:
      set_text (cell, extract->machine);
      break;
    case NS_EXTRACT_OF_START:
      if (field == NULL)
        set_number (cell, to_utc (extract->trace, 0));
      else
        read_field (self, column, field, row);
      if (field != NULL && !cell->is_null)
        set_number (cell, to_utc (extract->trace, cell->number));
      break;
    case NS_EXTRACT_OF_MOMENT:
      if (field != NULL)
        read_field (self, column, field, row);
      if (!cell->is_null)
        set_number (cell, to_utc (extract->trace, cell->number));
      break;
    case NS_EXTRACT_OF_FIELD:
      if (field != NULL && strcmp (field->id, "stack_path") == 0)
        read_path (self, row, cell);
      else if (field != NULL && !is_left_empty (extract, field))
        read_field (self, column, field, row);
      break;
    case NS_EXTRACT_OF_LAYER:
      set_text (cell, ns_table_get_name (self->shape->tables[self->layer]));
      break;
    case NS_EXTRACT_OF_FIRST_KEY: /* and the column behind it, which is of the last one */
      read_keys (self, column, row);
      break;
    case NS_EXTRACT_OF_LAST_KEY:
    case NS_EXTRACT_OF_NUMBER:
    default:
      break;
    }
}

static void
read_row (Walk *self, guint row)
{
  guint column;

  for (column = self->shape->table.n_columns; column-- > 0;)
    read_cell (self, column, row);
}

static void
clear_row (Walk *self)
{
  guint column;

  for (column = 0; column < self->shape->table.n_columns; column++)
    ns_field_value_clear (&self->values[column]);
  g_ptr_array_set_size (self->texts, 0);
}

static gboolean
refuse_stopped (GError **error)
{
  g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_CANCELLED, _ ("stopped"));
  return FALSE;
}

/* In the order of their begin. */
static GArray *
order_rows (const NsTrace *trace, NsTableId table, const NsField *start)
{
  guint n_rows = ns_table_get_n_rows (trace, table);
  GArray *rows = g_array_sized_new (FALSE, FALSE, sizeof (guint32), n_rows);
  NsOrderKey key = { start, FALSE };
  guint32 row;

  for (row = 0; row < n_rows; row++)
    g_array_append_val (rows, row);
  if (start != NULL)
    ns_order_sort (trace, &key, 1, rows, NULL, NULL);
  return rows;
}

static gboolean
walk_layer (Walk *self, NsExtractRowFunc func, gpointer user_data, GError **error)
{
  NsExtract *extract = self->extract;
  NsTableId table = self->shape->tables[self->layer];
  g_autoptr (GArray) rows =
      order_rows (extract->trace,
                  table,
                  self->shape->columns[self->shape->table.start_column].fields[self->layer]);
  g_autoptr (NsRedact) redact = NULL;
  gboolean ok = TRUE;
  guint i;

  if (extract->options.is_redacted && rows->len > 0)
    {
      guint n_fields;
      const NsField *fields = ns_table_get_fields (table, &n_fields);
      g_autofree const NsField **list = g_new0 (const NsField *, n_fields + 1);
      NsExportRows all = { .trace = extract->trace,
                           .table = table,
                           .n_rows = rows->len,
                           .fields = list,
                           .n_fields = n_fields };
      NsRedactOptions options = { .progress = extract->options.progress,
                                  .progress_data = extract->options.progress_data };

      for (i = 0; i < n_fields; i++)
        list[i] = &fields[i];
      redact = ns_redact_new (&all, &options);
      if (redact == NULL)
        return refuse_stopped (error);
    }
  self->redact = redact;
  for (i = 0; i < rows->len && ok; i++)
    {
      read_row (self, g_array_index (rows, guint32, i));
      ok = func (self->cells, user_data, error);
      clear_row (self);
      if (ok && i % 4096 == 0 && extract->options.progress != NULL &&
          !extract->options.progress (1, extract->options.progress_data))
        ok = refuse_stopped (error);
    }
  self->redact = NULL;
  return ok;
}

static void
set_common (const NsExtract *self, NsTypedCell *cells)
{
  set_text (&cells[0], self->options.id);
  set_text (&cells[1], self->machine);
  set_number (&cells[2], to_utc (self->trace, 0));
}

static gboolean
walk_stacks (NsExtract *self, NsExtractRowFunc func, gpointer user_data, GError **error)
{
  NsTypedCell cells[NS_EXTRACT_N_COMMON + 3] = { 0 };
  const char *first;
  const char *last;
  guint i;

  if (self->keys == NULL)
    return TRUE;
  /* The same rows name them, whether they are written or not. */
  for (i = 0; i < self->trace->activities->len; i++)
    ns_extract_keys_find (self->keys, i, &first, &last);
  set_common (self, cells);
  for (i = 0; i < ns_extract_keys_get_n (self->keys); i++)
    {
      const GPtrArray *frames;

      set_text (&cells[NS_EXTRACT_N_COMMON], ns_extract_keys_get (self->keys, i, &frames));
      set_number (&cells[NS_EXTRACT_N_COMMON + 1], frames->len);
      set_list (&cells[NS_EXTRACT_N_COMMON + 2], frames);
      if (!func (cells, user_data, error))
        return FALSE;
    }
  return TRUE;
}

static guint
count_failed (const NsTrace *trace)
{
  const NsField *field = ns_table_find_field (NS_TABLE_ACTIVITIES, "failed");
  guint n_failed = 0;
  guint i;

  for (i = 0; i < trace->activities->len; i++)
    {
      NsFieldValue value;

      ns_field_get (trace, field, i, &value);
      n_failed += !value.is_null && value.v.u != 0;
      ns_field_value_clear (&value);
    }
  return n_failed;
}

static guint
count_found (const NsTrace *trace)
{
  const NsField *field = ns_table_find_field (NS_TABLE_FINDINGS, "verdict");
  guint n_rows = ns_table_get_n_rows (trace, NS_TABLE_FINDINGS);
  guint n_found = 0;
  guint i;

  for (i = 0; i < n_rows; i++)
    {
      NsFieldValue value;

      ns_field_get (trace, field, i, &value);
      n_found += !value.is_null && strcmp (value.v.text, "found") == 0;
      ns_field_value_clear (&value);
    }
  return n_found;
}

static GPtrArray *
list_providers (const NsTrace *trace)
{
  const NsField *name = ns_table_find_field (NS_TABLE_PROVIDERS, "name");
  const NsField *guid = ns_table_find_field (NS_TABLE_PROVIDERS, "guid");
  guint n_rows = ns_table_get_n_rows (trace, NS_TABLE_PROVIDERS);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  guint i;

  for (i = 0; i < n_rows; i++)
    {
      GString *text = g_string_new (NULL);
      NsFieldValue value;

      ns_field_get (trace, name, i, &value);
      if (value.is_null)
        {
          ns_field_value_clear (&value);
          ns_field_get (trace, guid, i, &value);
        }
      if (!value.is_null)
        ns_field_append_raw (name, &value, text);
      ns_field_value_clear (&value);
      g_ptr_array_add (list, g_string_free (text, FALSE));
    }
  return list;
}

static GPtrArray *
list_damage (const NsTrace *trace)
{
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);
  const GPtrArray *refused = ns_etl_file_get_refused (trace->file);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  guint i;

  for (i = 0; i < MIN (report->damage->len, MAX_DAMAGE); i++)
    {
      const NsEtlDamage *damage = g_ptr_array_index (report->damage, i);

      g_ptr_array_add (list,
                       g_strdup_printf ("at byte %" G_GUINT64_FORMAT ": %s",
                                        damage->offset,
                                        damage->what));
    }
  /* Of an archive, or a folder, that was read as one trace. */
  for (i = 0; refused != NULL && i < MIN (refused->len, MAX_DAMAGE); i++)
    {
      const NsEtlRefused *one = g_ptr_array_index (refused, i);

      g_ptr_array_add (list,
                       g_strdup_printf ("%s is left out: %s",
                                        one->member != NULL ? one->member : one->path,
                                        one->reason));
    }
  return list;
}

static void
set_header (const NsExtract *self, NsTypedCell *own, char **os_version)
{
  const NsEtlHeader *header = ns_etl_file_get_header (self->trace->file);

  if (!ns_etl_file_is_capture (self->trace->file))
    {
      *os_version =
          g_strdup_printf ("%u.%u.%u", header->os_major, header->os_minor, header->os_build);
      set_text (&own[NS_EXTRACT_TRACE_OS_VERSION], *os_version);
      set_number (&own[NS_EXTRACT_TRACE_OS_BUILD], header->os_build);
    }
  set_text (&own[NS_EXTRACT_TRACE_SESSION], header->session);
  set_number (&own[NS_EXTRACT_TRACE_POINTER_SIZE], header->pointer_size);
  set_number (&own[NS_EXTRACT_TRACE_PROCESSORS], header->n_processors);
  if (header->boot_filetime != 0)
    set_number (&own[NS_EXTRACT_TRACE_BOOT],
                ((gint64) header->boot_filetime - NS_FILETIME_UNIX_EPOCH) * 100);
  set_number (&own[NS_EXTRACT_TRACE_BIAS], header->zone.bias_min);
  set_number (&own[NS_EXTRACT_TRACE_EVENTS_LOST], header->events_lost);
  set_number (&own[NS_EXTRACT_TRACE_BUFFERS_LOST], header->buffers_lost);
}

static void
set_counts (const NsExtract *self, NsTypedCell *own)
{
  const NsTrace *trace = self->trace;
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);

  set_number (&own[NS_EXTRACT_TRACE_EVENTS], (gint64) report->n_records);
  set_number (&own[NS_EXTRACT_TRACE_BUFFERS_DAMAGED], (gint64) report->n_damaged);
  set_number (&own[NS_EXTRACT_TRACE_BYTES_DROPPED], (gint64) report->n_bytes_dropped);
  set_number (&own[NS_EXTRACT_TRACE_UNDECODABLE], (gint64) trace->n_undecodable);
  set_number (&own[NS_EXTRACT_TRACE_N_ACTIVITIES], trace->activities->len);
  set_number (&own[NS_EXTRACT_TRACE_N_FAILED], count_failed (trace));
  set_number (&own[NS_EXTRACT_TRACE_N_DNS], trace->dns->len);
  set_number (&own[NS_EXTRACT_TRACE_N_TCP], trace->tcp->len);
  set_number (&own[NS_EXTRACT_TRACE_N_FLOWS], trace->flows->len);
  set_number (&own[NS_EXTRACT_TRACE_N_FINDINGS], count_found (trace));
  set_number (&own[NS_EXTRACT_TRACE_N_PROCESSES], trace->processes->len);
}

static gboolean
walk_trace (NsExtract *self, NsExtractRowFunc func, gpointer user_data, GError **error)
{
  NsTypedCell cells[NS_EXTRACT_N_COMMON + NS_EXTRACT_N_TRACE];
  NsTypedCell *own = cells + NS_EXTRACT_N_COMMON;
  g_autoptr (GPtrArray) providers = list_providers (self->trace);
  g_autoptr (GPtrArray) damage = list_damage (self->trace);
  g_autofree char *os_version = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cells); i++)
    cells[i] = (NsTypedCell){ .is_null = TRUE };
  set_common (self, cells);
  set_number (&own[NS_EXTRACT_TRACE_END], to_utc (self->trace, self->trace->end_ns));
  set_number (&own[NS_EXTRACT_TRACE_DURATION], self->trace->end_ns);
  if (!self->options.is_redacted)
    set_text (&own[NS_EXTRACT_TRACE_FILE], self->options.file);
  set_number (&own[NS_EXTRACT_TRACE_SIZE], (gint64) self->options.size);
  set_header (self, own, &os_version);
  set_counts (self, own);
  set_list (&own[NS_EXTRACT_TRACE_PROVIDERS], providers);
  set_list (&own[NS_EXTRACT_TRACE_DAMAGE], damage);
  set_text (&own[NS_EXTRACT_TRACE_VERSION], NS_VERSION);
  set_text (&own[NS_EXTRACT_TRACE_SCHEMA], NS_EXTRACT_SCHEMA_VERSION);
  return func (cells, user_data, error);
}

/**
 * ns_extract_walk:
 * @self: what tells a trace's tables
 * @id: which table
 * @func: (scope call): takes its rows, in the order of their begin
 * @user_data: for @func
 * @error: of @func, or %NS_TRACE_ERROR_CANCELLED
 *
 * Returns: %FALSE when it was stopped
 */
gboolean
ns_extract_walk (NsExtract *self,
                 NsExtractTableId id,
                 NsExtractRowFunc func,
                 gpointer user_data,
                 GError **error)
{
  Walk walk = { .extract = self, .shape = ns_extract_get_shape (id) };
  gboolean ok = TRUE;

  if (id == NS_EXTRACT_STACKS)
    return walk_stacks (self, func, user_data, error);
  if (id == NS_EXTRACT_TRACE)
    return walk_trace (self, func, user_data, error);
  walk.cells = g_new0 (NsTypedCell, walk.shape->table.n_columns);
  walk.values = g_new0 (NsFieldValue, walk.shape->table.n_columns);
  walk.texts = g_ptr_array_new_with_free_func (g_free);
  for (walk.layer = 0; walk.layer < walk.shape->n_tables && ok; walk.layer++)
    ok = walk_layer (&walk, func, user_data, error);
  g_ptr_array_unref (walk.texts);
  g_free (walk.values);
  g_free (walk.cells);
  return ok;
}

/**
 * ns_extract_walk_failure:
 * @options: what is known of a trace that could not be read
 * @reason: why
 * @func: (scope call): takes the row
 * @user_data: for @func
 * @error: of @func
 *
 * The row of the table of failures.
 *
 * Returns: %FALSE when it was stopped
 */
gboolean
ns_extract_walk_failure (const NsExtractOptions *options,
                         const char *reason,
                         NsExtractRowFunc func,
                         gpointer user_data,
                         GError **error)
{
  NsTypedCell cells[NS_EXTRACT_N_COMMON + 5];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cells); i++)
    cells[i] = (NsTypedCell){ .is_null = TRUE };
  set_text (&cells[0], options->id);
  if (!options->is_redacted)
    set_text (&cells[NS_EXTRACT_N_COMMON], options->file);
  set_number (&cells[NS_EXTRACT_N_COMMON + 1], (gint64) options->size);
  if (!options->is_redacted)
    set_text (&cells[NS_EXTRACT_N_COMMON + 2], reason);
  set_text (&cells[NS_EXTRACT_N_COMMON + 3], NS_VERSION);
  set_text (&cells[NS_EXTRACT_N_COMMON + 4], NS_EXTRACT_SCHEMA_VERSION);
  return func (cells, user_data, error);
}

static gboolean
hash_part (GChecksum *checksum, int fd, guint64 begin, guint64 n_bytes)
{
  g_autofree guchar *buffer = g_malloc (MAX (n_bytes, 1)); /* at most NS_EXTRACT_ID_BYTES */
  guint64 done = 0;

  while (done < n_bytes)
    {
      gssize n = pread (fd, buffer, n_bytes - done, (off_t) (begin + done));

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return n == 0;
      g_checksum_update (checksum, buffer, n);
      done += (guint64) n;
    }
  return TRUE;
}

/**
 * ns_extract_make_id:
 * @path: file of a trace
 * @size: (out): its length in bytes
 * @error: %NS_TRACE_ERROR_OPEN
 *
 * The identity of a trace: the first 32 hexadecimal digits of SHA-256 over its length (8 bytes,
 * little endian), its first MiB and its last MiB.
 *
 * Returns: (transfer full) (nullable): that
 */
char *
ns_extract_make_id (const char *path, guint64 *size, GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  struct stat status;
  guint64 le;
  guint64 first;
  gboolean ok;

  *size = 0;
  ok = fd >= 0 && fstat (fd, &status) == 0;
  if (ok && !S_ISREG (status.st_mode))
    {
      errno = S_ISDIR (status.st_mode) ? EISDIR : EINVAL;
      ok = FALSE;
    }
  if (ok)
    {
      *size = (guint64) status.st_size;
      le = GUINT64_TO_LE (*size);
      first = MIN (*size, NS_EXTRACT_ID_BYTES);
      g_checksum_update (checksum, (const guchar *) &le, sizeof le);
      ok = hash_part (checksum, fd, 0, first) && hash_part (checksum, fd, *size - first, first);
    }
  if (!ok)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_OPEN,
                 _ ("cannot open “%s”: %s"),
                 path,
                 g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return ok ? g_strndup (g_checksum_get_string (checksum), ID_DIGITS) : NULL;
}
