/* The fields of QUIC connections and streams.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/quic/ns-quic.h"
#include "query/ns-field-code.h"
#include "query/ns-field-tls.h"
#include "query/ns-sentence-parts.h"

#include "findings/ns-codes.h"

#include <glib/gi18n-lib.h>

#define QUIC(member) NS_FIELD_AT (NS_TABLE_QUIC, NsQuicRow, member)
#define QUIC2(first, second) NS_FIELD_AT2 (NS_TABLE_QUIC, NsQuicRow, first, second)

static void
get_kind (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsQuicRow *quic = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, quic->is_stream ? "stream" : "connection");
}

static void
get_stream_id (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsQuicRow *quic = ns_field_get_row (trace, row, field);

  value->v.u = quic->stream_id;
  value->is_null = !quic->has_stream_id;
}

static void
get_server_side (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsQuicRow *quic = ns_field_get_row (trace, row, field);

  value->v.u = quic->server_side > 0;
  value->is_null = quic->server_side < 0;
}

static void
get_handshake (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsQuicRow *quic = ns_field_get_row (trace, row, field);

  value->is_null =
      !ns_time_is_set (quic->handshake_begin_ns) || !ns_time_is_set (quic->handshake_end_ns);
  value->v.i = value->is_null ? 0 : quic->handshake_end_ns - quic->handshake_begin_ns;
}

static void
get_lost (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsQuicRow *quic = ns_field_get_row (trace, row, field);

  value->is_null = quic->packets_suspected == NS_UNKNOWN;
  value->v.u = value->is_null
                   ? 0
                   : (guint64) MAX (quic->packets_suspected - MAX (quic->packets_spurious, 0), 0);
}

static void
get_paths (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsQuicRow *quic = ns_field_get_row (trace, row, field);

  value->v.u = quic->n_paths;
  value->is_null = quic->n_paths == 0;
}

static void
get_shutdown (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  static const char *const texts[] = {
    [NS_QUIC_NOT_SHUT] = NULL,
    [NS_QUIC_SHUT_TRANSPORT] = "transport",
    [NS_QUIC_SHUT_APPLICATION] = "application",
  };
  const NsQuicRow *quic = ns_field_get_row (trace, row, field);

  ns_field_set_chars (value, quic->shutdown < G_N_ELEMENTS (texts) ? texts[quic->shutdown] : NULL);
}

static void
get_shutdown_by (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsQuicRow *quic = ns_field_get_row (trace, row, field);

  if (quic->shut_by_peer < 0)
    ns_field_set_chars (value, NULL);
  else
    ns_field_set_chars (value, quic->shut_by_peer > 0 ? "peer" : "us");
}

static void
get_error (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  const NsQuicRow *quic = ns_field_get_row (trace, row, field);
  char *text = NULL;

  if (quic->layer.status != NS_UNKNOWN && quic->has_alert)
    {
      const NsCode *code = ns_codes_find (NS_CODE_TLS, quic->alert);

      text = code != NULL ? g_strdup_printf ("TLS alert %u (%s)", quic->alert, code->name)
                          : g_strdup_printf ("TLS alert %u", quic->alert);
    }
  else if (quic->layer.status != NS_UNKNOWN &&
           ns_codes_is_error (quic->status_family, quic->layer.status))
    text = ns_codes_describe (quic->status_family, quic->layer.status);
  ns_field_take_text (value, text);
}

/* clang-format off */
static const NsField fields[] = {
  NS_FIELD ("id", N_("Row"), N_("Number of the row; the same file always gives the same numbers"), UINT, 68, 0, ns_get_id, QUIC (connection)),
  NS_FIELD ("kind", N_("Kind"), N_("A connection, or a stream of one"), TEXT, 84, 2, get_kind, QUIC (is_stream)),
  NS_FIELD ("parent", N_("Parent"), N_("Row of the connection that contains the stream"), ROW, 58, 0, ns_get_nonzero_u32, QUIC (parent)),
  NS_FIELD ("connection", N_("Connection"), N_("Pointer of the connection"), HEX, 130, 0, ns_get_nonzero_u64, QUIC (connection)),
  NS_FIELD ("stream", N_("Stream"), N_("Pointer of the stream"), HEX, 130, 0, ns_get_nonzero_u64, QUIC (stream)),
  NS_FIELD ("stream_id", N_("Stream ID"), N_("Number of the stream in its connection"), UINT, 76, 3, get_stream_id, QUIC (stream_id)),
  NS_FIELD ("server_side", N_("Accepted"), N_("This machine is the server"), BOOL, 76, 0, get_server_side, QUIC (server_side)),
  NS_FIELD ("correlation", N_("Correlation ID"), N_("Correlation ID that MsQuic assigned to the connection"), UINT, 90, 0, ns_get_i64, QUIC (correlation)),
  NS_FIELD ("version", N_("Version"), N_("Version of QUIC"), HEX, 84, 0, ns_get_nonzero_u32, QUIC (version)),
  NS_FIELD ("local_ip", N_("Local Address"), N_("Address of this machine"), IP, 110, 0, ns_get_ip, QUIC (local)),
  NS_FIELD ("local_port", N_("Local Port"), N_("Port of this machine"), UINT, 76, 0, ns_get_port, QUIC (local)),
  NS_FIELD ("ip", N_("Address"), N_("Address of the other side"), IP, 110, 0, ns_get_ip, QUIC (remote)),
  NS_FIELD ("port", N_("Port"), N_("Port of the other side"), UINT, 58, 0, ns_get_port, QUIC (remote)),
  NS_FIELD ("server", N_("Server"), N_("Name of the other side"), TEXT, 150, 4, ns_get_string, QUIC (server)),
  NS_FIELD ("source_cids", N_("Source IDs"), N_("Connection IDs of this side"), LIST, 150, 0, ns_get_string_list, QUIC (source_cids)),
  NS_FIELD ("destination_cids", N_("Destination IDs"), N_("Connection IDs of the other side"), LIST, 150, 0, ns_get_string_list, QUIC (destination_cids)),
  NS_FIELD ("handshake_ns", N_("Handshake (ms)"), N_("Time from the start of the handshake to its end"), DURATION, 100, 8, get_handshake, QUIC (handshake_end_ns)),
  NS_FIELD ("rtt_us", N_("RTT (µs)"), N_("Last smoothed round-trip time"), COUNT, 76, 9, ns_get_i64, QUIC (rtt_us)),
  NS_FIELD ("congestion_control", N_("Congestion Control"), N_("Congestion control algorithm"), TEXT, 90, 0, ns_get_string, QUIC (congestion_control)),
  NS_FIELD ("sent", N_("Sent (B)"), N_("Bytes sent"), BYTES, 84, 6, ns_get_i64, QUIC (sent)),
  NS_FIELD ("received", N_("Recv (B)"), N_("Bytes received"), BYTES, 90, 7, ns_get_i64, QUIC (received)),
  NS_FIELD ("packets_sent", N_("Packets Sent"), N_("Packets sent"), COUNT, 90, 0, ns_get_i64, QUIC (packets_sent)),
  NS_FIELD ("packets_received", N_("Packets Received"), N_("Packets received"), COUNT, 90, 0, ns_get_i64, QUIC (packets_received)),
  NS_FIELD ("packets_lost", N_("Packets Lost"), N_("Packets that were lost: suspected losses minus spurious ones"), COUNT, 90, 10, get_lost, QUIC (packets_suspected)),
  NS_FIELD ("packets_spurious_lost", N_("Spurious Losses"), N_("Packets that were considered lost but arrived later"), COUNT, 90, 0, ns_get_i64, QUIC (packets_spurious)),
  NS_FIELD ("packets_dropped", N_("Packets Dropped"), N_("Packets that were received and dropped"), COUNT, 90, 0, ns_get_i64, QUIC (packets_dropped)),
  NS_FIELD ("packets_reordered", N_("Packets Reordered"), N_("Packets that arrived out of order"), COUNT, 90, 0, ns_get_i64, QUIC (packets_reordered)),
  NS_FIELD ("congestion_events", N_("Congestion Events"), N_("Number of times that the send rate was reduced due to congestion"), COUNT, 90, 0, ns_get_i64, QUIC (congestion_events)),
  NS_FIELD ("paths", N_("Paths"), N_("Number of paths that the connection used: more than one after a migration"), COUNT, 58, 0, get_paths, QUIC (n_paths)),
  NS_FIELD ("shutdown", N_("Shutdown"), N_("Layer that ended the connection: transport or application"), TEXT, 84, 12, get_shutdown, QUIC (shutdown)),
  NS_FIELD ("shutdown_by", N_("Shutdown By"), N_("Side that ended the connection: peer or us"), TEXT, 84, 13, get_shutdown_by, QUIC (shut_by_peer)),
  NS_FIELD ("status", N_("Status"), N_("Error code with which the connection ended"), HEX, 90, 0, ns_get_layer_status, QUIC (layer.status)),
  NS_FIELD ("error", N_("Error"), N_("Reason for the failure"), TEXT, 220, 11, get_error, QUIC (layer.status)),
  NS_FIELD ("error_text", N_("Error Text"), N_("Description of the last error by MsQuic"), TEXT, 220, 0, ns_get_string, QUIC (error_text)),
  NS_TLS_FIELDS (NS_TABLE_QUIC),
  NS_FIELD ("udp", N_("UDP Row"), N_("Row of the UDP flow that carries it"), ROW, 66, 0, ns_get_nonzero_u32, QUIC (udp)),
  NS_FIELD ("process", N_("Process Name"), N_("File name of the process"), TEXT, 120, 0, ns_get_process, QUIC2 (layer.pid, layer.open_ns)),
  NS_FIELD ("pid", N_("PID"), N_("Process identifier"), UINT, 68, 0, ns_get_known_u32, QUIC (layer.pid)),
  NS_FIELD ("tid", N_("Thread"), N_("Thread that opened it"), UINT, 68, 0, ns_get_known_u32, QUIC (layer.tid)),
  NS_FIELD ("open_ns", N_("Open (s)"), N_("When it began"), TIME, 84, 15, ns_get_time, QUIC (layer.open_ns)),
  NS_FIELD ("close_ns", N_("Close (s)"), N_("When it ended"), TIME, 84, 16, ns_get_time, QUIC (layer.close_ns)),
  NS_FIELD ("duration_ns", N_("Duration (ms)"), N_("Time from its start to its end, or to the end of the trace"), DURATION, 90, 14, ns_get_duration, QUIC2 (layer.open_ns, layer.close_ns)),
  NS_FIELD ("opened_before_trace", N_("Before Trace"), N_("It was in progress when the trace began"), BOOL, 76, 0, ns_get_bool, QUIC (layer.opened_before_trace)),
  NS_FIELD ("still_open", N_("Still Open"), N_("It was in progress when the trace ended"), BOOL, 76, 0, ns_get_still_open, QUIC (layer.close_ns)),
  NS_FIELD ("confidence", N_("Confidence"), N_("Confidence of the link to the UDP flow: 2 by addresses and time"), UINT, 76, 0, ns_get_layer_confidence, QUIC (layer.confidence)),
  NS_FIELD ("evidence", N_("Evidence"), N_("Evidence for the link"), LIST, 110, 0, ns_get_evidence, QUIC (layer.evidence)),
  NS_FIELD ("activity", N_("Activity"), N_("Related row of the master table"), ROW, 66, 0, ns_get_nonzero_u32, QUIC (layer.activity)),
  NS_COLUMN ("process_pid", N_("Process"), N_("The process and its identifier"), TEXT, 150, 1, ns_get_process_with_pid, QUIC2 (layer.pid, layer.open_ns)),
  NS_COLUMN ("ip_port", N_("Address"), N_("Address and port of the other side"), TEXT, 150, 5, ns_get_ip_port, QUIC (remote)),
  NS_INPUT_COLUMN (QUIC2 (layer.open_ns, layer.close_ns)),
  NS_MACHINE_COLUMN (QUIC (remote)),
};
/* clang-format on */

