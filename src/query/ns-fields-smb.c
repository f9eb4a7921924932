/* The fields of the SMB client.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/smb/ns-smb.h"
#include "findings/ns-codes.h"
#include "query/ns-field-code.h"
#include "query/ns-field-get.h"
#include "query/ns-sentence-parts.h"

#include <glib/gi18n-lib.h>

#define SMB(member) NS_FIELD_AT (NS_TABLE_SMB, NsSmbRow, member)
#define SMB2(first, second) NS_FIELD_AT2 (NS_TABLE_SMB, NsSmbRow, first, second)

static void
get_kind (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  static const char *const texts[] = {
    [NS_SMB_OPERATION] = "operation", [NS_SMB_COMMAND] = "command", [NS_SMB_CONNECT] = "connect",
    [NS_SMB_SESSION] = "session",     [NS_SMB_TREE] = "tree",       [NS_SMB_EVENT] = "event",
  };
  const NsSmbRow *smb = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, smb->kind < G_N_ELEMENTS (texts) ? texts[smb->kind] : NULL);
}

static void
get_transport (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  static const char *const texts[NS_SMB_N_TRANSPORTS] = {
    [NS_SMB_NETBT] = "NetBT", [NS_SMB_TCP] = "TCP",   [NS_SMB_RDMA] = "RDMA",
    [NS_SMB_VMBUS] = "VMBus", [NS_SMB_QUIC] = "QUIC",
  };
  const NsSmbRow *smb = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, smb->transport < NS_SMB_N_TRANSPORTS ? texts[smb->transport] : NULL);
}

static void
get_message_id (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsSmbRow *smb = ns_field_get_row (trace, row, field);

  value->v.u = smb->message_id;
  value->is_null = !smb->has_message_id;
}

static void
get_commands (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsSmbRow *smb = ns_field_get_row (trace, row, field);

  value->v.u = smb->n_commands;
  value->is_null = smb->kind != NS_SMB_OPERATION;
}

static void
get_retries (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsSmbRow *smb = ns_field_get_row (trace, row, field);

  value->v.u = smb->n_retries;
  value->is_null = smb->kind != NS_SMB_COMMAND;
}

static void
get_interim (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsSmbRow *smb = ns_field_get_row (trace, row, field);

  value->v.u = smb->is_interim;
  value->is_null = smb->kind != NS_SMB_COMMAND;
}

/* Gets a value that is true, false or unknown. */
static void
get_maybe (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsSmbRow *smb = ns_field_get_row (trace, row, field);
  gint8 maybe = G_STRUCT_MEMBER (gint8, smb, field->extra & NS_FIELD_OFFSET_MASK);

  value->v.u = maybe > 0;
  value->is_null = maybe < 0;
}

static void
get_error (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsSmbRow *smb = ns_field_get_row (trace, row, field);
  const char *command = smb->command != NS_STRING_NONE ? ns_trace_text (trace, smb->command) : NULL;

  ns_field_take_text (value,
                      ns_smb_row_fails (smb, command)
                          ? ns_field_code_to_text (NS_CODE_NTSTATUS, (guint32) smb->layer.status)
                          : NULL);
}

