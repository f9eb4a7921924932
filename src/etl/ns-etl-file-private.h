/* What the files of the reader share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-time.h"
#include "etl/ns-etl-align.h"
#include "etl/ns-etl-archive.h"
#include "etl/ns-etl-bounds.h"
#include "etl/ns-etl-file.h"
#include "etl/ns-etl-layout.h"
#include "etl/ns-etl-loader.h"
#include "etl/ns-etl-parse.h"
#include "etl/ns-etl-report.h"
#include "etl/ns-etl-scale.h"

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
  gboolean is_twin : 1;      /* another input of the case holds the same buffer */
  gboolean is_head_only : 1; /* likewise, but for its first record, which is the trace's header */
} NsEtlEntry;

typedef struct _NsEtlTwins NsEtlTwins;

struct _NsEtlFile
{
  char *path;
  NsEtlSource *source;
  NsEtlHeader header;
  NsEtlLayout layout;
  NsEtlParser parser;
  NsEtlClock own_clock;  /* of this file alone: that of the parser may be of a case */
  NsEtlClock read_clock; /* of an input, likewise, as the file has it */
  guint64 read_base;     /* of its header, likewise */
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
  guint n_beside;          /* places of the report that are beside the trace */
  GPtrArray *inputs;       /* (element-type NsEtlFile): what a case is joined of; NULL: one file */
  NsEtlTwins *twins;       /* of a case: what was recorded twice */
  GHashTable *pairs;       /* (element-type NsEtlPair): of a case; NULL: none */
  NsEtlScale scale;        /* of an input whose clock is not that of its case */
  gint64 uncertainty_ns;   /* of the times of such an input */
  gint64 offset_ns;        /* what was added to the times of an input */
  char *why;               /* of an input: how it was found to belong to the case */
  char *member;            /* of an archive with several; NULL: the file itself, or its only one */
  char *inside;            /* what its archive calls it; NULL: it was in none */
  char *title;             /* where several machines are looked at: which one; NULL: one is */
  char *machine;           /* name of the computer; NULL: not told, or not looked for */
  gsize has_machine;       /* it was looked for: of g_once_init_enter() */
  gboolean is_capture;     /* made of a .pcap or .pcapng file */
  guint64 captured_size;   /* of that file */
  GPtrArray *refused;      /* (element-type NsEtlRefused): NULL: none */
  GPtrArray *log_archives; /* (element-type filename): archives that may hold logs; NULL: none */
  guint number;            /* of an input among those of its case */
  guint session;           /* number of the first input that the same session wrote */
  guint first_buffer;      /* of an input: its buffers are numbered from here on */
  guint64 first_byte;      /* likewise the places in its file */
  guint64 n_duplicates;    /* of an input: records that another one has, too */
  guint64 n_step_duplicates; /* those known from stepping through alone */
};

typedef struct _NsEtlPipe NsEtlPipe;

/* One walk over a file, whatever its order. */
typedef struct
{
  NsEtlFile *file;
  GPtrArray *loaders; /* (element-type NsEtlLoader): one a file, or an input of a case */
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
gboolean ns_etl_walk_report_progress (NsEtlWalk *self, double fraction, GError **error);
void ns_etl_walk_set_no_memory (const NsEtlFile *file, GError **error);
void ns_etl_walk_request (NsEtlWalk *self, const NsEtlFile *file, guint index);
NsEtlBuffer *ns_etl_walk_take (NsEtlWalk *self, const NsEtlFile *file, guint index, GError **error);
void ns_etl_walk_give_back (NsEtlWalk *self, NsEtlBuffer *buffer);
char **ns_etl_file_list_with_others (const char *path, NsEtlArchiveOthers *others, GError **error);
gboolean ns_etl_file_has_companions (const NsEtlFile *self);
void ns_etl_join_add_up (NsEtlFile *self);
void ns_etl_join_end_step (NsEtlFile *self);
guint64 ns_etl_walk_first_raw (const NsEtlFile *file, const NsEtlBuffer *buffer, guint64 fallback);

/* One file, or those that a case is joined of. */
static inline guint
ns_etl_file_count_parts (const NsEtlFile *self)
{
  return self->inputs != NULL ? self->inputs->len : 1;
}

static inline NsEtlFile *
ns_etl_file_get_part (NsEtlFile *self, guint i)
{
  return self->inputs != NULL ? g_ptr_array_index (self->inputs, i) : self;
}

static inline gboolean
ns_etl_join_is_same_session (const NsEtlFile *a, const NsEtlFile *b)
{
  return ns_etl_header_is_same_session (&a->header, &b->header);
}

G_END_DECLS
