/* SMB operations in the master table: children of the connection that carries them.
 *
 * The bytes stay with the connection, so that nothing is counted twice.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/build/ns-activities-row.h"

#include "engine/app/quic/ns-quic.h"
#include "engine/app/smb/ns-smb.h"

#include <string.h>

/* Returns whether the client sends the command on its own to maintain the connection. */
static gboolean
is_upkeep (const char *command)
{
  return command != NULL && (strcmp (command, "Echo") == 0 || strcmp (command, "Cancel") == 0 ||
                             strcmp (command, "Negotiate") == 0);
}

static const char *
command_of (const NsTrace *trace, const NsSmbRow *smb)
{
  return smb->command != NS_STRING_NONE ? ns_trace_text (trace, smb->command) : NULL;
}

/* Returns whether process, server or peer are known; a response from before the trace without
 * any has no row in the master table. */
static gboolean
is_anything (const NsSmbRow *smb)
{
  return smb->server != NS_STRING_NONE || smb->layer.pid != NS_PID_UNKNOWN ||
         !ns_endpoint_is_empty (&smb->remote);
}

static gboolean
has_row (const NsTrace *trace, const NsSmbRow *smb)
{
  if (!is_anything (smb))
    return FALSE;
  return smb->kind == NS_SMB_OPERATION ||
         (smb->kind == NS_SMB_COMMAND && smb->parent == 0 && !is_upkeep (command_of (trace, smb)));
}

/* Formats \\srv1\data\report.docx, as far as known. */
static NsString
make_url (NsBuilder *builder, const NsSmbRow *smb)
{
  NsTrace *trace = builder->trace;
  g_autoptr (GString) url = NULL;

  if (smb->server == NS_STRING_NONE)
    return NS_STRING_NONE;
  url = g_string_new ("\\\\");
  g_string_append (url, ns_trace_text (trace, smb->server));
  if (smb->share != NS_STRING_NONE)
    g_string_append_printf (url, "\\%s", ns_trace_text (trace, smb->share));
  if (smb->file != NS_STRING_NONE)
    {
      const char *file = ns_trace_text (trace, smb->file);

      g_string_append_printf (url, "\\%s", file + strspn (file, "\\"));
    }
  return ns_strings_add_len (trace->strings, url->str, url->len);
}

/* Sets the known phases, each within the remaining time of the operation; the rest is its own
 * work between commands. */
static void
set_phases (NsBuilder *builder, NsActivityRow *row, const NsSmbRow *smb)
{
  const gint64 known[] = {
    smb->credit_wait_ns,
    smb->before_wire_ns != NS_UNKNOWN ? MAX (smb->before_wire_ns - MAX (smb->credit_wait_ns, 0), 0)
                                      : NS_UNKNOWN,
    smb->wire_ns,
    smb->after_wire_ns,
  };
  static const NsPhase names[] = { NS_PHASE_QUEUE, NS_PHASE_SEND, NS_PHASE_WAIT, NS_PHASE_RECEIVE };
  gint64 close_ns = row->close_ns == NS_TIME_OPEN ? builder->trace->end_ns : row->close_ns;
  gint64 left_ns = MAX (ns_time_between (row->open_ns, close_ns), 0);
  gint64 phases[NS_N_PHASES];
  guint i;

  if (smb->wire_ns == NS_UNKNOWN && smb->credit_wait_ns <= 0)
    return;
  for (i = 0; i < NS_N_PHASES; i++)
    phases[i] = NS_UNKNOWN;
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (known[i] != NS_UNKNOWN)
      {
        phases[names[i]] = MIN (known[i], left_ns);
        left_ns -= phases[names[i]];
      }
  if (left_ns > 0)
    phases[NS_PHASE_OTHER] = left_ns;
  ns_trace_keep_row_phases (builder->trace, row, phases);
}

static NsRow
find_carrier (const NsTrace *trace, const NsSmbRow *smb)
{
  if (smb->quic != 0)
    return NS_ROW_AT (trace->quic, NsQuicRow, smb->quic)->layer.activity;
  return smb->tcp != 0 ? NS_ROW_AT (trace->tcp, NsTcpRow, smb->tcp)->activity : 0;
}

static void
annotate (NsBuilder *builder, NsRow activity, NsRow tcp)
{
  NsTrace *trace = builder->trace;

  if (activity != 0)
    NS_ROW_AT (trace->activities, NsActivityRow, activity)->layers |= NS_LAYER_SMB;
  if (tcp != 0)
    NS_ROW_AT (trace->tcp, NsTcpRow, tcp)->owner |= NS_LAYER_SMB;
}

static void
add_row (NsBuilder *builder, NsRow source, NsSmbRow *smb, NsRow parent)
{
  NsTrace *trace = builder->trace;
  NsActivityRow row;

  ns_activities_init (&row, NS_LAYER_SMB, NS_TABLE_SMB, source);
  row.parent = parent;
  row.pid = smb->layer.pid;
  row.tid = smb->layer.tid;
  row.method = smb->command;
  row.url = make_url (builder, smb);
  row.server = smb->server;
  row.remote = ns_endpoint_pool_add (trace->ends, &smb->remote);
  row.open_ns = smb->layer.open_ns;
  row.close_ns = smb->layer.close_ns;
  row.opened_before_trace = smb->layer.opened_before_trace;
  row.stack = smb->layer.stack;
  row.link = smb->layer.link;
  row.confidence = smb->layer.confidence;
  if (smb->layer.status != NS_UNKNOWN)
    {
      g_autofree char *status = g_strdup_printf ("0x%x", (guint32) smb->layer.status);

      row.status = ns_strings_add (trace->strings, status);
    }
  if (ns_smb_row_fails (smb, command_of (trace, smb)))
    ns_activities_set_error (&row, (guint32) smb->layer.status, NS_CODE_NTSTATUS);
  set_phases (builder, &row, smb);
  smb->layer.activity = ns_activities_append (builder, &row);
}

/**
 * ns_activities_add_smb:
 * @builder: the builder
 *
 * Adds a row for each operation, and for each command without one, below the row of its connection.
 */
void
ns_activities_add_smb (NsBuilder *builder)
{
  NsTrace *trace = builder->trace;
  guint i;

  for (i = 0; i < trace->smb->len; i++)
    {
      NsSmbRow *smb = &g_array_index (trace->smb, NsSmbRow, i);
      NsRow parent = find_carrier (trace, smb);

      annotate (builder, parent, smb->tcp);
      if (has_row (trace, smb))
        add_row (builder, i + 1, smb, parent);
      else if (smb->parent == 0)
        smb->layer.activity = parent;
    }
  for (i = 0; i < trace->smb->len; i++)
    {
      NsSmbRow *smb = &g_array_index (trace->smb, NsSmbRow, i);

      if (smb->parent != 0)
        smb->layer.activity = NS_ROW_AT (trace->smb, NsSmbRow, smb->parent)->layer.activity;
    }
}
