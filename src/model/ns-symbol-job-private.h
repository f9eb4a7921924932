/* Internals of NsSymbolJob, shared by the ns-symbol-*.c files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-map.h"
#include "engine/trace/ns-view-context.h"
#include "model/ns-symbol-job.h"

G_BEGIN_DECLS

typedef struct
{
  NsRow image;    /* the first image of the module */
  GArray *wanted; /* guint64: see ns_symbol_job_wanted_of() */
} NsSymbolWanted;

typedef struct
{
  guint32 offset; /* from the start of the function */
  guint32 line;   /* 0 if the source is not known */
  gsize file;     /* offset in text of the name of the source file */
  char *inlined;  /* (nullable): functions inlined there, outermost first */
  char text[];
} NsSymbolName;

struct _NsSymbolJob
{
  GObject parent_instance;

  NsTrace *trace;
  GRWLock resolver_lock; /* write lock to replace resolver; read lock in all but the main thread */
  NsResolver *resolver;
  GMutex lock;     /* guards all members below */
  NsMap *by_image; /* row of an image → module + 1 */
  GArray *modules; /* NsSymbolWanted */
  GThreadPool *pool;
  GHashTable *names; /* (module, address) → NsSymbolName; an empty one if there is no name */
  guint batch_id;
  guint n_asked;
  guint n_named;
  guint n_open;     /* requested and not resolved yet */
  GCond settled;    /* signalled when n_open becomes 0 */
  gint is_stopping; /* atomic: threads are being stopped */
  gboolean is_online;
  gboolean is_cached_only;
  NsSymbolSettings *settings; /* settings of the resolver */
};

guint64 ns_symbol_job_wanted_of (guint32 rva, gboolean is_return);
char *ns_symbol_job_key_of (guint module, guint64 wanted);
void ns_symbol_job_queue_batch (NsSymbolJob *self);

G_END_DECLS
