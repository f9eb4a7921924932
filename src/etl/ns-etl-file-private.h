/* What the files of the reader share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-time.h"
#include "etl/ns-etl-archive.h"
#include "etl/ns-etl-bounds.h"
#include "etl/ns-etl-file.h"
#include "etl/ns-etl-layout.h"
#include "etl/ns-etl-loader.h"
#include "etl/ns-etl-parse.h"
#include "etl/ns-etl-report.h"

G_BEGIN_DECLS

/* What stepping once through a buffer told of it. */
typedef struct
{
  guint64 min_raw;
  guint64 max_raw;
  guint32 n_records;
  guint64 sequence; /* as the session numbered it */
  guint16 cpu;
  gboolean is_sorted : 1; /* by raw time */
  gboolean is_numbered : 1;
} NsEtlEntry;

struct _NsEtlFile
{
  char *path;
  NsEtlSource *source;
  NsEtlHeader header;
  NsEtlLayout layout;
  NsEtlParser parser;
  NsEtlProviders *providers;
  NsEtlReport report;
  NsEtlBounds bounds;  /* known when the file was stepped through */
  NsEtlEntry *entries; /* one a buffer; complete when the file was stepped through */
  guint n_step_damage; /* damage known from stepping through alone */
  gboolean is_stepped; /* the report knows every buffer */
  gboolean is_parsed;  /* the report knows every record */
  gboolean has_clock;  /* the file says how fast its clock goes */
  NsRecordTapFunc tap; /* NULL: none */
  gpointer tap_data;
  NsRecordAheadFunc ahead; /* NULL: none */
  gpointer ahead_data;
  GBytes *companions[NS_ETL_N_COMPANIONS]; /* each NULL: there is none */
  gboolean is_companion_cut[NS_ETL_N_COMPANIONS];
  NsEtlArchiveRest archive_rest;
  guint n_beside; /* places of the report that are beside the trace */
};

typedef struct _NsEtlPipe NsEtlPipe;

/* One walk over a file, whatever its order. */
typedef struct
{
  NsEtlFile *file;
  NsEtlLoader *loader;
  NsRecordRankFunc rank;
  const NsTimeSpan *span; /* in time order: buffers without a record of it are left out */
  guint64 n_before;       /* records of the buffers left out that lie before the span */
  NsRecordFunc func;      /* NULL: only step through */
  gpointer user_data;
  NsProgressFunc progress;
  gpointer progress_data;
  gint64 next_progress; /* monotonic time when it is due */
  double begin;         /* the part of the progress that is this walk's */
  double end;
  NsEtlPipe *pipe; /* NULL: the records go to who asked for them directly */
} NsEtlWalk;

typedef enum
{
  NS_ETL_WALK_DONE,
  NS_ETL_WALK_STOPPED, /* the caller has enough */
  NS_ETL_WALK_FAILED,
} NsEtlWalkResult;

NsEtlWalkResult ns_etl_walk_in_file_order (NsEtlWalk *self, GError **error);
NsEtlWalkResult ns_etl_walk_in_time_order (NsEtlWalk *self, GError **error);
NsEtlWalkResult ns_etl_pipe_walk (NsEtlWalk *walk,
                                  NsEtlWalkResult (*run) (NsEtlWalk *walk, GError **error),
                                  GError **error);
void ns_etl_pipe_give_back (NsEtlPipe *self, NsEtlBuffer *buffer);
gboolean ns_etl_walk_tell_progress (NsEtlWalk *self, double fraction, GError **error);
void ns_etl_walk_set_no_memory (const NsEtlFile *file, GError **error);
void ns_etl_walk_give_back (NsEtlWalk *self, NsEtlBuffer *buffer);
guint64 ns_etl_walk_first_raw (const NsEtlFile *file, const NsEtlBuffer *buffer, guint64 fallback);

G_END_DECLS
