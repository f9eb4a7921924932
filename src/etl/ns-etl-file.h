/* A trace file: its header, its buffers, and walks over its records.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"
#include "base/ns-time.h"
#include "base/ns-zone.h"
#include "etl/ns-etl-record.h"

G_BEGIN_DECLS

typedef struct _NsEtlFile NsEtlFile;
typedef struct _NsEtlReader NsEtlReader;

typedef enum
{
  NS_CLOCK_QPC = 1,
  NS_CLOCK_SYSTEM = 2,
  NS_CLOCK_CYCLE = 3,
} NsClock;

/* Optional small files that accompany a trace in the same zip archive. */
typedef enum
{
  NS_ETL_COMPANION_VIEW,            /* view state, with bookmarks and notes */
  NS_ETL_COMPANION_NAMES,           /* function names of its call stacks */
  NS_ETL_COMPANION_MANIFEST,        /* how the capture kit recorded it */
  NS_ETL_COMPANION_PROCESSES_START, /* processes at the start of the recording */
  NS_ETL_COMPANION_PROCESSES_STOP,
  NS_ETL_COMPANION_LOG, /* lines of logs that were handed over with it */
  NS_ETL_N_COMPANIONS,
} NsEtlCompanion;

#define NS_ETL_COMPANION_VIEW_NAME "netstitch/view.txt"
#define NS_ETL_COMPANION_NAMES_NAME "netstitch/names.txt"
#define NS_ETL_COMPANION_MANIFEST_NAME "manifest.txt"
#define NS_ETL_COMPANION_PROCESSES_START_NAME "processes-start.csv"
#define NS_ETL_COMPANION_PROCESSES_STOP_NAME "processes-stop.csv"
#define NS_ETL_COMPANION_LOG_NAME "log.csv"
/* Maximum sizes; larger ones are truncated. The view is parsed on the main thread, in time
 * quadratic in its size. */
#define NS_ETL_MAX_VIEW_BYTES (128u << 10)
#define NS_ETL_MAX_NAMES_BYTES (64u << 20)
#define NS_ETL_MAX_MANIFEST_BYTES (64u << 10)
#define NS_ETL_MAX_PROCESSES_BYTES (8u << 20)
#define NS_ETL_MAX_LOG_BYTES (128u << 20)

/* Contents of the trace header (etl-format part 4). Texts are UTF-8 and never %NULL. */
typedef struct
{
  guint32 buffer_size;
  guint8 os_major;
  guint8 os_minor;
  guint8 layout_major;
  guint8 layout_minor;
  guint32 os_build;
  guint32 n_processors;
  guint64 end_filetime; /* 0: the session was not stopped */
  guint64 start_filetime;
  guint64 boot_filetime;
  guint32 timer_resolution;
  guint32 max_file_size; /* size limit of the file in MB; 0: none */
  guint32 mode;
  guint32 buffers_written;
  guint32 start_buffers;
  guint32 pointer_size;
  guint32 events_lost;
  guint32 buffers_lost;
  guint32 cpu_mhz;
  NsZone zone;       /* time zone of the traced machine */
  guint64 frequency; /* counts per second of a QPC clock, as in the file */
  guint32 clock;     /* clock type in the file; see ns_etl_file_get_clock() */
  guint64 base_raw;  /* raw time of the trace header record */
  char *session;
  char *log_file;
  char *timezone_standard;
  char *timezone_daylight;
} NsEtlHeader;

/* Damage at an offset of the file; readable data around it was read. */
typedef struct
{
  guint64 offset;     /* byte offset in the (unpacked) trace file */
  char *what;         /* one line without a full stop, in the user's language */
  gboolean is_beside; /* about a companion: no record is missing */
} NsEtlDamage;

/* Records of one processor. */
typedef struct
{
  guint64 first_raw; /* the earliest time of its records; 0, like @last_raw, without records */
  guint64 last_raw;
  guint64 n_records;
  guint32 n_losses; /* number of buffers before which something was lost */
} NsEtlProcessor;

/* A loss of events or buffers between two buffers of one processor. */
typedef struct
{
  guint64 begin_raw; /* the end of the buffer before; @end_raw if unknown */
  guint64 end_raw;
  guint16 cpu;
} NsEtlLoss;

