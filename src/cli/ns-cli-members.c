/* JSON members of verbs that do not list a table: types and meanings.
 *
 * The JSON schema is generated from these rows, and `VERB --help` lists them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-help.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* clang-format off */
static const NsCliMember members[] = {
  { "info", "file", NS_TYPE_TEXT, NULL, N_("path of the trace") },
  { "info", "size", NS_TYPE_BYTES, NULL, N_("size of the file") },
  { "info", "session", NS_TYPE_TEXT, NULL, N_("name of the session that recorded it") },
  { "info", "log_file", NS_TYPE_TEXT, NULL, N_("path to which Windows wrote the trace") },
  { "info", "machine", NS_TYPE_TEXT, NULL, N_("name of the computer that recorded it") },
  { "info", "boot_time", NS_TYPE_TEXT, NULL, N_("start time of that computer, ISO 8601") },
  { "info", "os_version", NS_TYPE_TEXT, NULL, N_("version and build of Windows") },
  { "info", "pointer_size", NS_TYPE_UINT, NULL, N_("size of a pointer: 4 or 8 bytes") },
  { "info", "processors", NS_TYPE_COUNT, NULL, N_("processors of the traced machine") },
  { "info", "buffer_size", NS_TYPE_BYTES, NULL, N_("size of the session's buffers") },
  { "info", "buffers", NS_TYPE_COUNT, NULL, N_("buffers in the file") },
  { "info", "buffers_compressed", NS_TYPE_COUNT, NULL, N_("compressed buffers") },
  { "info", "buffers_damaged", NS_TYPE_COUNT, NULL, N_("buffers that could not be read completely") },
  { "info", "buffers_empty", NS_TYPE_COUNT, NULL, N_("buffers without a record") },
  { "info", "bytes_dropped", NS_TYPE_BYTES, NULL, N_("bytes that could not be read") },
  { "info", "clock", NS_TYPE_TEXT, NULL, N_("clock of the time stamps") },
  { "info", "frequency", NS_TYPE_UINT, NULL, N_("frequency of that clock in ticks per second") },
  { "info", "start_utc", NS_TYPE_TEXT, NULL, N_("start of the trace, ISO 8601") },
  { "info", "end_utc", NS_TYPE_TEXT, NULL, N_("end of the trace, ISO 8601") },
  { "info", "duration_ns", NS_TYPE_DURATION, NULL, N_("duration of the trace") },
  { "info", "timezone_bias_min", NS_TYPE_INT, NULL, N_("minutes from the machine's local time to UTC") },
  { "info", "mode", NS_TYPE_UINT, NULL, N_("log file mode, as bits") },
  { "info", "mode_names", NS_TYPE_LIST, NULL, N_("names of these bits") },
  { "info", "events", NS_TYPE_COUNT, NULL, N_("records in the file") },
  { "info", "duplicates", NS_TYPE_COUNT, NULL, N_("further records of events that several inputs recorded; each event counts once") },
  { "info", "events_lost", NS_TYPE_COUNT, NULL, N_("events lost while recording") },
  { "info", "buffers_lost", NS_TYPE_COUNT, NULL, N_("buffers lost while recording") },
  { "info", "events_missing", NS_TYPE_COUNT, NULL, N_("events missing at least: lost according to the header, the flags of the buffers or records about losses") },
  { "info", "buffers_missing", NS_TYPE_COUNT, NULL, N_("buffers missing at least: likewise, or as their sequence numbers do not occur in the file") },
  { "info", "events_undecodable", NS_TYPE_COUNT, NULL, N_("records of which only the header can be read") },
  { "info", "events_out_of_order", NS_TYPE_COUNT, NULL, N_("records that are earlier than the one before on their processor") },
  { "info", "events_outside_session", NS_TYPE_COUNT, NULL, N_("records from before or after the session") },
  { "info", "events_of_unknown_kind", NS_TYPE_COUNT, NULL, N_("records with an unknown kind of header") },
  { "info", "items_damaged", NS_TYPE_COUNT, NULL, N_("damaged extended items of records") },
  { "info", "stacks", NS_TYPE_COUNT, NULL, N_("call stacks") },
  { "info", "carried_names", NS_TYPE_COUNT, NULL, N_("number of function names embedded in a hand-over") },
  { "info", "carried_view", NS_TYPE_BOOL, NULL, N_("whether a view is embedded in it") },
  { "info", "packets", NS_TYPE_OBJECT, NULL, N_("captured packets: records, packets, appearances, truncated, dropped, lost, snap_length, components") },
  { "info", "inputs", NS_TYPE_LIST, NULL, N_("each file that is read: name, session, computer, span, events, duplicates, loss, evidence that it belongs to the others") },
  { "info", "duplicates_by_pair", NS_TYPE_LIST, NULL, N_("numbers of two inputs, and how many events both recorded") },
  { "info", "gaps", NS_TYPE_LIST, NULL, N_("discontinuities between files of one session: gap or overlap, the two files, number of the missing file, span") },
  { "info", "logs", NS_TYPE_LIST, NULL, N_("each log of another tool that was specified with it: kind, rows, lines left out, span, offset, reason if it is not read") },
  { "info", "left_out", NS_TYPE_LIST, NULL, N_("each file that was specified but is not read: its state and the reason") },
  { "info", "providers", NS_TYPE_LIST, NULL, N_("each provider: GUID, name, events, bytes, time of the first and last one, events by id") },
  { "info", "damage", NS_TYPE_LIST, NULL, N_("each damaged place: number of the input, byte offset in it, and kind of damage") },

  { "correlate", "depth", NS_TYPE_COUNT, NULL, N_("distance from the given activity, in links") },

  { "stacks", "id", NS_TYPE_ROW, NULL, N_("row of the activity") },
  { "stacks", "first", NS_TYPE_LIST, NULL, N_("frames of the stack where the work started") },
  { "stacks", "middle", NS_TYPE_LIST, NULL, N_("frames between the first and the last stack") },
  { "stacks", "last", NS_TYPE_LIST, NULL, N_("frames of the stack that called the network") },
  { "stacks", "full", NS_TYPE_LIST, NULL, N_("frames of all stacks, stitched") },
  { "stacks", "elements", NS_TYPE_LIST, NULL, N_("each stack of the chain: thread, thread switch, wait, frames") },

  { "payload", "row", NS_TYPE_ROW, NULL, N_("row of the table") },
  { "payload", "kind", NS_TYPE_TEXT, NULL, N_("request or response, headers or body") },
  { "payload", "time_ns", NS_TYPE_TIME, NULL, N_("time at which its first byte was transferred") },
  { "payload", "name", NS_TYPE_TEXT, NULL, N_("first line of the message") },
  { "payload", "bytes", NS_TYPE_BYTES, NULL, N_("number of bytes") },
  { "payload", "codings", NS_TYPE_LIST, NULL, N_("content and transfer codings that were decoded") },
  { "payload", "charset", NS_TYPE_TEXT, NULL, N_("character encoding of the text") },
  { "payload", "whole", NS_TYPE_BOOL, NULL, N_("whether it was recorded completely") },
  { "payload", "state", NS_TYPE_TEXT, NULL, N_("result of decoding") },
  { "payload", "head", NS_TYPE_TEXT, NULL, N_("headers") },
  { "payload", "text", NS_TYPE_TEXT, NULL, N_("the body, if it is text") },
  { "payload", "hex", NS_TYPE_TEXT, NULL, N_("the body in hexadecimal digits, if it is not") },
  { "payload", "table", NS_TYPE_TEXT, "--raw", N_("table of the record or packet") },
  { "payload", "source_row", NS_TYPE_ROW, "--raw", N_("row in that table") },

  { "report", "kind", NS_TYPE_TEXT, NULL, N_("process, or host of the process above") },
  { "report", "process", NS_TYPE_TEXT, NULL, N_("name of the process") },
  { "report", "pid", NS_TYPE_UINT, NULL, N_("process id") },
  { "report", "host", NS_TYPE_TEXT, NULL, N_("name or address of the host") },
  { "report", "port", NS_TYPE_PORT, NULL, N_("remote port") },
  { "report", "protocol", NS_TYPE_TEXT, NULL, N_("protocols, highest first") },
  { "report", "code", NS_TYPE_TEXT, NULL, N_("modules that called the network") },
  { "report", "hosts", NS_TYPE_COUNT, NULL, N_("different hosts") },
  { "report", "rows", NS_TYPE_COUNT, NULL, N_("operations") },
  { "report", "failed", NS_TYPE_COUNT, NULL, N_("failed operations") },
  { "report", "sent", NS_TYPE_BYTES, NULL, N_("bytes sent") },
  { "report", "received", NS_TYPE_BYTES, NULL, N_("bytes received") },
  { "report", "first_ns", NS_TYPE_TIME, NULL, N_("start of the first one") },
  { "report", "last_ns", NS_TYPE_TIME, NULL, N_("start of the last one") },

  { "pairs", "id", NS_TYPE_ROW, NULL, N_("number of the row") },
  { "pairs", "client_machine", NS_TYPE_TEXT, NULL, N_("client machine: name of the computer, else of the file") },
  { "pairs", "server_machine", NS_TYPE_TEXT, NULL, N_("server machine: name of the computer, else of the file") },
  { "pairs", "client_row", NS_TYPE_ROW, NULL, N_("row of the client's activities table") },
  { "pairs", "server_row", NS_TYPE_ROW, NULL, N_("row of the server's activities table; empty if the server did not receive the request") },
  { "pairs", "client_process", NS_TYPE_TEXT, NULL, N_("client process") },
  { "pairs", "server_process", NS_TYPE_TEXT, NULL, N_("server process") },
  { "pairs", "method", NS_TYPE_TEXT, NULL, N_("method of the request") },
  { "pairs", "url", NS_TYPE_TEXT, NULL, N_("URL of the request") },
  { "pairs", "server", NS_TYPE_TEXT, NULL, N_("name of the server as the client knows it") },
  { "pairs", "client_end", NS_TYPE_TEXT, NULL, N_("address and port of the client, as seen by the client") },
  { "pairs", "server_end", NS_TYPE_TEXT, NULL, N_("address and port of the server, as seen by the client") },
  { "pairs", "http_status", NS_TYPE_UINT, NULL, N_("HTTP status code at the client") },
  { "pairs", "open_ns", NS_TYPE_TIME, NULL, N_("start of the request at the client, by the clock of the first trace") },
  { "pairs", "duration_ns", NS_TYPE_DURATION, NULL, N_("duration at the client; sum of the five parts") },
  { "pairs", "client_queue_ns", NS_TYPE_DURATION, NULL, N_("time until the end of the request was sent") },
  { "pairs", "network_out_ns", NS_TYPE_DURATION, NULL, N_("time until the request arrived at the server") },
  { "pairs", "server_queue_ns", NS_TYPE_DURATION, NULL, N_("time in HTTP.sys until a process received the request") },
  { "pairs", "server_work_ns", NS_TYPE_DURATION, NULL, N_("time until the start of the response was sent") },
  { "pairs", "network_back_ns", NS_TYPE_DURATION, NULL, N_("time until the client received the whole response") },
  { "pairs", "uncertainty_ns", NS_TYPE_DURATION, NULL, N_("uncertainty of the two network parts: half of the shortest round trip") },
  { "pairs", "clamped", NS_TYPE_BOOL, NULL, N_("whether a part of the network was below 0, within the uncertainty, and is shown as 0") },
  { "pairs", "evidence", NS_TYPE_TEXT, NULL, N_("evidence that both are one connection: ends, sequence, nat, payload, or tls") },
  { "pairs", "confidence", NS_TYPE_UINT, NULL, N_("confidence of the match, 1 to 3") },
  { "pairs", "clock", NS_TYPE_TEXT, NULL, N_("basis of the clock alignment: exchanges, wall or hand") },
  { "pairs", "clock_offset_ns", NS_TYPE_INT, NULL, N_("time by which the second trace's clock is ahead of that of the first, besides the difference of their time zones") },
  { "pairs", "clock_drift_ppb", NS_TYPE_INT, NULL, N_("drift of that clock, in nanoseconds gained per second") },
  { "pairs", "exchanges", NS_TYPE_COUNT, NULL, N_("number of round trips used for the alignment") },

  { "symbols", "name", NS_TYPE_TEXT, NULL, N_("module") },
  { "symbols", "guid", NS_TYPE_GUID, NULL, N_("GUID of its PDB") },
  { "symbols", "age", NS_TYPE_UINT, NULL, N_("age of its PDB") },
  { "symbols", "pdb", NS_TYPE_TEXT, NULL, N_("name of its PDB") },
  { "symbols", "state", NS_TYPE_TEXT, NULL, N_("whether its symbols are there") },
  { "symbols", "reason", NS_TYPE_TEXT, NULL, N_("reason if they are not available") },
  { "symbols", "file", NS_TYPE_TEXT, NULL, N_("the file that was found") },

  { "pdb", "rva", NS_TYPE_HEX, "--rva", N_("address, relative to the module") },
  { "pdb", "symbol", NS_TYPE_TEXT, "--rva", N_("function") },
  { "pdb", "offset", NS_TYPE_BYTES, "--rva", N_("offset from the start of the function") },
  { "pdb", "file", NS_TYPE_TEXT, "--rva", N_("source file") },
  { "pdb", "line", NS_TYPE_UINT, "--rva", N_("line number in the source file") },
  { "pdb", "public", NS_TYPE_BOOL, "--rva", N_("whether the name comes from a public symbol only") },
  { "pdb", "inlines", NS_TYPE_LIST, "--rva", N_("functions inlined at the address, innermost first") },
  { "pdb", "folded", NS_TYPE_BOOL, "--rva", N_("whether several functions share the code") },
  { "pdb", "size", NS_TYPE_BYTES, "--functions", N_("length of the function's code") },
  { "pdb", "guid", NS_TYPE_GUID, "--identity", N_("GUID of the PDB") },
  { "pdb", "age", NS_TYPE_UINT, "--identity", N_("age of the PDB, as modules refer to it") },
  { "pdb", "machine", NS_TYPE_TEXT, "--identity", N_("target processor") },
  { "pdb", "stripped", NS_TYPE_BOOL, "--identity", N_("whether private symbols were removed") },
  { "pdb", "modules", NS_TYPE_COUNT, "--identity", N_("object files") },
  { "pdb", "functions", NS_TYPE_COUNT, "--identity", N_("functions") },
  { "pdb", "publics", NS_TYPE_COUNT, "--identity", N_("public symbols") },
  { "pdb", "info_age", NS_TYPE_UINT, "--identity", N_("age of the PDB, as stored in the PDB itself") },
  { "pdb", "fastlink", NS_TYPE_BOOL, "--identity", N_("whether symbols are stored in separate object files") },
  { "pdb", "damaged", NS_TYPE_COUNT, "--identity", N_("parts that could not be read") },

  { "codes", "family", NS_TYPE_TEXT, NULL, N_("kind of number, such as NTSTATUS") },
  { "codes", "value", NS_TYPE_INT, NULL, N_("the number") },
  { "codes", "hex", NS_TYPE_TEXT, NULL, N_("value in hexadecimal") },
  { "codes", "name", NS_TYPE_TEXT, NULL, N_("name of the constant") },
  { "codes", "error", NS_TYPE_BOOL, NULL, N_("whether it reports a failure") },
  { "codes", "hint", NS_TYPE_TEXT, NULL, N_("what it means in practice") },
  { "codes", "text", NS_TYPE_TEXT, NULL, N_("complete description in one line") },

  { "dump", "timecreated", NS_TYPE_INT, NULL, N_("FILETIME, 100 ns since 1601") },
  { "dump", "task_name", NS_TYPE_TEXT, NULL, N_("task of the event") },
  { "dump", "opcode_name", NS_TYPE_TEXT, NULL, N_("opcode of the event") },
  { "dump", "fields", NS_TYPE_OBJECT, NULL, N_("fields of the payload") },
};
/* clang-format on */

/* Verbs that print the fields of a table with another name. */
static const struct
{
  const char *verb;
  NsTableId table;
} others[] = {
  { "correlate", NS_TABLE_EVENTS },
  { "lanes", NS_TABLE_EVENTS },
  { "export", NS_TABLE_ACTIVITIES },
};

/**
 * ns_cli_members_next: (skip)
 * @verb: name of a verb
 * @at: (inout): position; start with 0
 *
 * Returns: (transfer none) (nullable): the next member that @verb prints; %NULL: no more
 */
const NsCliMember *
ns_cli_members_next (const char *verb, guint *at)
{
  for (; *at < G_N_ELEMENTS (members); (*at)++)
    if (strcmp (members[*at].verb, verb) == 0)
      return &members[(*at)++];
  return NULL;
}

/**
 * ns_cli_members_get_table: (skip)
 * @verb: name of a verb
 * @table: (out): the table whose fields it prints
 *
 * Returns: whether @verb prints the fields of a table
 */
gboolean
ns_cli_members_get_table (const char *verb, NsTableId *table)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (others); i++)
    if (strcmp (others[i].verb, verb) == 0)
      {
        *table = others[i].table;
        return TRUE;
      }
  return ns_table_from_name (verb, table);
}
