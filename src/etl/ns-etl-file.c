/* A trace file: opening it, its properties, its companions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-capture-file.h"
#include "etl/ns-etl-archive.h"
#include "etl/ns-etl-capture.h"
#include "etl/ns-etl-file-private.h"
#include "etl/ns-etl-twins.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static NsEtlFile *
open_source (NsEtlSource *source, const char *path, GError **error)
{
  g_autoptr (NsEtlFile) self = g_new0 (NsEtlFile, 1);
  guint32 first_buffer_size;

  self->source = source;
  self->path = g_strdup (path);
  ns_etl_report_init (&self->report);
  if (!ns_etl_header_read (&self->header, source, &first_buffer_size, error) ||
      !ns_etl_layout_init (&self->layout, source, &self->header, first_buffer_size, error))
    return NULL;

  self->providers = ns_etl_providers_new ();
  self->parser.providers = self->providers;
  self->parser.pointer_size = self->header.pointer_size;
  self->has_clock = ns_etl_clock_init (&self->parser.clock, &self->header);
  self->own_clock = self->parser.clock;
  return g_steal_pointer (&self);
}

/* Companions of a trace in its archive: member name, maximum size, and the message about damage. */
static const struct
{
  const char *member;
  gsize max_bytes;
  const char *damage;
} companions[NS_ETL_N_COMPANIONS] = {
  [NS_ETL_COMPANION_VIEW] = { NS_ETL_COMPANION_VIEW_NAME,
                              NS_ETL_MAX_VIEW_BYTES,
                              N_ ("the notes and the view embedded in the trace are damaged") },
  [NS_ETL_COMPANION_NAMES] = { NS_ETL_COMPANION_NAMES_NAME,
                               NS_ETL_MAX_NAMES_BYTES,
                               N_ ("the names embedded in the trace are damaged from here on") },
  [NS_ETL_COMPANION_MANIFEST] = { NS_ETL_COMPANION_MANIFEST_NAME,
                                  NS_ETL_MAX_MANIFEST_BYTES,
                                  N_ ("the capture kit's description of the recording is "
                                      "damaged") },
  [NS_ETL_COMPANION_PROCESSES_START] = { NS_ETL_COMPANION_PROCESSES_START_NAME,
                                         NS_ETL_MAX_PROCESSES_BYTES,
                                         N_ ("the capture kit's list of processes is damaged") },
  [NS_ETL_COMPANION_PROCESSES_STOP] = { NS_ETL_COMPANION_PROCESSES_STOP_NAME,
                                        NS_ETL_MAX_PROCESSES_BYTES,
                                        N_ ("the capture kit's last list of processes is "
                                            "damaged") },
  [NS_ETL_COMPANION_LOG] = { NS_ETL_COMPANION_LOG_NAME,
                             NS_ETL_MAX_LOG_BYTES,
                             N_ ("the log lines embedded in the trace are damaged from here on") },
};

/* First line of the capture kit's manifest, and the name of its trace. */
#define KIT_MARK "netstitch-capture: "
#define KIT_TRACE "trace.etl"

static void
read_companion (NsEtlFile *self,
                const NsEtlSource *archive,
                const char *folder,
                NsEtlCompanion which)
{
  g_autofree char *path =
      folder != NULL ? g_strconcat (folder, "/", companions[which].member, NULL) : NULL;

  self->companions[which] =
      ns_etl_archive_read_small (archive,
                                 path != NULL ? path : companions[which].member,
                                 companions[which].max_bytes,
                                 &self->is_companion_cut[which]);
}

/* Reads the companions, all of which are optional. A hand-over of several machines has them in the
 * folder of each trace. */
static void
read_companions (NsEtlFile *self, const NsEtlSource *archive, const char *member)
{
  g_autofree char *folder = member != NULL ? g_path_get_dirname (member) : NULL;
  guint i;

  if (folder != NULL && strcmp (folder, ".") != 0)
    read_companion (self, archive, folder, NS_ETL_COMPANION_VIEW);
  if (self->companions[NS_ETL_COMPANION_VIEW] == NULL)
    g_clear_pointer (&folder, g_free);
  for (i = 0; i < NS_ETL_N_COMPANIONS; i++)
    /* Any archive may hold a file with this name; in a hand-over it accompanies a view. */
    if (self->companions[i] == NULL &&
        (i != NS_ETL_COMPANION_LOG || self->companions[NS_ETL_COMPANION_VIEW] != NULL))
      read_companion (self, archive, folder, (NsEtlCompanion) i);
}

