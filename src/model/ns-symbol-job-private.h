/* A job that names frames, and what tells of its modules.
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
  NsRow image;    /* the first that has it */
  GArray *wanted; /* guint64: see ns_symbol_job_wanted_of() */
} NsSymbolWanted;

typedef struct
{
  guint32 offset; /* from the begin of the function */
  guint32 line;   /* 0: the source is not known */
  gsize file;     /* where in @text the name of the source file begins */
  char *inlined;  /* (nullable): what stands inside it there, outermost first */
  char text[];
} NsSymbolName;

struct _NsSymbolJob
{
  GObject parent_instance;

  NsTrace *trace;
  GRWLock resolver_lock; /* written to replace @resolver; read by all but the main thread */
  NsResolver *resolver;
  GMutex lock;     /* over all below */
  NsMap *by_image; /* row of an image → module + 1 */
  GArray *modules; /* NsSymbolWanted */
  GThreadPool *pool;
  GHashTable *names; /* (module, address) → NsSymbolName; an empty one: none is known */
  guint batch_id;
  guint n_asked;
  guint n_named;
  guint n_open;     /* asked for, and not answered yet */
  GCond settled;    /* told when that is none */
  gint is_stopping; /* atomic: threads are waited for */
  gboolean is_online;
  gboolean is_cached_only;
  NsSymbolSettings *settings; /* by which it looks */
};

guint64 ns_symbol_job_wanted_of (guint32 rva, gboolean is_return);
char *ns_symbol_job_key_of (guint module, guint64 wanted);
void ns_symbol_job_queue_batch (NsSymbolJob *self);

G_END_DECLS
