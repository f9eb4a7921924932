/* Resolves the frames of a trace in the background and reports them in batches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-event-index.h"
#include "engine/trace/ns-namer.h"
#include "model/ns-session.h"
#include "symbols/ns-resolver.h"

G_BEGIN_DECLS

/* A module of the list; a copy. */
typedef struct
{
  char *name;
  char *pdb;        /* (nullable) */
  char *key;        /* (nullable): "GUID;age" */
  guint n_embedded; /* number of addresses with embedded labels */
  NsModuleInfo info;
} NsSymbolModule;

#define NS_TYPE_SYMBOL_JOB (ns_symbol_job_get_type ())
G_DECLARE_FINAL_TYPE (NsSymbolJob, ns_symbol_job, NS, SYMBOL_JOB, GObject)

NsSymbolJob *ns_symbol_job_get_for_session (NsSession *session);
char *ns_symbol_job_dup_path (const char *path);
GPtrArray *ns_symbol_job_list_hosts (const char *path);
void ns_symbol_job_configure (NsSymbolJob *self);
char *ns_symbol_job_name_frame (NsSymbolJob *self,
                                guint32 pid,
                                guint64 address,
                                gint64 time_ns,
                                gboolean is_return,
                                gboolean *is_named);
char *ns_symbol_job_dup_source (NsSymbolJob *self,
                                guint32 pid,
                                guint64 address,
                                gint64 time_ns,
                                gboolean is_return);
void ns_symbol_job_request_all (NsSymbolJob *self);
void ns_symbol_job_retry (NsSymbolJob *self);
void ns_symbol_job_retry_module (NsSymbolJob *self, guint module);
void ns_symbol_job_stop (NsSymbolJob *self);
GPtrArray *ns_symbol_job_list_modules (NsSymbolJob *self);
char *ns_symbol_job_list_missing (NsSymbolJob *self);
gboolean ns_symbol_job_is_online (NsSymbolJob *self);
gboolean ns_symbol_job_is_cached_only (NsSymbolJob *self);
guint ns_symbol_job_count_fetching (NsSymbolJob *self, NsSymbolModule *first);
void ns_symbol_module_clear (NsSymbolModule *module);
void ns_symbol_job_count (NsSymbolJob *self, guint *n_named, guint *n_asked);

G_END_DECLS
