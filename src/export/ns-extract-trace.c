/* The table of traces: one row per trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-extract-private.h"

#include "base/ns-time.h"
#include "engine/system/ns-providers.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <nettle/sha2.h>
#include <nettle/version.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maximum number of damaged places listed per trace. */
#define MAX_DAMAGE 100

/**
 * ns_extract_add_time: (skip)
 * @moment_ns: nanoseconds since 1970
 * @time_ns: nanoseconds since @moment_ns
 *
 * Returns: the sum in nanoseconds since 1970, limited to the range of the type, which only damaged
 *   files exceed
 */
gint64
ns_extract_add_time (gint64 moment_ns, gint64 time_ns)
{
  if (time_ns > 0)
    return moment_ns > G_MAXINT64 - time_ns ? G_MAXINT64 : moment_ns + time_ns;
  return moment_ns < G_MININT64 - time_ns ? G_MININT64 : moment_ns + time_ns;
}

/**
 * ns_extract_to_utc: (skip)
 * @self: an extract of a trace
 * @time_ns: nanoseconds since the trace's begin
 *
 * The time stamp in the header has a resolution of 100 ns; finer digits come from the clock of the
 * trace.
 *
 * Returns: nanoseconds since 1970, UTC
 */
gint64
ns_extract_to_utc (const NsExtract *self, gint64 time_ns)
{
  /* A damaged header may have any number. */
  gint64 filetime = (gint64) MIN (ns_etl_file_ns_to_filetime (self->trace->file, 0), G_MAXINT64);
  gint64 ticks = CLAMP (filetime - NS_FILETIME_UNIX_EPOCH, -G_MAXINT64 / 100, G_MAXINT64 / 100);

  return ns_extract_add_time (ticks * 100, time_ns);
}

/**
 * ns_extract_set_common: (skip)
 * @self: an extract of a trace
 * @cells: (out): the first #NS_EXTRACT_N_COMMON cells of a row
 *
 * Sets the columns that precede those of a table without a trace table.
 */
void
ns_extract_set_common (const NsExtract *self, NsTypedCell *cells)
{
  ns_typed_cell_set_text (&cells[0], self->options.id);
  ns_typed_cell_set_text (&cells[1], self->machine);
  ns_typed_cell_set_number (&cells[2], ns_extract_to_utc (self, 0));
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
list_damage (const NsExtract *self)
{
  const NsTrace *trace = self->trace;
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);
  const GPtrArray *refused = ns_etl_file_get_refused (trace->file);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  guint i;

  for (i = 0; i < MIN (report->damage->len, MAX_DAMAGE); i++)
    {
      const NsEtlDamage *damage = g_ptr_array_index (report->damage, i);

      g_ptr_array_add (list,
                       g_strdup_printf (_ ("at byte %" PRIu64 ": %s"),
                                        damage->offset,
                                        damage->what));
    }
  /* Inputs of an archive or a folder that was read as one trace. */
  for (i = 0; refused != NULL && i < MIN (refused->len, MAX_DAMAGE); i++)
    {
      const NsEtlRefused *one = g_ptr_array_index (refused, i);

      g_ptr_array_add (list,
                       self->options.is_redacted
                           ? g_strdup_printf (_ ("an input is left out: %s"),
                                              ns_etl_refused_get_reason (one, TRUE))
                           : g_strdup_printf (_ ("%s is left out: %s"),
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
      ns_typed_cell_set_text (&own[NS_EXTRACT_TRACE_OS_VERSION], *os_version);
      ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_OS_BUILD], header->os_build);
    }
  if (!self->options.is_redacted)
    ns_typed_cell_set_text (&own[NS_EXTRACT_TRACE_SESSION], header->session);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_POINTER_SIZE], header->pointer_size);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_PROCESSORS], header->n_processors);
  if (header->boot_filetime != 0)
    ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_BOOT],
                              ((gint64) header->boot_filetime - NS_FILETIME_UNIX_EPOCH) * 100);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_BIAS], header->zone.bias_min);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_EVENTS_LOST], header->events_lost);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_BUFFERS_LOST], header->buffers_lost);
}

static void
set_counts (const NsExtract *self, NsTypedCell *own)
{
  const NsTrace *trace = self->trace;
  const NsEtlReport *report = ns_etl_file_get_report (trace->file);

  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_EVENTS], (gint64) report->n_records);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_BUFFERS_DAMAGED], (gint64) report->n_damaged);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_BYTES_DROPPED], (gint64) report->n_bytes_dropped);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_UNDECODABLE],
                            (gint64) ns_providers_count_undecodable (trace));
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_N_ACTIVITIES], trace->activities->len);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_N_FAILED], count_failed (trace));
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_N_DNS], trace->dns->len);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_N_TCP], trace->tcp->len);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_N_FLOWS], trace->flows->len);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_N_FINDINGS], count_found (trace));
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_N_PROCESSES], trace->processes->len);
}