static gboolean
begins_as_manifest (GBytes *manifest)
{
  gsize n_bytes = 0;
  const char *text = manifest != NULL ? g_bytes_get_data (manifest, &n_bytes) : NULL;

  return n_bytes >= strlen (KIT_MARK) && memcmp (text, KIT_MARK, strlen (KIT_MARK)) == 0;
}

/* Returns whether the archive is a hand-over, or a recording of the capture kit. */
gboolean
ns_etl_file_has_companions (const NsEtlFile *self)
{
  return self->companions[NS_ETL_COMPANION_VIEW] != NULL ||
         self->companions[NS_ETL_COMPANION_NAMES] != NULL ||
         begins_as_manifest (self->companions[NS_ETL_COMPANION_MANIFEST]);
}

/* Returns whether the archive is a recording of the capture kit: its first trace has the providers,
 * a second one may have the packets. */
static gboolean
is_of_kit (const NsEtlSource *archive)
{
  gboolean is_cut;
  g_autoptr (GBytes) manifest = ns_etl_archive_read_small (archive,
                                                           NS_ETL_COMPANION_MANIFEST_NAME,
                                                           NS_ETL_MAX_MANIFEST_BYTES,
                                                           &is_cut);

  return begins_as_manifest (manifest);
}

static NsEtlSource *
open_member (const NsEtlSource *archive, const char *member, NsEtlArchiveRest *rest, GError **error)
{
  g_autoptr (GError) several = NULL;
  NsEtlSource *opened = ns_etl_archive_open_member (archive, member, rest, &several);

  if (opened != NULL)
    return opened;
  if (member == NULL && g_error_matches (several, NS_TRACE_ERROR, NS_TRACE_ERROR_MEMBER) &&
      is_of_kit (archive))
    return ns_etl_archive_open_member (archive, KIT_TRACE, rest, error);
  g_propagate_error (error, g_steal_pointer (&several));
  return NULL;
}

/* Clears the properties of the computer that a capture lacks and the writer filled in. */
static void
forget_system (NsEtlFile *self)
{
  self->is_capture = TRUE;
  self->header.os_build = 0;
  self->header.boot_filetime = 0;
}

/* Opens a trace, or converts a packet capture to one. */
static NsEtlFile *
open_trace (NsEtlSource *source, const char *path, GError **error)
{
  guint64 size = ns_etl_source_get_size (source);
  NsEtlSource *converted;
  NsEtlFile *self;

  if (!ns_capture_file_is_one (source))
    return open_source (source, path, error);
  converted = ns_etl_capture_convert (source, error);
  ns_etl_source_free (source);
  self = converted != NULL ? open_source (converted, path, error) : NULL;
  if (self == NULL)
    return NULL;
  forget_system (self);
  self->captured_size = size;
  return self;
}

/* Opens the member of an archive; any other file is the trace itself. */
static NsEtlFile *
open_any (NsEtlSource *source, const char *path, const char *member, GError **error)
{
  if (ns_etl_archive_is_one (source))
    {
      NsEtlArchiveRest rest = NS_ETL_ARCHIVE_WHOLE;
      NsEtlSource *unpacked = open_member (source, member, &rest, error);
      g_autofree char *inside =
          unpacked != NULL ? g_strdup (ns_etl_source_get_member (unpacked)) : NULL;
      NsEtlFile *self = unpacked != NULL ? open_trace (unpacked, path, error) : NULL;

      if (self != NULL)
        {
          self->inside = g_steal_pointer (&inside);
          read_companions (self, source, member);
          self->archive_rest = rest;
        }
      ns_etl_source_free (source);
      return self;
    }
  if (member != NULL)
    {
      g_set_error (
          error,
          NS_TRACE_ERROR,
          NS_TRACE_ERROR_MEMBER,
          _ ("%s is not an archive and has no member “%s”; remove the member from the name"),
          path,
          member);
      ns_etl_source_free (source);
      return NULL;
    }
  return open_trace (source, path, error);
}

/**
 * ns_etl_file_open:
 * @path: a trace, or an archive that holds one
 * @member: (nullable): the trace to open from an archive with several
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the trace; %NULL with @error set if it cannot be opened
 */
NsEtlFile *
ns_etl_file_open (const char *path, const char *member, GError **error)
{
  NsEtlSource *source = ns_etl_source_open (path, error);

  return source != NULL ? open_any (source, path, member, error) : NULL;
}

