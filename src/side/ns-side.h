/* Files of other tools that are opened beside a trace: logs, line by line, as neutral facts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"
#include "base/ns-ip.h"
#include "base/ns-secrets.h"
#include "base/ns-zone.h"

G_BEGIN_DECLS

/* Larger files are refused, and so are lines and records behind so many. */
#define NS_SIDE_MAX_BYTES (512u << 20)
#define NS_SIDE_MAX_LINES 4000000u
/* A longer line is malformed. */
#define NS_SIDE_MAX_LINE_BYTES (1u << 20)
/* Malformed lines that are told one by one. */
#define NS_SIDE_MAX_FAULTS 100u
/* Files of one case. */
#define NS_SIDE_MAX_LOGS 200u
/* Titles of columns that are kept of a table. */
#define NS_SIDE_MAX_COLUMNS 256u

typedef enum
{
  NS_SIDE_NONE,     /* no log that is known */
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
 * @filetime: when it was written: 100 ns since 1601, UTC
 * @uncertainty_ns: half of the unit that the time is written in
 * @duration_ns: how long what it tells of took; -1: it does not say
 * @line: its number in the file, from 1
 * @text: all of it, for people
 * @action: (nullable): what was done: method, operation, event, verdict
 * @status: (nullable): how it ended
 * @process: (nullable): name of the process, or of the program that wrote it
 * @server: (nullable): name of a host in it
 * @url: (nullable): what was asked for
 * @protocol: (nullable): such as TCP
 * @remote: the other end; empty: it names none
 * @local: the end of the computer that wrote it, likewise
 * @pid: process identifier; %G_MAXUINT32: it names none
 * @tid: thread identifier, likewise
 * @part: of lines that stand in an archive, or were handed over: number of their log
 * @is_failed: it tells of a failure, or of something that was dropped
 *
 * What one line of a log tells. Texts are valid UTF-8, as they stand in the file: of what is secret
 * only that is masked which nothing but the form of the log tells.
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

/* A line that could not be read. */
typedef struct
{
  guint32 line;
  char *what; /* one English line without a full stop */
} NsSideFault;

/**
 * NsSideLog:
 * @path: the file
 * @name: the last part of it
 * @kind: what it is
 * @offset_ns: what was added to its times
 * @n_lines: lines that were read
 * @n_faults: lines that could not be read
 * @faults: (element-type NsSideFault): the first of those
 * @time_column: (nullable): title of the column that was named for its times
 * @columns: (nullable) (array zero-terminated=1): titles of the columns of a table whose time
 * column can be named, at most %NS_SIDE_MAX_COLUMNS
 * @refusal: (nullable): why nothing of it was read, one English line without a full stop
 * @is_inside: it came along with the trace and is no file
 *
 * A log, and how reading it went.
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
  gboolean is_inside;
} NsSideLog;

/**
 * NsSideOptions:
 * @zone: (nullable): of the traced machine, for times without one; %NULL: UTC
 * @near_filetime: a moment of the trace, UTC: tells the year or the day where a log does not
 * @offsets: (nullable): `FILE=SECONDS`, one a line: what is to be added to the times of a log, by
 *   its path or name
 * @time_columns: (nullable): `FILE=COLUMN` or `COLUMN`, one a line: which column of a table holds
 *   the time
 * @secrets: (nullable): what is secret; %NULL: what is usual
 *
 * How logs are to be read.
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