static void
add_quic (NsSentence *self)
{
  g_autofree char *subject = ns_sentence_dup_subject (self);
  g_autofree char *kind = ns_sentence_dup (self, "kind");
  g_autofree char *peer = ns_sentence_dup (self, "ip_port");
  g_autofree char *server = ns_sentence_dup (self, "server");
  g_autofree char *when = ns_sentence_dup_when (self, "open_ns");
  g_autofree char *sent = ns_sentence_dup_bytes (self, "sent");
  g_autofree char *received = ns_sentence_dup_bytes (self, "received");
  g_autofree char *error = ns_sentence_dup (self, "error");
  gint64 handshake_ns;
  gint64 n_bytes;
  gint64 n_lost;
  gint64 paths;

  /* Translators: a program, “connection” or “stream”, the peer, a time */
  ns_sentence_add (self,
                   _ ("%s had a QUIC %s with %s %s"),
                   subject,
                   kind != NULL ? kind : "?",
                   server != NULL ? server
                   : peer != NULL ? peer
                                  : "?",
                   when);
  if (ns_sentence_get_number (self, "handshake_ns", &handshake_ns))
    {
      g_autofree char *text = ns_sentence_span_to_text (handshake_ns);

      ns_sentence_add (self, _ ("completed the handshake in %s"), text);
    }
  if (ns_sentence_get_number (self, "sent", &n_bytes))
    ns_sentence_add (self, _ ("sent %s"), sent);
  if (ns_sentence_get_number (self, "received", &n_bytes))
    ns_sentence_add (self, _ ("received %s"), received);
  if (ns_sentence_get_number (self, "packets_lost", &n_lost) && n_lost > 0)
    ns_sentence_add (self, _ ("lost packets: %u"), (guint) n_lost);
  if (ns_sentence_get_number (self, "paths", &paths) && paths > 1)
    ns_sentence_add (self, _ ("used %u paths"), (guint) paths);
  if (error != NULL)
    ns_sentence_add (self, _ ("failed with %s"), error);
  ns_sentence_add_close (self);
}

static char *
brief_quic (const NsSentence *self)
{
  char *peer = ns_sentence_dup (self, "server");

  if (peer == NULL)
    peer = ns_sentence_dup (self, "ip_port");
  return ns_brief_join (" \302\267 ", ns_sentence_dup (self, "kind"), peer);
}

const NsFieldTable ns_fields_quic = {
  .name = "quic",
  .title = N_ ("QUIC"),
  .needs = { NS_PROVIDER_MSQUIC, NS_PROVIDER_WINQUIC },
  .fields = fields,
  .n_fields = G_N_ELEMENTS (fields),
  .brief = brief_quic,
  .add_sentence = add_quic,
};