/* Like ns_etl_file_open(), for one of several files that share a limit of open files. */
NsEtlFile *
ns_etl_file_open_among (NsEtlOpenFiles *files, const char *path, const char *member, GError **error)
{
  NsEtlSource *source = ns_etl_source_open_among (files, path, error);

  return source != NULL ? open_any (source, path, member, error) : NULL;
}

/**
 * ns_etl_file_open_bytes:
 * @bytes: a trace, or an archive that holds one
 * @name: its name in messages
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the trace; %NULL with @error set if it cannot be opened
 */
NsEtlFile *
ns_etl_file_open_bytes (GBytes *bytes, const char *name, GError **error)
{
  return open_any (ns_etl_source_new_bytes (bytes, name), name, NULL, error);
}

/* Frees the inputs of a case. */
static void
join_clear (NsEtlFile *self)
{
  guint i;

  for (i = 0; i < self->inputs->len; i++)
    {
      NsEtlFile *file = g_ptr_array_index (self->inputs, i);

      if (file->providers == self->providers)
        file->providers = NULL;
      ns_etl_file_free (file);
    }
  g_clear_pointer (&self->inputs, g_ptr_array_unref);
  g_clear_pointer (&self->twins, ns_etl_twins_free);
  g_clear_pointer (&self->pairs, g_hash_table_unref);
}

/**
 * ns_etl_file_free:
 * @self: (transfer full) (nullable): a trace
 *
 * Frees @self.
 */
void
ns_etl_file_free (NsEtlFile *self)
{
  guint i;

  if (self == NULL)
    return;
  if (self->inputs != NULL)
    join_clear (self);
  ns_etl_report_clear (&self->report);
  ns_etl_layout_clear (&self->layout);
  ns_etl_header_clear (&self->header);
  ns_etl_providers_free (self->providers);
  ns_etl_source_free (self->source);
  for (i = 0; i < NS_ETL_N_COMPANIONS; i++)
    g_clear_pointer (&self->companions[i], g_bytes_unref);
  g_free (self->entries);
  g_free (self->why);
  g_free (self->member);
  g_free (self->inside);
  g_free (self->title);
  g_free (self->machine);
  g_clear_pointer (&self->refused, g_ptr_array_unref);
  g_clear_pointer (&self->log_archives, g_ptr_array_unref);
  g_free (self->path);
  g_free (self);
}

/**
 * ns_etl_file_use_prefix:
 * @self: a trace that was not walked yet
 * @n_bytes: number of bytes to use
 *
 * Uses the whole buffers of the first @n_bytes only: of a trace that is still being written, or of
 * a large one. What is left out is no damage.
 *
 * Returns: whether anything is left out
 */
gboolean
ns_etl_file_use_prefix (NsEtlFile *self, guint64 n_bytes)
{
  g_return_val_if_fail (self->entries == NULL, FALSE);

  if (self->inputs != NULL)
    return FALSE;
  return ns_etl_layout_cut (&self->layout, n_bytes);
}

/**
 * ns_etl_file_list_members:
 * @path: a file
 * @error: return location
 *
 * Returns: (transfer full) (array zero-terminated=1) (nullable): the traces in an archive; empty if
 *   the file is no archive; %NULL with @error set if it cannot be read
 */
char **
ns_etl_file_list_members (const char *path, GError **error)
{
  NsEtlArchiveOthers others;

  return ns_etl_file_list_with_others (path, &others, error);
}

/* Like ns_etl_file_list_members(); @others: (out): what else the archive holds. */
char **
ns_etl_file_list_with_others (const char *path, NsEtlArchiveOthers *others, GError **error)
{
  g_autoptr (NsEtlSource) source = ns_etl_source_open (path, error);

  *others = (NsEtlArchiveOthers){ 0 };
  if (source == NULL)
    return NULL;
  if (!ns_etl_archive_is_one (source))
    return g_new0 (char *, 1);
  return ns_etl_archive_list (source, others, error);
}

/**
 * ns_etl_file_get_header:
 * @self: a trace
 *
 * Returns: (transfer none): its header
 */
const NsEtlHeader *
ns_etl_file_get_header (const NsEtlFile *self)
{
  return &self->header;
}

/**
 * ns_etl_file_get_path:
 * @self: a trace
 *
 * Returns: (transfer none): the path by which it was opened
 */
