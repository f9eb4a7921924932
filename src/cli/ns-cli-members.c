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
  { "info", "log_file", NS_TYPE_TEXT, NULL, N_("where Windows wrote it") },
  { "info", "machine", NS_TYPE_TEXT, NULL, N_("name of the computer that recorded it") },
  { "info", "boot_time", NS_TYPE_TEXT, NULL, N_("when that computer was started, ISO 8601") },
  { "info", "os_version", NS_TYPE_TEXT, NULL, N_("version and build of Windows") },
  { "info", "pointer_size", NS_TYPE_UINT, NULL, N_("4 or 8 bytes") },
  { "info", "processors", NS_TYPE_COUNT, NULL, N_("processors of the traced machine") },
  { "info", "buffer_size", NS_TYPE_BYTES, NULL, N_("size of the session's buffers") },
  { "info", "buffers", NS_TYPE_COUNT, NULL, N_("buffers in the file") },
  { "info", "buffers_compressed", NS_TYPE_COUNT, NULL, N_("those of them that are compressed") },
  { "info", "buffers_damaged", NS_TYPE_COUNT, NULL, N_("those that could not be read to their end") },
  { "info", "buffers_empty", NS_TYPE_COUNT, NULL, N_("those without a record") },
  { "info", "bytes_dropped", NS_TYPE_BYTES, NULL, N_("what could not be read") },
  { "info", "clock", NS_TYPE_TEXT, NULL, N_("clock of the time stamps") },
  { "info", "frequency", NS_TYPE_UINT, NULL, N_("ticks of that clock a second") },
  { "info", "start_utc", NS_TYPE_TEXT, NULL, N_("first moment, ISO 8601") },
  { "info", "end_utc", NS_TYPE_TEXT, NULL, N_("last moment, ISO 8601") },
  { "info", "duration_ns", NS_TYPE_DURATION, NULL, N_("time between the two") },
  { "info", "timezone_bias_min", NS_TYPE_INT, NULL, N_("minutes from the machine's local time to UTC") },
  { "info", "mode", NS_TYPE_UINT, NULL, N_("log file mode, as bits") },
  { "info", "mode_names", NS_TYPE_LIST, NULL, N_("names of these bits") },
  { "info", "events", NS_TYPE_COUNT, NULL, N_("records in the file") },
  { "info", "duplicates", NS_TYPE_COUNT, NULL, N_("further records of events that several inputs recorded, which count once") },
  { "info", "events_lost", NS_TYPE_COUNT, NULL, N_("events lost while recording") },
  { "info", "buffers_lost", NS_TYPE_COUNT, NULL, N_("buffers lost while recording") },
  { "info", "events_undecodable", NS_TYPE_COUNT, NULL, N_("records of which only the header can be read") },
  { "info", "events_out_of_order", NS_TYPE_COUNT, NULL, N_("records that are earlier than the one before on their processor") },
  { "info", "events_outside_session", NS_TYPE_COUNT, NULL, N_("records from before or after the session") },
  { "info", "events_of_unknown_kind", NS_TYPE_COUNT, NULL, N_("records with an unknown kind of header") },
  { "info", "items_damaged", NS_TYPE_COUNT, NULL, N_("damaged extended items of records") },
  { "info", "stacks", NS_TYPE_COUNT, NULL, N_("call stacks") },
  { "info", "carried_names", NS_TYPE_COUNT, NULL, N_("function names that came with a hand-over") },
  { "info", "carried_view", NS_TYPE_BOOL, NULL, N_("whether a view came with it") },
  { "info", "packets", NS_TYPE_OBJECT, NULL, N_("captured packets: records, packets, appearances, truncated, dropped, lost, snap_length, components") },
  { "info", "inputs", NS_TYPE_LIST, NULL, N_("each file that is read: name, session, computer, span, events, duplicates, loss, why it belongs to the others") },
  { "info", "duplicates_by_pair", NS_TYPE_LIST, NULL, N_("numbers of two inputs, and how many events both recorded") },
  { "info", "gaps", NS_TYPE_LIST, NULL, N_("where files of one session do not follow each other: what is missing or overlaps, which two files, the missing one by its number, span") },
  { "info", "logs", NS_TYPE_LIST, NULL, N_("each log of another tool that was named with it: kind, rows, lines left out, span, offset, why it is not read") },
  { "info", "left_out", NS_TYPE_LIST, NULL, N_("each file that was named and is not read: its state and the reason") },
  { "info", "providers", NS_TYPE_LIST, NULL, N_("each provider: GUID, name, events, bytes, time of the first and last one, events by id") },
  { "info", "damage", NS_TYPE_LIST, NULL, N_("each damaged place: number of the input, byte offset in it, and what is wrong there") },

  { "correlate", "depth", NS_TYPE_COUNT, NULL, N_("steps from the activity that was asked for") },

  { "stacks", "id", NS_TYPE_ROW, NULL, N_("row of the activity") },
  { "stacks", "first", NS_TYPE_LIST, NULL, N_("frames of the stack where the work began") },
  { "stacks", "middle", NS_TYPE_LIST, NULL, N_("frames between the two") },
  { "stacks", "last", NS_TYPE_LIST, NULL, N_("frames of the stack that called the network") },
  { "stacks", "full", NS_TYPE_LIST, NULL, N_("frames of all stacks, stitched") },
  { "stacks", "elements", NS_TYPE_LIST, NULL, N_("each stack of the chain: thread, thread switch, wait, frames") },

  { "payload", "row", NS_TYPE_ROW, NULL, N_("row of the table") },
  { "payload", "kind", NS_TYPE_TEXT, NULL, N_("request or response, headers or body") },
  { "payload", "time_ns", NS_TYPE_TIME, NULL, N_("when its first byte travelled") },
  { "payload", "name", NS_TYPE_TEXT, NULL, N_("first line of the message") },
  { "payload", "bytes", NS_TYPE_BYTES, NULL, N_("how many") },
  { "payload", "codings", NS_TYPE_LIST, NULL, N_("content and transfer codings that were undone") },
  { "payload", "charset", NS_TYPE_TEXT, NULL, N_("character encoding of the text") },
  { "payload", "whole", NS_TYPE_BOOL, NULL, N_("whether all of it was recorded") },
  { "payload", "state", NS_TYPE_TEXT, NULL, N_("how decoding ended") },
  { "payload", "head", NS_TYPE_TEXT, NULL, N_("headers") },
  { "payload", "text", NS_TYPE_TEXT, NULL, N_("the body, if it is text") },
  { "payload", "hex", NS_TYPE_TEXT, NULL, N_("the body in hexadecimal digits, if it is not") },
  { "payload", "table", NS_TYPE_TEXT, "--raw", N_("table of the record or packet") },
  { "payload", "source_row", NS_TYPE_ROW, "--raw", N_("its row there") },

  { "report", "kind", NS_TYPE_TEXT, NULL, N_("process, or host of the process above") },
  { "report", "process", NS_TYPE_TEXT, NULL, N_("name of the process") },
  { "report", "pid", NS_TYPE_UINT, NULL, N_("process id") },
  { "report", "host", NS_TYPE_TEXT, NULL, N_("name or address of the host") },
  { "report", "port", NS_TYPE_PORT, NULL, N_("remote port") },
  { "report", "protocol", NS_TYPE_TEXT, NULL, N_("protocols, highest first") },
  { "report", "code", NS_TYPE_TEXT, NULL, N_("modules that asked for it") },
  { "report", "hosts", NS_TYPE_COUNT, NULL, N_("different hosts") },
  { "report", "rows", NS_TYPE_COUNT, NULL, N_("operations") },
  { "report", "failed", NS_TYPE_COUNT, NULL, N_("those that failed") },
  { "report", "sent", NS_TYPE_BYTES, NULL, N_("bytes sent") },
  { "report", "received", NS_TYPE_BYTES, NULL, N_("bytes received") },
  { "report", "first_ns", NS_TYPE_TIME, NULL, N_("begin of the first one") },
  { "report", "last_ns", NS_TYPE_TIME, NULL, N_("begin of the last one") },

  { "pairs", "id", NS_TYPE_ROW, NULL, N_("number of the row") },
  { "pairs", "client_machine", NS_TYPE_TEXT, NULL, N_("who asked: name of the computer, else of the file") },
  { "pairs", "server_machine", NS_TYPE_TEXT, NULL, N_("who was asked, likewise") },
  { "pairs", "client_row", NS_TYPE_ROW, NULL, N_("row of the client's activities") },
  { "pairs", "server_row", NS_TYPE_ROW, NULL, N_("row of the server's activities; without one the server did not see it") },
  { "pairs", "client_process", NS_TYPE_TEXT, NULL, N_("process that asked") },
  { "pairs", "server_process", NS_TYPE_TEXT, NULL, N_("process that answered") },
  { "pairs", "method", NS_TYPE_TEXT, NULL, N_("method of the request") },
  { "pairs", "url", NS_TYPE_TEXT, NULL, N_("what was asked for") },
  { "pairs", "server", NS_TYPE_TEXT, NULL, N_("name of the server, as the client has it") },
  { "pairs", "client_end", NS_TYPE_TEXT, NULL, N_("address and port of the client, as it has them") },
  { "pairs", "server_end", NS_TYPE_TEXT, NULL, N_("address and port of the server, as the client has them") },
  { "pairs", "http_status", NS_TYPE_UINT, NULL, N_("status of HTTP at the client") },
  { "pairs", "open_ns", NS_TYPE_TIME, NULL, N_("when the client began, by the clock of the first trace") },
  { "pairs", "duration_ns", NS_TYPE_DURATION, NULL, N_("how long it took the client; the five parts add up to it") },
  { "pairs", "client_queue_ns", NS_TYPE_DURATION, NULL, N_("before the last of the request was sent") },
  { "pairs", "network_out_ns", NS_TYPE_DURATION, NULL, N_("from there until the server had it") },
  { "pairs", "server_queue_ns", NS_TYPE_DURATION, NULL, N_("in HTTP.sys, before a process took it") },
  { "pairs", "server_work_ns", NS_TYPE_DURATION, NULL, N_("until the first of the answer was sent") },
  { "pairs", "network_back_ns", NS_TYPE_DURATION, NULL, N_("until the client had all of the answer") },
  { "pairs", "uncertainty_ns", NS_TYPE_DURATION, NULL, N_("how far the two parts of the network may be wrong: half of the quickest way there and back") },
  { "pairs", "clamped", NS_TYPE_BOOL, NULL, N_("whether a part of the network was below 0, within the uncertainty, and is shown as 0") },
  { "pairs", "evidence", NS_TYPE_TEXT, NULL, N_("why it is one connection: ends, sequence, nat, payload, or tls") },
  { "pairs", "confidence", NS_TYPE_UINT, NULL, N_("how sure that is, 1 to 3") },
  { "pairs", "clock", NS_TYPE_TEXT, NULL, N_("what the clocks were aligned by: exchanges, wall or hand") },
  { "pairs", "clock_offset_ns", NS_TYPE_INT, NULL, N_("how far the clock of the second trace is ahead of that of the first, besides what their time zones say") },
  { "pairs", "clock_drift_ppb", NS_TYPE_INT, NULL, N_("how many nanoseconds it gains in a second") },
  { "pairs", "exchanges", NS_TYPE_COUNT, NULL, N_("ways there and back that show this") },

  { "symbols", "name", NS_TYPE_TEXT, NULL, N_("module") },
  { "symbols", "guid", NS_TYPE_GUID, NULL, N_("identity of its PDB") },
  { "symbols", "age", NS_TYPE_UINT, NULL, N_("age of its PDB") },
  { "symbols", "pdb", NS_TYPE_TEXT, NULL, N_("name of its PDB") },
  { "symbols", "state", NS_TYPE_TEXT, NULL, N_("whether its symbols are there") },
  { "symbols", "reason", NS_TYPE_TEXT, NULL, N_("why not") },
  { "symbols", "file", NS_TYPE_TEXT, NULL, N_("the file that was found") },

  { "pdb", "rva", NS_TYPE_HEX, "--rva", N_("address, relative to the module") },
  { "pdb", "symbol", NS_TYPE_TEXT, "--rva", N_("function") },
  { "pdb", "offset", NS_TYPE_BYTES, "--rva", N_("from the function's begin") },
  { "pdb", "file", NS_TYPE_TEXT, "--rva", N_("source file") },
  { "pdb", "line", NS_TYPE_UINT, "--rva", N_("line in it") },
  { "pdb", "public", NS_TYPE_BOOL, "--rva", N_("whether only a public symbol names it") },
  { "pdb", "inlines", NS_TYPE_LIST, "--rva", N_("functions that are inlined there, innermost first") },
  { "pdb", "folded", NS_TYPE_BOOL, "--rva", N_("whether several functions share the code") },
  { "pdb", "size", NS_TYPE_BYTES, "--functions", N_("length of the function's code") },
  { "pdb", "guid", NS_TYPE_GUID, "--identity", N_("identity of the PDB") },
  { "pdb", "age", NS_TYPE_UINT, "--identity", N_("its age, as modules name it") },
  { "pdb", "machine", NS_TYPE_TEXT, "--identity", N_("processor it is for") },
  { "pdb", "stripped", NS_TYPE_BOOL, "--identity", N_("whether private symbols were removed") },
  { "pdb", "modules", NS_TYPE_COUNT, "--identity", N_("object files") },
  { "pdb", "functions", NS_TYPE_COUNT, "--identity", N_("functions") },
  { "pdb", "publics", NS_TYPE_COUNT, "--identity", N_("public symbols") },
  { "pdb", "info_age", NS_TYPE_UINT, "--identity", N_("its age, as it says itself") },
  { "pdb", "fastlink", NS_TYPE_BOOL, "--identity", N_("whether symbols stand in object files elsewhere") },
  { "pdb", "damaged", NS_TYPE_COUNT, "--identity", N_("parts that could not be read") },

  { "codes", "family", NS_TYPE_TEXT, NULL, N_("kind of number, such as NTSTATUS") },
  { "codes", "value", NS_TYPE_INT, NULL, N_("the number") },
  { "codes", "hex", NS_TYPE_TEXT, NULL, N_("the same, hexadecimal") },
  { "codes", "name", NS_TYPE_TEXT, NULL, N_("name of the constant") },
  { "codes", "error", NS_TYPE_BOOL, NULL, N_("whether it tells of a failure") },
  { "codes", "hint", NS_TYPE_TEXT, NULL, N_("what it means in practice") },
  { "codes", "text", NS_TYPE_TEXT, NULL, N_("all of that in one line") },

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
