/* Sentences about SMB, RPC, BITS and QUIC operations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/bits/ns-bits.h"
#include "engine/app/quic/ns-quic.h"
#include "engine/app/rpc/ns-rpc.h"
#include "query/ns-sentence-parts.h"

#include <glib/gi18n.h>

/**
 * ns_sentence_is_of_layer: (skip)
 * @row: a row of the master table
 *
 * Returns: whether ns_sentence_add_layer() can describe its begin
 */
gboolean
ns_sentence_is_of_layer (const NsActivityRow *row)
{
  return (row->protocol & (NS_LAYER_SMB | NS_LAYER_RPC | NS_LAYER_BITS)) != 0 ||
         row->source_table == NS_TABLE_QUIC;
}

static void
add_call (NsSentence *self,
          const NsActivityRow *row,
          const char *subject,
          const char *peer,
          const char *when)
{
  g_autofree char *interface = ns_sentence_dup (self, "method");
  const NsRpcRow *call = row->source_table == NS_TABLE_RPC && row->source_row > 0
                             ? NS_ROW_AT (self->trace->rpc, NsRpcRow, row->source_row)
                             : NULL;

  if (interface == NULL || call == NULL || call->opnum < 0)
    ns_sentence_add (self, _ ("%s called a procedure of %s %s"), subject, peer, when);
  else
    /* Translators: “app.exe (100) called procedure 45 of netlogon on dc1 at 1.204 s” */
    ns_sentence_add (self,
                     _ ("%s called procedure %u of %s on %s %s"),
                     subject,
                     (guint) call->opnum,
                     interface,
                     peer,
                     when);
}

/**
 * ns_sentence_add_layer: (skip)
 * @self: a sentence about a row of the master table
 * @row: that row
 * @subject: the process
 * @peer: the peer
 * @when: time and code
 *
 * Describes the begin of an SMB, RPC, BITS or QUIC operation.
 */
void
ns_sentence_add_layer (NsSentence *self,
                       const NsActivityRow *row,
                       const char *subject,
                       const char *peer,
                       const char *when)
{
  g_autofree char *url = ns_sentence_dup (self, "url");
  g_autofree char *method = ns_sentence_dup (self, "method");

  if (row->protocol & NS_LAYER_RPC)
    add_call (self, row, subject, peer, when);
  else if (row->source_table == NS_TABLE_QUIC)
    ns_sentence_add (self, _ ("%s connected to %s over QUIC %s"), subject, peer, when);
  else if (row->protocol & NS_LAYER_BITS)
    ns_sentence_add (self,
                     _ ("%s downloaded %s in the background %s"),
                     subject,
                     url != NULL ? url : peer,
                     when);
  else
    /* Translators: “app.exe (100) requested “Read” of \\srv1\data\report.docx at 1.204 s” */
    ns_sentence_add (self,
                     _ ("%s requested “%s” of %s %s"),
                     subject,
                     method != NULL ? method : "?",
                     url != NULL ? url : peer,
                     when);
}

static void
add_program (NsSentence *self, const NsBitsRow *row)
{
  g_autofree char *name = NULL;

  if (row->job_path != NS_STRING_NONE)
    name = g_strdup (ns_trace_text (self->trace, row->job_path));
  else if (row->job_pid != NS_PID_UNKNOWN)
    name = g_strdup (ns_trace_get_process_name (self->trace, row->job_pid, row->layer.open_ns));
  if (name != NULL)
    ns_sentence_add (self, _ ("on behalf of %s"), name);
}

static void
add_quic_facts (NsSentence *self, const NsQuicRow *row)
{
  g_autofree char *text = NULL;

  if (ns_time_is_set (row->handshake_begin_ns) && ns_time_is_set (row->handshake_end_ns))
    {
      text = ns_sentence_span_to_text (row->handshake_end_ns - row->handshake_begin_ns);
      ns_sentence_add (self, _ ("completed the handshake in %s"), text);
    }
}

/**
 * ns_sentence_add_layer_facts: (skip)
 * @self: a sentence about a row of the master table
 * @row: that row
 *
 * Describes properties of its layer: client process, handshake duration, commands without a
 * response.
 */
void
ns_sentence_add_layer_facts (NsSentence *self, const NsActivityRow *row)
{
  guint32 source = row->source_row - 1;

  if (row->source_row == 0)
    return;
  if (row->source_table == NS_TABLE_SMB)
    ns_sentence_add_unanswered (self, source);
  else if (row->source_table == NS_TABLE_BITS)
    add_program (self, &g_array_index (self->trace->bits, NsBitsRow, source));
  else if (row->source_table == NS_TABLE_QUIC)
    add_quic_facts (self, &g_array_index (self->trace->quic, NsQuicRow, source));
}