const char *
ns_etl_file_get_path (const NsEtlFile *self)
{
  return self->path;
}

/**
 * ns_etl_file_get_companion:
 * @self: a trace
 * @which: kind of the companion
 *
 * Returns: (transfer none) (nullable): its contents, which are untrusted; %NULL: missing
 */
GBytes *
ns_etl_file_get_companion (const NsEtlFile *self, NsEtlCompanion which)
{
  return self->companions[which];
}

/**
 * ns_etl_file_report_companions:
 * @self: a trace that was walked, and will not be walked again
 *
 * Adds damage of the companions to the report. In the archive of a hand-over, names and view
 * precede the trace, and only the report follows it.
 */
void
ns_etl_file_report_companions (NsEtlFile *self)
{
  static const char *const rests[] = {
    [NS_ETL_ARCHIVE_WHOLE] = NULL,
    [NS_ETL_ARCHIVE_CUT] =
        N_ ("the archive is truncated after the trace: other files in it may be missing"),
    [NS_ETL_ARCHIVE_UNLISTED] =
        N_ ("the archive contains more files than are examined: unpack it with another program if "
            "it contains a different trace that you need"),
    [NS_ETL_ARCHIVE_SAME_NAME] = N_ ("the archive has several files of this name, and this is the "
                                     "first: unpack it with another program to see the others"),
  };
  gboolean is_hand_over = FALSE;
  guint i;

  for (i = 0; i < NS_ETL_N_COMPANIONS; i++)
    {
      is_hand_over = is_hand_over || (i <= NS_ETL_COMPANION_NAMES && self->companions[i] != NULL);
      if (self->is_companion_cut[i])
        ns_etl_file_add_beside (self, NULL, companions[i].damage);
    }
  if (self->archive_rest == NS_ETL_ARCHIVE_CUT && is_hand_over)
    ns_etl_file_add_beside (self, NULL, N_ ("the hand-over is cut off: its report is missing"));
  else if (rests[self->archive_rest] != NULL)
    ns_etl_file_add_beside (self, NULL, rests[self->archive_rest]);
}

/**
 * ns_etl_file_raise_events_lost:
 * @self: a trace
 * @n_lost: number of lost events according to another source
 *
 * Raises the number of lost events in the header to at least @n_lost.
 */
void
ns_etl_file_raise_events_lost (NsEtlFile *self, guint64 n_lost)
{
  self->header.events_lost = (guint32) MIN (MAX (self->header.events_lost, n_lost), G_MAXUINT32);
}

/**
 * ns_etl_file_is_capture:
 * @self: a trace
 *
 * Returns: whether it consists of .pcap and .pcapng files only, which do not name the computer
 */
gboolean
ns_etl_file_is_capture (const NsEtlFile *self)
{
  return self->is_capture;
}

/**
 * ns_etl_file_get_given_size:
 * @self: a trace
 *
 * Returns: size of the given files in bytes, unpacked; for captures that of the capture files
 */
guint64
ns_etl_file_get_given_size (const NsEtlFile *self)
{
  guint64 size = 0;
  guint i;

  if (self->inputs == NULL)
    return self->captured_size != 0 ? self->captured_size : self->layout.file_size;
  for (i = 0; i < self->inputs->len; i++)
    size += ns_etl_file_get_given_size (g_ptr_array_index (self->inputs, i));
  return size;
}

/**
 * ns_etl_file_get_size:
 * @self: a trace
 *
 * Returns: size of the trace in bytes, unpacked from its archive
 */
guint64
ns_etl_file_get_size (const NsEtlFile *self)
{
  return self->layout.file_size;
}

/**
 * ns_etl_file_get_clock:
 * @self: a trace
 *
 * Returns: the kind of its clock
 */
NsClock
ns_etl_file_get_clock (const NsEtlFile *self)
{
  return self->parser.clock.kind;
}

/**
 * ns_etl_file_get_frequency:
 * @self: a trace
 *
 * Returns: raw counts per second
 */
guint64
ns_etl_file_get_frequency (const NsEtlFile *self)
{
  return self->parser.clock.frequency;
}

/* Returns whether the time is plausible for one of the sessions. */
static gboolean
is_inside (const NsEtlFile *self, guint64 raw)
{
  guint i;

  if (self->inputs == NULL)
    return ns_etl_bounds_contain (&self->bounds, raw);
  for (i = 0; i < self->inputs->len; i++)
    if (ns_etl_bounds_contain (&((NsEtlFile *) g_ptr_array_index (self->inputs, i))->bounds, raw))
      return TRUE;
  return FALSE;
}