/* A gap in the sequence numbers of the buffers. */
typedef struct
{
  guint64 begin_raw; /* the end of the buffer before, and the begin of the buffer after it; */
  guint64 end_raw;   /* their processors may differ, so @end_raw may be earlier */
} NsEtlSequenceGap;

/* Results of one walk over the whole file. */
typedef struct
{
  guint64 n_records; /* handed out */
  guint64 n_buffers; /* read, with the header buffer */
  guint64 n_compressed;
  guint64 n_damaged;          /* buffers with any damage */
  guint64 n_empty;            /* never written: all zero */
  guint64 n_out_of_order;     /* records whose raw time is below that of the one before in the same
                                 stream */
  guint64 n_unknown_kind;     /* skipped by their size */
  guint64 n_bad_items;        /* extended items or WPP fields that exceed their record */
  guint64 n_strays;           /* records with an implausible time, see ns_etl_file_is_stray() */
  guint64 n_bytes_dropped;    /* bytes of buffers that damage made unreadable */
  guint64 n_flag_events_lost; /* buffers with the flag "events were lost before" */
  guint64 n_flag_buffer_lost;
  guint64 n_missing;         /* buffers missing in the sequence numbers */
  guint64 missing_begin_raw; /* end of the last buffer before them, and begin of the */
  guint64 missing_end_raw;   /* first one after them; undefined if none is missing */
  gboolean is_numbered;      /* its buffers are numbered from 1 without gaps */
  guint64 back_from_raw;     /* the largest step back in time within one processor; both 0: none */
  guint64 back_to_raw;
  GArray *processors; /* (element-type NsEtlProcessor), by processor number */
  GArray *losses;     /* (element-type NsEtlLoss), at most NS_ETL_MAX_LOSSES of them */
  GArray *missing;    /* (element-type NsEtlSequenceGap), at most NS_ETL_MAX_LOSSES of them */
  GPtrArray *damage;  /* (element-type NsEtlDamage), at most NS_ETL_MAX_DAMAGE of them */
} NsEtlReport;

#define NS_ETL_MAX_DAMAGE 1000
#define NS_ETL_MAX_LOSSES 10000

/**
 * NsRecordFunc:
 * @record: a record, valid during the call only
 * @user_data: data of the caller
 *
 * Returns: %FALSE to stop the walk
 */
typedef gboolean (*NsRecordFunc) (const NsRecord *record, gpointer user_data);

/* Maximum size of a tap's result for one record. */
#define NS_RECORD_TAP_BYTES 192

/**
 * NsRecordTap:
 * @room: memory for %NS_RECORD_TAP_BYTES bytes, aligned for any type
 * @n_bytes: number of bytes to pass on, initially 0
 * @note: a number to pass on, initially 0
 *
 * What a tap passes on to the function that gets the record.
 */
typedef struct
{
  gpointer room;
  gsize n_bytes;
  guint32 note;
} NsRecordTap;

/**
 * NsRecordTapFunc:
 * @record: a record, valid during the call only
 * @tap: (inout): what to pass on with the record
 * @user_data: data of the caller
 *
 * Returns: %FALSE to skip the record
 */
typedef gboolean (*NsRecordTapFunc) (const NsRecord *record, NsRecordTap *tap, gpointer user_data);

/**
 * NsRecordAheadFunc:
 * @record: a record that will be handed out soon, valid during the call only
 * @is_near: whether this is the second call for the record, shortly before it is handed out: what
 *   the first call prefetched is then in the caches, and can be followed
 * @user_data: data of the caller
 *
 * Prefetches what the record will need.
 */
typedef void (*NsRecordAheadFunc) (const NsRecord *record, gboolean is_near, gpointer user_data);

/**
 * NsRecordRankFunc:
 * @record: a record
 *
 * Orders records with the same raw time on different processors.
 *
 * Returns: the rank, the smallest first
 */
typedef guint (*NsRecordRankFunc) (const NsRecord *record);

typedef enum
{
  NS_ETL_WALK_FILE_ORDER = 0,      /* buffer by buffer, fastest */
  NS_ETL_WALK_TIME_ORDER = 1 << 0, /* merged: raw time, then rank, then position */
  NS_ETL_WALK_READ_AHEAD = 1 << 1, /* on a separate thread, which also calls the rank function;
                                      provider numbers must not be looked up meanwhile */
} NsEtlWalkFlags;

