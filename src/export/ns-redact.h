/* Replaces hosts, users, addresses and paths in exported rows by stand-ins.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-rows.h"
#include "export/ns-redact-names.h"

G_BEGIN_DECLS

typedef struct _NsRedact NsRedact;

/* A pass over texts, for texts outside of the rows. */
typedef struct _NsRedactPass NsRedactPass;
typedef void (*NsRedactMoreFunc) (NsRedactPass *pass, gconstpointer data);

/**
 * NsRedactOptions:
 * @more: (nullable): passes each text besides the rows to ns_redact_pass_learn(); may be called
 * twice
 * @more_data: for @more
 * @progress: (nullable): called regularly; stops if it returns %FALSE
 * @progress_data: for @progress
 *
 * Texts besides the rows, and progress.
 */
typedef struct
{
  NsRedactMoreFunc more;
  gconstpointer more_data;
  NsProgressFunc progress;
  gpointer progress_data;
} NsRedactOptions;

gboolean ns_redact_is_possible (NsTableId table);
NsRedact *ns_redact_new (const NsExportRows *rows, const NsRedactOptions *options);
void ns_redact_free (NsRedact *self);
void ns_redact_pass_learn (NsRedactPass *pass, const char *text);
const GPtrArray *ns_redact_get_names (const NsRedact *self, NsRedactKind kind);
void ns_redact_apply (const NsRedact *self, const NsField *field, NsFieldValue *value);
char *ns_redact_dup_text (const NsRedact *self, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsRedact, ns_redact_free)

G_END_DECLS
