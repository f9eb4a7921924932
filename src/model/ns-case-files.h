/* The files that are read together as one trace: which ones, the last removed one, and the time
 * settings of the logs among them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-log-clocks.h"
#include "model/ns-trace-loader.h"

G_BEGIN_DECLS

#define NS_TYPE_CASE_FILES (ns_case_files_get_type ())
G_DECLARE_FINAL_TYPE (NsCaseFiles, ns_case_files, NS, CASE_FILES, GObject)

NsCaseFiles *ns_case_files_new (void);
GFile *ns_case_files_get_first (NsCaseFiles *self);
guint ns_case_files_get_n (NsCaseFiles *self);
GPtrArray *ns_case_files_list (NsCaseFiles *self);
void ns_case_files_set (NsCaseFiles *self, GFile *const *files, guint n_files);
void ns_case_files_keep_opened (NsCaseFiles *self);
void ns_case_files_remember (NsCaseFiles *self, const GPtrArray *files);
gboolean
ns_case_files_offer (NsCaseFiles *self, const NsTrace *trace, guint *n_added, guint *n_gone);
GPtrArray *ns_case_files_take_offer (NsCaseFiles *self);
void ns_case_files_take_back (NsCaseFiles *self, GFile *file);
gboolean ns_case_files_has_other (NsCaseFiles *self, const char *path);
void ns_case_files_drop_other (NsCaseFiles *self, const char *path);
void ns_case_files_keep_clocks (NsCaseFiles *self, const NsTrace *trace, const NsLogClock *changed);
NsTraceLoader *ns_case_files_make_loader (NsCaseFiles *self, NsViewContext *view);
GPtrArray *ns_case_files_add (NsCaseFiles *self, const NsTrace *trace, GListModel *files);
GPtrArray *ns_case_files_remove (NsCaseFiles *self, const NsTrace *trace, const char *path);
GPtrArray *ns_case_files_put_back (NsCaseFiles *self);
const char *ns_case_files_get_removed (NsCaseFiles *self);
GPtrArray *ns_case_files_move (NsCaseFiles *self, const NsTrace *trace, const char *path, int by);
const char *ns_case_files_ask_column (NsCaseFiles *self, const NsTrace *trace);

G_END_DECLS
