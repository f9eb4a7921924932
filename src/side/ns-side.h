/* Reads logs of other tools that are opened beside a trace, into uniform lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"
#include "base/ns-ip.h"
#include "base/ns-secrets.h"
#include "base/ns-zone.h"

G_BEGIN_DECLS

/* Maximum size of a file, and maximum number of lines. */
#define NS_SIDE_MAX_BYTES (512u << 20)
#define NS_SIDE_MAX_LINES 4000000u
/* Maximum length of a line, in bytes; longer ones are malformed. */
#define NS_SIDE_MAX_LINE_BYTES (1u << 20)
/* Maximum number of malformed lines that are reported one by one. */
#define NS_SIDE_MAX_FAULTS 100u
/* Maximum number of logs in a case. */
#define NS_SIDE_MAX_LOGS 200u
/* Maximum number of column titles that are stored. */
#define NS_SIDE_MAX_COLUMNS 256u

typedef enum
{
  NS_SIDE_NONE,     /* no known log */
  NS_SIDE_W3C,      /* IIS, HTTP.sys: W3C extended log file format, UTC */
  NS_SIDE_FIREWALL, /* pfirewall.log of Windows, local time */
  NS_SIDE_SYSLOG,   /* RFC 3164, RFC 5424 */
  NS_SIDE_HAR,      /* HTTP Archive 1.2 */
  NS_SIDE_NETLOG,   /* of Chromium */
  NS_SIDE_PROCMON,  /* Process Monitor, comma separated */
  NS_SIDE_PERFMON,  /* Performance Monitor, comma separated */
  NS_SIDE_CSV,      /* any other table with a column of times */
  NS_SIDE_N_KINDS,
} NsSideKind;

/**
 * NsSideLine:
 * @filetime: time of the line: 100 ns since 1601, UTC
 * @uncertainty_ns: half of the unit of the time
 * @duration_ns: duration of the logged operation; -1: unknown
 * @line: its number in the file, from 1
 * @text: the whole line, for display
 * @action: (nullable): method, operation, event or verdict
 * @status: (nullable): result
 * @process: (nullable): name of the process, or of the logging program
 * @server: (nullable): name of a host
 * @url: (nullable): the requested URL
 * @protocol: (nullable): such as TCP
 * @remote: remote endpoint; empty: unknown
 * @local: endpoint of the logging computer; empty: unknown
 * @pid: process ID; %G_MAXUINT32: unknown
 * @tid: thread ID; %G_MAXUINT32: unknown
 * @part: index of the log of lines in an archive, or handed over
 * @is_failed: it reports a failure, or something dropped
 *
 * A parsed line of a log. Texts are valid UTF-8 as in the file; only secrets that the format of the
 * log identifies are masked.
 */
typedef struct
{
  guint64 filetime;
  gint64 uncertainty_ns;
  gint64 duration_ns;
  guint32 line;
  const char *text;
  const char *action;
  const char *status;
  const char *process;
  const char *server;
  const char *url;
  const char *protocol;
  NsEndpoint remote;
  NsEndpoint local;
  guint32 pid;
  guint32 tid;
  guint part;
  gboolean is_failed;
} NsSideLine;

/* A malformed line. */
typedef struct
{
  guint32 line;
  char *what; /* one English line without a full stop */
} NsSideFault;

/**
 * NsSideLog:
 * @path: path of the file
 * @name: its base name
 * @kind: kind of the log
 * @offset_ns: offset that was added to its times
 * @n_lines: number of lines that were read
 * @n_faults: number of malformed lines
 * @faults: (element-type NsSideFault): the first malformed lines
 * @time_column: (nullable): title of the column that the user chose for its times
 * @columns: (nullable) (array zero-terminated=1): column titles of a table whose time column can be
 *   chosen, at most %NS_SIDE_MAX_COLUMNS
 * @refusal: (nullable): why nothing was read, one line without a full stop
 * @is_embedded: the log is part of a hand-over or of an archive, and not a file
 *
 * A log, and the result of reading it.
 */
typedef struct
{
  char *path;
  char *name;
  NsSideKind kind;
  gint64 offset_ns;
  guint32 n_lines;
  guint32 n_faults;
  GArray *faults;
  char *time_column;
  char **columns;
  char *refusal;
  gboolean is_embedded;
} NsSideLog;

/**
 * NsSideOptions:
 * @zone: (nullable): zone of the traced machine, for times without one; %NULL: UTC
 * @near_filetime: a time of the trace, UTC: decides the year or day of logs without one
 * @offsets: (nullable): lines `FILE=SECONDS`: offset to add to the times of a log, by its path or
 *   name
 * @time_columns: (nullable): lines `FILE=COLUMN` or `COLUMN`: the column of a table that holds the
 *   time
 * @secrets: (nullable): what is secret; %NULL: the default
 *
 * How to read logs.
 */
typedef struct
{
  const NsZone *zone;
  guint64 near_filetime;
  const char *offsets;
  const char *time_columns;
  const NsSecrets *secrets;
} NsSideOptions;

typedef void (*NsSideLineFunc) (const NsSideLine *line, gpointer user_data);

NsSideKind ns_side_find_kind (const char *path, const char *time_columns);
NsSideKind ns_side_find_kind_of_bytes (const guint8 *bytes,
                                       gsize n_bytes,
                                       const char *path,
                                       const char *time_columns);
const char *ns_side_kind_to_text (NsSideKind kind);
void ns_side_split (const char *const *paths,
                    gboolean is_recursive,
                    const char *time_columns,
                    GPtrArray *traces,
                    GPtrArray *logs);
gboolean ns_side_parse_offset (const char *text, gint64 *offset_ns);
gboolean ns_side_check_offsets (const char *offsets, GError **error);
gboolean ns_side_find_offset (const char *offsets, const char *path, gint64 *offset_ns);

NsSideLog *ns_side_log_read (const char *path,
                             const NsSideOptions *options,
                             NsSideLineFunc func,
                             gpointer user_data);
void ns_side_log_read_bytes (char *bytes,
                             gsize n_bytes,
                             const char *path,
                             const char *damage,
                             const NsSideOptions *options,
                             GPtrArray *logs,
                             NsSideLineFunc func,
                             gpointer user_data);
void ns_side_handed_read (GBytes *bytes,
                          const char *path,
                          const char *name,
                          const NsSideOptions *options,
                          GPtrArray *logs,
                          NsSideLineFunc func,
                          gpointer user_data);
void ns_side_log_free (NsSideLog *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSideLog, ns_side_log_free)

G_END_DECLS