/* clang-format off */
static const NsField fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, SMB (file)),
  NS_FIELD ("kind", N_("Kind"), N_("An operation on a file, a command, a connect, a session, a share (tree), or an event"), TEXT, 84, 2, get_kind, SMB (kind)),
  NS_FIELD ("parent", N_("Operation"), N_("Row of the operation that the command was sent for"), ROW, 72, 0, ns_get_nonzero_u32, SMB (parent)),
  NS_FIELD ("command", N_("Command"), N_("Requested resource"), TEXT, 110, 3, ns_get_string, SMB (command)),
  NS_FIELD ("server", N_("Server"), N_("Name of the server"), TEXT, 130, 4, ns_get_string, SMB (server)),
  NS_FIELD ("share", N_("Share"), N_("Name of the share"), TEXT, 100, 5, ns_get_string, SMB (share)),
  NS_FIELD ("file", N_("File"), N_("Path within the share"), TEXT, 260, 6, ns_get_string, SMB (file)),
  NS_FIELD ("message_id", N_("Message ID"), N_("Number of the command within its connection"), UINT, 84, 0, get_message_id, SMB (message_id)),
  NS_FIELD ("async_id", N_("Async ID"), N_("Number that the server assigned to a command that it completes asynchronously"), HEX, 84, 0, ns_get_nonzero_u64, SMB (async_id)),
  NS_FIELD ("session", N_("Session"), N_("Identifier of the session"), HEX, 120, 0, ns_get_nonzero_u64, SMB (session)),
  NS_FIELD ("tree", N_("Tree"), N_("Identifier of the share within the session"), HEX, 66, 0, ns_get_nonzero_u32, SMB (tree)),
  NS_FIELD ("connection", N_("Connection"), N_("Connection of the client (VcEndpoint)"), HEX, 140, 0, ns_get_nonzero_u64, SMB (connection)),
  NS_FIELD ("transport", N_("Transport"), N_("Transport: TCP, QUIC, RDMA, VMBus or NetBT"), TEXT, 76, 0, get_transport, SMB (transport)),
  NS_FIELD ("ip", N_("IP Address"), N_("Remote address"), IP, 110, 0, ns_get_ip, SMB (remote)),
  NS_FIELD ("port", N_("Port"), N_("Remote port"), PORT, 48, 0, ns_get_port, SMB (remote)),
  NS_FIELD ("commands", N_("Commands"), N_("Number of commands of the operation"), COUNT, 80, 0, get_commands, SMB (n_commands)),
  NS_FIELD ("credit_charge", N_("Credit Charge"), N_("Credits that the command costs"), COUNT, 90, 0, ns_get_i32, SMB (credit_charge)),
  NS_FIELD ("credits_requested", N_("Credit Request"), N_("Credits that the command requests"), COUNT, 96, 0, ns_get_i32, SMB (credits_requested)),
  NS_FIELD ("credits_granted", N_("Credit Grant"), N_("Credits that the response grants"), COUNT, 96, 0, ns_get_i32, SMB (credits_granted)),
  NS_FIELD ("credit_wait_ns", N_("Credit Wait (ms)"), N_("Time that the operation waited for server credits"), DURATION, 100, 0, ns_get_i64, SMB (credit_wait_ns)),
  NS_FIELD ("interim", N_("Interim"), N_("The server sent an interim response first"), BOOL, 66, 0, get_interim, SMB (is_interim)),
  NS_FIELD ("retries", N_("Retries"), N_("Number of times that the command was resent"), COUNT, 66, 0, get_retries, SMB (n_retries)),
  NS_FIELD ("sent", N_("Sent (B)"), N_("Bytes of the command, or written by the operation"), BYTES, 84, 7, ns_get_i64, SMB (sent)),
  NS_FIELD ("received", N_("Recv (B)"), N_("Bytes read by the operation"), BYTES, 84, 8, ns_get_i64, SMB (received)),
  NS_FIELD ("status", N_("Status"), N_("Result, an NTSTATUS"), HEX, 90, 0, ns_get_layer_status, SMB (layer.status)),
  NS_FIELD ("error", N_("Error"), N_("Reason for the failure"), TEXT, 220, 10, get_error, SMB (layer.status)),
  NS_FIELD ("reason", N_("Reason"), N_("Additional reason reported by the client"), TEXT, 150, 0, ns_get_chars, SMB (reason)),
  NS_FIELD ("signed", N_("Signed"), N_("Messages of the session are signed"), BOOL, 60, 0, get_maybe, SMB (is_signed)),
  NS_FIELD ("encrypted", N_("Encrypted"), N_("Messages are encrypted"), BOOL, 72, 0, get_maybe, SMB (is_encrypted)),
  NS_FIELD ("sent_ns", N_("Sent (s)"), N_("When the command was sent; of an operation, the first one"), TIME, 84, 0, ns_get_time, SMB (sent_ns)),
  NS_FIELD ("response_ns", N_("Answered (s)"), N_("When the response was received; of an operation, the last one"), TIME, 90, 0, ns_get_time, SMB (response_ns)),
  NS_FIELD ("before_wire_ns", N_("Before Wire (ms)"), N_("Time from the start of the operation to its first command"), DURATION, 100, 0, ns_get_i64, SMB (before_wire_ns)),
  NS_FIELD ("wire_ns", N_("On Wire (ms)"), N_("Time spent waiting for a response"), DURATION, 90, 0, ns_get_i64, SMB (wire_ns)),
  NS_FIELD ("after_wire_ns", N_("After Wire (ms)"), N_("Time from the last response to the end of the operation"), DURATION, 100, 0, ns_get_i64, SMB (after_wire_ns)),
  NS_FIELD ("tcp", N_("TCP Row"), N_("Underlying connection"), ROW, 66, 0, ns_get_nonzero_u32, SMB (tcp)),
  NS_FIELD ("quic", N_("QUIC Row"), N_("Underlying QUIC connection"), ROW, 72, 0, ns_get_nonzero_u32, SMB (quic)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the requesting process"), TEXT, 120, 0, ns_get_process, SMB2 (layer.pid, layer.open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Requesting process; 4 is Windows itself: its cache, or one of its worker threads"), UINT, 68, 0, ns_get_known_u32, SMB (layer.pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Requesting thread"), UINT, 68, 0, ns_get_known_u32, SMB (layer.tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 11, ns_get_time, SMB (layer.open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 12, ns_get_time, SMB (layer.close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 9, ns_get_duration, SMB2 (layer.open_ns, layer.close_ns)),
  NS_FIELD ("opened_before_trace", N_("Before Trace"), N_("It was in progress when the trace began"), BOOL, 76, 0, ns_get_bool, SMB (layer.opened_before_trace)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was in progress when the trace ended"), BOOL, 76, 0, ns_get_still_open, SMB (layer.close_ns)),
  NS_FIELD ("confidence", N_("Confidence"), N_("Confidence of the link to the connection: 2 by addresses, thread and time, 1 by the session's address"), UINT, 76, 0, ns_get_layer_confidence, SMB (layer.confidence)),
  NS_FIELD ("evidence", N_("Evidence"), N_("Evidence for its links"), LIST, 130, 0, ns_get_evidence, SMB (layer.evidence)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, SMB (layer.activity)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, SMB2 (layer.pid, layer.open_ns)),
  NS_COLUMN ("ip_port", N_("IP address:port"), N_("Remote address and port"), TEXT, 126, 0, ns_get_ip_port, SMB (remote)),
  NS_INPUT_COLUMN (SMB2 (layer.open_ns, layer.close_ns)),
  NS_MACHINE_COLUMN (SMB (remote)),
};
/* clang-format on */

/* Formats \\srv1\data\report.docx, as far as known. */
static char *
dup_place (NsSentence *self)
{
  g_autofree char *server = ns_sentence_dup (self, "server");
  g_autofree char *share = ns_sentence_dup (self, "share");
  g_autofree char *file = ns_sentence_dup (self, "file");

  if (server == NULL)
    return file != NULL ? g_steal_pointer (&file) : ns_sentence_dup (self, "ip_port");
  return g_strconcat ("\\\\",
                      server,
                      share != NULL ? "\\" : "",
                      share != NULL ? share : "",
                      file != NULL ? "\\" : "",
                      file != NULL ? file : "",
                      NULL);
}

static void
add_smb_beginning (NsSentence *self)
{
  const NsSmbRow *row = &g_array_index (self->trace->smb, NsSmbRow, self->row);
  g_autofree char *subject = ns_sentence_dup_subject (self);
  g_autofree char *command = ns_sentence_dup (self, "command");
  g_autofree char *place = dup_place (self);
  g_autofree char *when = ns_sentence_dup_when (self, "open_ns");
  const char *where = place != NULL ? place : "?";

  if (row->kind == NS_SMB_CONNECT)
    ns_sentence_add (self, _ ("The SMB client connected to %s %s"), where, when);
  else if (row->kind == NS_SMB_SESSION)
    ns_sentence_add (self, _ ("The SMB client set up a session with %s %s"), where, when);
  else if (row->kind == NS_SMB_TREE)
    ns_sentence_add (self, _ ("The SMB client connected to the share %s %s"), where, when);
  else if (row->kind == NS_SMB_EVENT)
    /* Translators: a program, what the SMB client tells of, a time */
    ns_sentence_add (self,
                     _ ("%s encountered the SMB event “%s” %s"),
                     subject,
                     command != NULL ? command : "?",
                     when);
  else
    /* Translators: “app.exe (100) asked for “Read” of \\srv1\data\report.docx at 1.204 s” */
    ns_sentence_add (self,
                     _ ("%s requested “%s” of %s %s"),
                     subject,
                     command != NULL ? command : "?",
                     where,
                     when);
}

/* Maximum number of rows after an operation examined for its commands. */
#define MAX_ASKED 4096

/**
 * ns_sentence_add_unanswered: (skip)
 * @self: a sentence
 * @operation: a row of the table of SMB, 0-based
 *
 * Describes commands of the operation that got no response.
 */
void
ns_sentence_add_unanswered (NsSentence *self, guint32 operation)
{
  const GArray *rows = self->trace->smb;
  guint end = MIN (rows->len, operation + MAX_ASKED);
  gint64 lost_ns = 0;
  guint n = 0;
  guint i;

  for (i = operation + 1; i < end; i++)
    {
      const NsSmbRow *command = &g_array_index (rows, NsSmbRow, i);

      if (command->parent != operation + 1 || ns_time_is_set (command->response_ns) ||
          command->layer.close_ns == NS_TIME_OPEN)
        continue;
      lost_ns += command->layer.close_ns - command->layer.open_ns;
      n++;
    }
  if (n > 0)
    {
      g_autofree char *text = ns_sentence_span_to_text (lost_ns);

      ns_sentence_add (self,
                       ngettext ("%u command received no response for %s",
                                 "%u commands received no response for %s",
                                 n),
                       n,
                       text);
    }
}

static void
add_smb (NsSentence *self)
{
  const NsSmbRow *row = &g_array_index (self->trace->smb, NsSmbRow, self->row);
  g_autofree char *wire = ns_sentence_dup_span (self, "wire_ns");
  g_autofree char *error = ns_sentence_dup (self, "error");
  g_autofree char *reason = ns_sentence_dup (self, "reason");
  gint64 waited_ns;

  add_smb_beginning (self);
  if (ns_sentence_get_number (self, "credit_wait_ns", &waited_ns) && waited_ns > 0)
    {
      g_autofree char *waited = ns_sentence_span_to_text (waited_ns);

      ns_sentence_add (self, _ ("waited %s for credits"), waited);
    }
  if (wire != NULL)
    ns_sentence_add (self, _ ("the server took %s"), wire);
  if (row->kind == NS_SMB_OPERATION)
    ns_sentence_add_unanswered (self, self->row);
  if (row->received > 0)
    {
      g_autofree char *read = ns_sentence_dup_bytes (self, "received");

      ns_sentence_add (self, _ ("received %s"), read);
    }
  if (error != NULL)
    ns_sentence_add (self, _ ("failed with %s"), error);
  if (reason != NULL)
    ns_sentence_add (self, _ ("reported by the SMB client as “%s”"), reason);
  /* A row that is a single moment has no end. */
  if (row->layer.close_ns != row->layer.open_ns)
    ns_sentence_add_close (self);
}

/* Formats “Read \\srv1\data\report.docx”. */
static char *
brief_smb (const NsSentence *self)
{
  char *what = ns_sentence_dup (self, "command");
  char *where = ns_sentence_dup (self, "file");

  if (what == NULL)
    what = ns_sentence_dup (self, "kind");
  if (where == NULL)
    where = ns_brief_join ("\\", ns_sentence_dup (self, "server"), ns_sentence_dup (self, "share"));
  if (where == NULL)
    where = ns_sentence_dup (self, "ip_port");
  return ns_brief_join (" \302\267 ", what, where);
}

const NsFieldTable ns_fields_smb = {
  .name = "smb",
  .title = N_ ("SMB"),
  .needs = { NS_PROVIDER_SMB_CLIENT },
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
  .brief = brief_smb,
  .add_sentence = add_smb,
};