/**
 * ns_etl_file_is_inside:
 * @self: a trace
 * @raw: raw time of a record that was just handed out
 *
 * Returns: %TRUE if the time is plausible for the session, according to the records walked so far
 */
gboolean
ns_etl_file_is_inside (const NsEtlFile *self, guint64 raw)
{
  return is_inside (self, raw);
}

/**
 * ns_etl_file_is_stray:
 * @self: a trace that was walked
 * @raw: raw time of a record
 *
 * Returns: %TRUE if the time is so far outside the session that it must be damaged
 */
gboolean
ns_etl_file_is_stray (const NsEtlFile *self, guint64 raw)
{
  return self->report.n_strays > 0 && !is_inside (self, raw);
}

/**
 * ns_etl_file_raw_to_ns:
 * @self: a trace
 * @raw: raw time of a record
 *
 * Returns: nanoseconds since the trace header, rounded down
 */
gint64
ns_etl_file_raw_to_ns (const NsEtlFile *self, guint64 raw)
{
  return ns_etl_clock_to_ns (&self->parser.clock, raw);
}

/**
 * ns_etl_file_raw_to_filetime:
 * @self: a trace
 * @raw: raw time of a record
 *
 * Returns: 100 ns since 1601, UTC, rounded down
 */
guint64
ns_etl_file_raw_to_filetime (const NsEtlFile *self, guint64 raw)
{
  return ns_etl_clock_to_filetime (&self->parser.clock, raw);
}

/**
 * ns_etl_file_ns_to_filetime:
 * @self: a trace
 * @time_ns: nanoseconds since the trace header
 *
 * Returns: 100 ns since 1601, UTC, rounded down
 */
guint64
ns_etl_file_ns_to_filetime (const NsEtlFile *self, gint64 time_ns)
{
  gint64 ticks = time_ns / 100 - (time_ns % 100 < 0);

  return self->parser.clock.start_filetime + (guint64) ticks;
}

/**
 * ns_etl_file_get_n_providers:
 * @self: a trace
 *
 * Returns: the number of providers that walks have seen so far
 */
guint
ns_etl_file_get_n_providers (const NsEtlFile *self)
{
  return ns_etl_providers_get_size (self->providers);
}

/**
 * ns_etl_file_get_provider:
 * @self: a trace
 * @provider: number of a provider
 *
 * Returns: (transfer none) (nullable): its GUID; %NULL: there is no such number
 */
const NsGuid *
ns_etl_file_get_provider (const NsEtlFile *self, guint provider)
{
  return ns_etl_providers_get (self->providers, provider);
}

/**
 * ns_etl_file_set_tap:
 * @self: a trace
 * @tap: (nullable) (scope forever): called for each record of a walk that reads ahead, before the
 *   walk's own function and possibly on another thread; returns %FALSE for records to skip
 * @user_data: for @tap
 *
 * For work that is independent of the walk's purpose and shares no writable state with it.
 */
void
ns_etl_file_set_tap (NsEtlFile *self, NsRecordTapFunc tap, gpointer user_data)
{
  self->tap = tap;
  self->tap_data = user_data;
}

/**
 * ns_etl_file_set_ahead:
 * @self: a trace
 * @ahead: (nullable) (scope forever): called twice for each record of a walk that reads ahead, some
 *   time before it is handed out, on the same thread
 * @user_data: for @ahead
 *
 * Lets callers prefetch entries of tables that are too large for the caches. Results must not
 * depend on it.
 */
void
ns_etl_file_set_ahead (NsEtlFile *self, NsRecordAheadFunc ahead, gpointer user_data)
{
  self->ahead = ahead;
  self->ahead_data = user_data;
}

/**
 * ns_etl_file_get_report:
 * @self: a trace
 *
 * Returns: (transfer none): what the last complete walk read and could not read
 */
const NsEtlReport *
ns_etl_file_get_report (const NsEtlFile *self)
{
  return &self->report;
}

/**
 * ns_etl_file_add_damage:
 * @self: a trace that was walked, and will not be walked again
 * @offset: file offset
 * @what: one line without a full stop
 *
 * Adds damage that the interpretation of records found to the report.
 */
void
ns_etl_file_add_damage (NsEtlFile *self, guint64 offset, const char *what)
{
  ns_etl_report_add (&self->report, offset, what);
}
