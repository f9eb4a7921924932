/* D48: failed remote operations of layers above requests: shared files, remote procedure calls,
 * background transfers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-findings-private.h"

#include "engine/app/bits/ns-bits.h"
#include "engine/app/rpc/ns-rpc.h"
#include "engine/app/smb/ns-smb.h"
#include "findings/ns-codes.h"

#include <glib/gi18n-lib.h>

#define ROW(trace, i) (&g_array_index ((trace)->activities, NsActivityRow, (i)))

enum
{
  STATUS_NO_SUCH_FILE = 0xc000000f,
  STATUS_OBJECT_NAME_NOT_FOUND = 0xc0000034,
  STATUS_OBJECT_PATH_NOT_FOUND = 0xc000003a,
};

/* Returns whether the failed operation was only a test whether a file exists, which programs do by
 * opening it. */
static gboolean
is_existence_test (const NsActivityRow *row)
{
  return row->source_table == NS_TABLE_SMB && row->error_family == NS_CODE_NTSTATUS &&
         (row->error == STATUS_NO_SUCH_FILE || row->error == STATUS_OBJECT_NAME_NOT_FOUND ||
          row->error == STATUS_OBJECT_PATH_NOT_FOUND);
}

static void
report_failed (NsFindings *self, NsFindingGroup *group)
{
  const NsActivityRow *row = ROW (self->trace, group->sum_a - 1);
  g_autofree char *why = ns_codes_describe (row->error_family, row->error);
  const char *what = ns_findings_text (self, row->url);
  const char *sentence;

  if (row->source_table == NS_TABLE_BITS)
    sentence = _ ("{process}: background transfers from {subject} failed: {why} (transfers: "
                  "{count}), first {what}.");
  else if (row->source_table == NS_TABLE_RPC)
    {
      what = ns_findings_text (self, row->method);
      sentence = _ ("{process}: remote calls of {what} at {subject} failed: {why} (calls: "
                    "{count}).");
    }
  else if (*what == '\0')
    {
      what = ns_findings_text (self, row->method);
      sentence = _ ("{process}: operations on files of {subject} failed: {why} (operations: "
                    "{count}), first of kind {what}.");
    }
  else
    sentence = _ ("{process}: operations on files of {subject} failed: {why} (operations: "
                  "{count}), first {what}.");
  ns_findings_report_sentence (self,
                               group,
                               is_existence_test (row)              ? NS_SEVERITY_INFO
                               : row->source_table == NS_TABLE_BITS ? NS_SEVERITY_PROBLEM
                                                                    : NS_SEVERITY_WARNING,
                               NS_FINDING_HIGH,
                               sentence,
                               "why",
                               why,
                               "what",
                               what,
                               NULL);
}

/* Returns the time of the answer that reported the failure. */
static gint64
get_answer_ns (const NsTrace *trace, const NsActivityRow *row)
{
  const NsSmbRow *smb =
      row->source_table == NS_TABLE_SMB ? NS_ROW_AT (trace->smb, NsSmbRow, row->source_row) : NULL;

  return smb != NULL && smb->response_ns != NS_TIME_NONE ? smb->response_ns : row->close_ns;
}

void
ns_find_failed_operations (NsFindings *self)
{
  const NsTrace *trace = self->trace;
  guint n;

  for (n = 0; n < self->operations->failed->len; n++)
    {
      guint i = g_array_index (self->operations->failed, guint, n);
      const NsActivityRow *row = ROW (trace, i);
      g_autofree char *host = NULL;
      g_autofree char *extra = NULL;
      NsFindingGroup *group;
      gint64 answer_ns;

      if (!row->failed || row->cancelled || row->error_family == NS_CODE_NONE ||
          (row->source_table != NS_TABLE_SMB && row->source_table != NS_TABLE_RPC &&
           row->source_table != NS_TABLE_BITS))
        continue;
      host = ns_findings_dup_host (self, row->server, row->remote);
      extra = g_strdup_printf ("%u %u %u %u",
                               row->source_table,
                               row->source_table == NS_TABLE_RPC ? row->method : 0,
                               row->error_family,
                               row->error);
      group = ns_findings_group (self, row->pid, host, extra);
      if (group->sum_a == 0)
        group->sum_a = i + 1;
      ns_findings_add (group,
                       NS_TABLE_ACTIVITIES,
                       i + 1,
                       0,
                       row->open_ns,
                       ns_findings_end (self, row->close_ns));
      answer_ns = get_answer_ns (trace, row);
      if (ns_time_is_set (answer_ns))
        ns_findings_mark_at (self, group, answer_ns);
    }
  ns_findings_report_groups (self, report_failed);
}
