/* Private types of the trace reader.
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

/* Results of the first pass over a buffer. */
typedef struct
{
  guint64 min_raw;
  guint64 max_raw;
  guint32 n_records;
  guint64 sequence; /* number within the session */
  guint16 cpu;
  gboolean is_sorted : 1; /* in order of raw time */
  gboolean is_numbered : 1;
  gboolean has_header : 1;   /* its buffer header could be read */
  gboolean is_twin : 1;      /* another input of the case holds the same buffer */
  gboolean is_head_only : 1; /* the same, except for its first record, the trace header */
} NsEtlEntry;

typedef struct _NsEtlTwins NsEtlTwins;

struct _NsEtlFile
{
  char *path;
  NsEtlSource *source;
  NsEtlHeader header;
  NsEtlLayout layout;
  NsEtlParser parser;
  NsEtlClock own_clock;  /* clock of this file; @parser has that of the case */
  NsEtlClock read_clock; /* clock as the file defines it; inputs only */
  guint64 read_base;     /* raw time of the trace header in the file; inputs only */
  NsEtlProviders *providers;
  NsEtlReport report;
  NsEtlBounds bounds;  /* complete after the first pass */
  NsEtlEntry *entries; /* one per buffer; complete after the first pass */
  guint n_step_damage; /* number of damages found by the first pass alone */
  gboolean is_stepped; /* the first pass is done: the report covers every buffer */
  gboolean is_parsed;  /* the report covers every record */
  gboolean has_clock;  /* the file defines the frequency of its clock */
  NsRecordTapFunc tap; /* NULL: none */
  gpointer tap_data;
  NsRecordAheadFunc ahead; /* NULL: none */
  gpointer ahead_data;
  GBytes *companions[NS_ETL_N_COMPANIONS]; /* each NULL if missing */
  gboolean is_companion_cut[NS_ETL_N_COMPANIONS];
  NsEtlArchiveRest archive_rest;
  guint n_beside;        /* number of damages that are about companions */
  GPtrArray *inputs;     /* (element-type NsEtlFile): inputs of a case; NULL: one file */
  NsEtlTwins *twins;     /* records that several inputs contain; cases only */
  GHashTable *pairs;     /* (element-type NsEtlPair): counts of duplicates; NULL: none */
  NsEtlScale scale;      /* conversion to the clock of the case; inputs with another clock only */
  gint64 uncertainty_ns; /* maximum error of the converted times */
  gint64 offset_ns;      /* clock correction, added to all times */
  char *why;             /* why it belongs to the case; inputs only */
  char *
      member; /* name in an archive with several traces; NULL: the file itself, or the only trace */
  char *inside;              /* name of the archive member; NULL: not from an archive */
  char *title;               /* name of the machine if several machines are shown; NULL: one is */
  char *machine;             /* name of the computer; NULL: not recorded, or not searched yet */
  gsize has_machine;         /* @machine was searched, for g_once_init_enter() */
  gboolean is_capture;       /* converted from a .pcap or .pcapng file */
  guint64 captured_size;     /* size of that capture file in bytes */
  GPtrArray *refused;        /* (element-type NsEtlRefused): NULL: none */
  GPtrArray *log_archives;   /* (element-type filename): archives that may hold logs; NULL: none */
  guint number;              /* number of the input within the case */
  guint session;             /* number of the first input of the same session */
  guint first_buffer;        /* number of its first buffer within the case */
  guint64 first_byte;        /* offset of its first byte within the case */
  guint64 n_duplicates;      /* number of records that another input has, too */
  guint64 n_step_duplicates; /* the part of @n_duplicates found by the first pass alone */
};

typedef struct _NsEtlPipe NsEtlPipe;

/* State of one walk over a file, in any order. */
typedef struct
{
  NsEtlFile *file;
  GPtrArray *loaders; /* (element-type NsEtlLoader): one per file, or per input of a case */
  NsRecordRankFunc rank;
  const NsTimeSpan *span; /* in time order: buffers without a record in it are skipped */
  guint64 n_before;       /* number of records before the span in skipped buffers */
  NsRecordFunc func;      /* NULL: only the first pass over the buffers */
  gpointer user_data;
  NsProgressFunc progress;
  gpointer progress_data;
  gint64 next_progress; /* monotonic time of the next progress report */
  double begin;         /* the range of the progress that belongs to this walk */
  double end;
  NsEtlPipe *pipe; /* NULL: records are handed out directly */
} NsEtlWalk;

typedef enum
{
  NS_ETL_WALK_DONE,
  NS_ETL_WALK_STOPPED, /* the caller stopped it */
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
NsEtlFile *ns_etl_file_open_among (NsEtlOpenFiles *files,
                                   const char *path,
                                   const char *member,
                                   GError **error);
char **ns_etl_file_list_with_others (const char *path, NsEtlArchiveOthers *others, GError **error);
gboolean ns_etl_file_has_companions (const NsEtlFile *self);
void ns_etl_join_add_up (NsEtlFile *self);
void ns_etl_join_end_step (NsEtlFile *self);
guint64 ns_etl_walk_first_raw (const NsEtlFile *file, const NsEtlBuffer *buffer, guint64 fallback);

/* Returns the number of files: 1, or the number of inputs of a case. */
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