/**
 * ns_extract_walk_trace: (skip)
 * @self: an extract of a trace
 * @func: (scope call): called with the row
 * @user_data: for @func
 * @error: error of @func
 *
 * Passes on the row of the trace in the table of traces.
 *
 * Returns: %FALSE if stopped
 */
gboolean
ns_extract_walk_trace (const NsExtract *self,
                       NsExtractRowsFunc func,
                       gpointer user_data,
                       GError **error)
{
  NsTypedCell cells[NS_EXTRACT_N_COMMON + NS_EXTRACT_N_TRACE];
  const NsTypedBatch batch = { cells, 1, 1 };
  NsTypedCell *own = cells + NS_EXTRACT_N_COMMON;
  g_autoptr (GPtrArray) providers = list_providers (self->trace);
  g_autoptr (GPtrArray) damage = list_damage (self);
  g_autofree char *os_version = NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cells); i++)
    cells[i] = (NsTypedCell){ .is_null = TRUE };
  ns_extract_set_common (self, cells);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_END],
                            ns_extract_to_utc (self, self->trace->end_ns));
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_DURATION], self->trace->end_ns);
  if (!self->options.is_redacted)
    ns_typed_cell_set_text (&own[NS_EXTRACT_TRACE_FILE], self->options.file);
  ns_typed_cell_set_number (&own[NS_EXTRACT_TRACE_SIZE], (gint64) self->options.size);
  set_header (self, own, &os_version);
  set_counts (self, own);
  ns_typed_cell_set_list (&own[NS_EXTRACT_TRACE_PROVIDERS], providers);
  ns_typed_cell_set_list (&own[NS_EXTRACT_TRACE_DAMAGE], damage);
  ns_typed_cell_set_text (&own[NS_EXTRACT_TRACE_VERSION], NS_VERSION);
  ns_typed_cell_set_text (&own[NS_EXTRACT_TRACE_SCHEMA], NS_EXTRACT_SCHEMA_VERSION);
  return func (&batch, user_data, error);
}

/* Reads and hashes a part of a file. @n_times: how often its bytes are hashed. */
static gboolean
hash_part (struct sha256_ctx *hash, int fd, guint64 begin, guint64 n_bytes, guint n_times)
{
  g_autofree guint8 *buffer = g_malloc (MAX (n_bytes, 1)); /* at most NS_EXTRACT_ID_BYTES */
  guint64 done = 0;
  guint i;

  while (done < n_bytes)
    {
      gssize n = pread (fd, buffer + done, n_bytes - done, (off_t) (begin + done));

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      if (n == 0)
        break;
      done += (guint64) n;
    }
  for (i = 0; i < n_times; i++)
    sha256_update (hash, done, buffer);
  return TRUE;
}

/* Returns the first digits of a hash. */
static char *
hash_to_id (struct sha256_ctx *hash)
{
  guint8 digest[SHA256_DIGEST_SIZE];
  char *id = g_malloc (NS_EXTRACT_ID_DIGITS + 1);
  guint i;

#if NETTLE_VERSION_MAJOR >= 4
  sha256_digest (hash, digest);
#else
  sha256_digest (hash, sizeof digest, digest);
#endif
  for (i = 0; i < NS_EXTRACT_ID_DIGITS / 2; i++)
    g_snprintf (id + 2 * i, 3, "%02x", digest[i]);
  return id;
}

/**
 * ns_extract_make_id:
 * @path: file of a trace
 * @size: (out): its size in bytes
 * @error: %NS_TRACE_ERROR_OPEN
 *
 * The identity of a trace: the first 32 hexadecimal digits of SHA-256 over its size (8 bytes,
 * little endian), its first MiB and its last MiB. It is made for every trace before any is read, by
 * Nettle, which uses the processor's instructions for SHA-256.
 *
 * Returns: (transfer full) (nullable): the ID
 */
char *
ns_extract_make_id (const char *path, guint64 *size, GError **error)
{
  struct sha256_ctx hash;
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
      sha256_init (&hash);
      sha256_update (&hash, sizeof le, (const guint8 *) &le);
      /* Of a small file, the first and the last MiB are the same. */
      ok = *size == first ? hash_part (&hash, fd, 0, first, 2)
                          : hash_part (&hash, fd, 0, first, 1) &&
                                hash_part (&hash, fd, *size - first, first, 1);
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
  return ok ? hash_to_id (&hash) : NULL;
}
