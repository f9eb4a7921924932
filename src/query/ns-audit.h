/* Who talked to whom: for each process its peers, with bytes, times and the code that wanted it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Modules that are named of one line. */
#define NS_AUDIT_MAX_MODULES 4

/**
 * NsAuditLine:
 * @is_process: the sums of a process; the lines of its peers follow
 * @process: row of the process; 0: not known
 * @pid: its number, or %NS_PID_UNKNOWN
 * @name: (nullable): its file name, of the trace
 * @host: (nullable): name or address of the peer; of a process and of rows without a peer %NULL
 * @port: 0: not known
 * @layers: all #NsLayers that took part
 * @code: (nullable): modules that wanted it, the one with the most rows first, with commas between
 * @n_hosts: of a process: how many peers, each counted once
 * @n_rows: operations
 * @n_failed: those of them that failed
 * @open_ns: the first begin; %NS_TIME_NONE: not known
 * @close_ns: the last end; what had not ended counts to the end of the trace
 *
 * One line of the report.
 */
typedef struct
{
  gboolean is_process;
  NsRow process;
  guint32 pid;
  const char *name;
  char *host;
  guint16 port;
  guint32 layers;
  char *code;
  guint n_hosts;
  guint n_rows;
  guint n_failed;
  guint64 sent;
  guint64 received;
  gint64 open_ns;
  gint64 close_ns;
} NsAuditLine;

typedef struct _NsAudit NsAudit;

NsAudit *ns_audit_new (const NsTrace *trace,
                       const guint32 *rows,
                       gsize n_rows,
                       NsProgressFunc progress,
                       gpointer progress_data);
void ns_audit_free (NsAudit *self);
guint ns_audit_get_n_lines (const NsAudit *self);
const NsAuditLine *ns_audit_get_line (const NsAudit *self, guint n);
char *ns_audit_dup_process (const NsAuditLine *line);
char *ns_audit_dup_layers (const NsAuditLine *line);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsAudit, ns_audit_free)

G_END_DECLS
