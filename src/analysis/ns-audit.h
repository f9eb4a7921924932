/* Communication report: the peers of each process, with bytes, times and the responsible code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Maximum number of modules named per line. */
#define NS_AUDIT_MAX_MODULES 4

/**
 * NsAuditLine:
 * @is_process: whether it has the totals of a process; the lines of its peers follow
 * @process: row of the process; 0: unknown
 * @pid: its process ID, or %NS_PID_UNKNOWN
 * @name: (nullable): its file name, owned by the trace
 * @host: (nullable): name or address of the peer; %NULL for a process and for rows without a peer
 * @port: 0: unknown
 * @layers: all #NsLayers involved
 * @code: (nullable): responsible modules, by number of rows, separated by commas
 * @n_hosts: for a process: number of distinct peers
 * @n_rows: number of operations
 * @n_failed: number of failed operations
 * @open_ns: the first begin; %NS_TIME_NONE: unknown
 * @close_ns: the last end; open operations count up to the end of the trace
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