/**
 * NsEtlPair:
 * @first: number of an input
 * @second: number of another input, larger
 * @n_in_buffers: number of records in buffers that both inputs hold
 * @n_records: number of other records that both inputs hold
 *
 * How many events two inputs of a case have both recorded.
 */
typedef struct
{
  guint first;
  guint second;
  guint64 n_in_buffers;
  guint64 n_records;
} NsEtlPair;

/**
 * NsEtlCaseFlags:
 * @NS_ETL_CASE_PLAIN: only files in a folder itself
 * @NS_ETL_CASE_RECURSIVE: files in subfolders, too
 * @NS_ETL_CASE_MEMBERS: members of a known case were named; count what else their archives hold
 *
 * How to gather the files of a case.
 */
typedef enum
{
  NS_ETL_CASE_PLAIN = 0,
  NS_ETL_CASE_RECURSIVE = 1 << 0,
  NS_ETL_CASE_MEMBERS = 1 << 1,
} NsEtlCaseFlags;

/**
 * NsEtlRefused:
 * @path: a file
 * @member: (nullable): the member, if it is an archive
 * @reason: one line without a full stop
 * @is_other_machine: it is readable, but was recorded by another computer, or after another boot
 * @is_repeated: it is open already
 * @is_of_logs: it is an archive without a trace, but with members named like logs
 * @has_names: @reason contains names of computers or of members of archives
 *
 * A named file that is not in the case.
 */
typedef struct
{
  char *path;
  char *member;
  char *reason;
  gboolean is_other_machine;
  gboolean is_repeated;
  gboolean is_of_logs;
  gboolean has_names;
} NsEtlRefused;

void ns_etl_refused_free (gpointer data);
const char *ns_etl_refused_get_reason (const NsEtlRefused *self, gboolean is_redacted);

NsEtlFile *ns_etl_file_open (const char *path, const char *member, GError **error);
NsEtlFile *ns_etl_file_open_case (const char *const *paths,
                                  const char *member,
                                  NsEtlCaseFlags flags,
                                  GError **error);
NsEtlFile *ns_etl_file_open_members (const char *const *paths,
                                     const char *const *members,
                                     NsEtlCaseFlags flags,
                                     GError **error);
NsEtlFile *ns_etl_file_join (GPtrArray *files, GError **error);
const GPtrArray *ns_etl_file_get_refused (const NsEtlFile *self);
gboolean ns_etl_path_is_of_logs (const char *path);
const GPtrArray *ns_etl_file_get_log_archives (const NsEtlFile *self);
void ns_etl_file_leave_logs (NsEtlFile *self, const char *path);
gboolean ns_etl_file_is_archive_of_logs (const NsEtlFile *self, const char *path);
void ns_etl_file_accept_logs (NsEtlFile *self, const char *path);
gboolean ns_etl_file_has_other_machines (const NsEtlFile *self);
const char *ns_etl_file_get_member (const NsEtlFile *self);
char *ns_etl_file_dup_input_name (const NsEtlFile *self, guint input);
const char *ns_etl_file_get_machine (NsEtlFile *self);
const char *ns_etl_file_get_why (const NsEtlFile *self);
gboolean ns_etl_file_has_other_name (NsEtlFile *self, NsEtlFile *other);
gboolean ns_etl_file_is_same_boot (NsEtlFile *self, NsEtlFile *other, char **why);
guint ns_etl_file_get_n_inputs (const NsEtlFile *self);
const NsEtlFile *ns_etl_file_get_input (const NsEtlFile *self, guint input);
GArray *ns_etl_file_list_pairs (const NsEtlFile *self);
guint64 ns_etl_file_get_n_duplicates (const NsEtlFile *self);
gboolean ns_etl_file_can_shift (const NsEtlFile *self, guint input, char **why);
void ns_etl_file_shift (NsEtlFile *self, guint input, gint64 offset_ns);
gint64 ns_etl_file_get_offset (const NsEtlFile *self);
gint64 ns_etl_file_get_clock_uncertainty (const NsEtlFile *self);
gboolean ns_etl_file_is_capture (const NsEtlFile *self);
guint64 ns_etl_file_get_given_size (const NsEtlFile *self);
guint ns_etl_file_get_session_of (const NsEtlFile *self, guint input);
gboolean ns_etl_file_share_clock (const NsEtlFile *self, guint a, guint b);
guint ns_etl_file_find_input (const NsEtlFile *self, guint32 buffer);
guint ns_etl_file_find_input_of_byte (const NsEtlFile *self, guint64 *offset);
NsEtlFile *ns_etl_file_open_bytes (GBytes *bytes, const char *name, GError **error);
void ns_etl_file_free (NsEtlFile *self);
gboolean ns_etl_file_use_prefix (NsEtlFile *self, guint64 n_bytes);
char **ns_etl_file_list_members (const char *path, GError **error);

const NsEtlHeader *ns_etl_file_get_header (const NsEtlFile *self);
const char *ns_etl_file_get_path (const NsEtlFile *self);
GBytes *ns_etl_file_get_companion (const NsEtlFile *self, NsEtlCompanion which);
void ns_etl_file_report_companions (NsEtlFile *self);
void ns_etl_file_add_beside (NsEtlFile *self, const NsRecordRef *where, const char *what);
guint ns_etl_file_get_n_beside (const NsEtlFile *self);
void ns_etl_file_raise_events_lost (NsEtlFile *self, guint64 n_lost);
guint64 ns_etl_file_get_size (const NsEtlFile *self);
NsClock ns_etl_file_get_clock (const NsEtlFile *self);
guint64 ns_etl_file_get_frequency (const NsEtlFile *self);
gboolean ns_etl_file_is_inside (const NsEtlFile *self, guint64 raw);
gboolean ns_etl_file_is_stray (const NsEtlFile *self, guint64 raw);
gint64 ns_etl_file_raw_to_ns (const NsEtlFile *self, guint64 raw);
guint64 ns_etl_file_raw_to_filetime (const NsEtlFile *self, guint64 raw);
guint64 ns_etl_file_ns_to_filetime (const NsEtlFile *self, gint64 time_ns);

guint ns_etl_file_get_n_providers (const NsEtlFile *self);
const NsGuid *ns_etl_file_get_provider (const NsEtlFile *self, guint provider);

void ns_etl_file_set_tap (NsEtlFile *self, NsRecordTapFunc tap, gpointer user_data);
void ns_etl_file_set_ahead (NsEtlFile *self, NsRecordAheadFunc ahead, gpointer user_data);
gboolean ns_etl_file_walk (NsEtlFile *self,
                           NsEtlWalkFlags flags,
                           NsRecordRankFunc rank,
                           NsRecordFunc func,
                           gpointer user_data,
                           NsProgressFunc progress,
                           gpointer progress_data,
                           GError **error);
gboolean ns_etl_file_walk_span (NsEtlFile *self,
                                const NsTimeSpan *span,
                                guint64 *n_before,
                                NsRecordFunc func,
                                gpointer user_data,
                                NsProgressFunc progress,
                                gpointer progress_data,
                                GError **error);
const NsEtlReport *ns_etl_file_get_report (const NsEtlFile *self);
void ns_etl_file_add_damage (NsEtlFile *self, guint64 offset, const char *what);
gboolean ns_etl_file_is_cut (const NsEtlFile *self);
gboolean ns_etl_file_find_place (const NsEtlFile *self,
                                 guint64 offset,
                                 guint32 *buffer,
                                 guint32 *pos,
                                 guint16 *cpu);
guint32 ns_etl_file_get_max_buffer (const NsEtlFile *self);
gboolean ns_etl_file_find_offset (const NsEtlFile *self, NsRecordRef ref, guint64 *offset);
guint16 ns_etl_file_get_buffer_cpu (const NsEtlFile *self, guint32 buffer);
gboolean ns_etl_file_has_buffer_header (const NsEtlFile *self, guint32 buffer);

/* Random access to records; each reader may be used by one thread at a time and caches a few
 * expanded buffers. */
NsEtlReader *ns_etl_reader_new (NsEtlFile *file);
void ns_etl_reader_free (NsEtlReader *self);
gboolean ns_etl_reader_read (NsEtlReader *self, NsRecordRef ref, NsRecord *record);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsEtlFile, ns_etl_file_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsEtlReader, ns_etl_reader_free)

G_END_DECLS
