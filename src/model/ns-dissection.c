/* Dissects a packet with Wireshark's sharkd or tshark, whichever is installed.
 *
 * A thread writes the packet and the earlier packets of its conversation to a temporary file, has
 * it read by a waiting sharkd (ns-sharkd) or by tshark (PDML, doc/README.xml-output of Wireshark),
 * and removes the file. Secrets are masked in the file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-dissection.h"

#include "base/ns-error.h"
#include "engine/net/packets/ns-packet-row.h"
#include "export/ns-export-file.h"
#include "export/ns-export-pcap.h"
#include "model/ns-packet-fields.h"
#include "query/ns-row-packets.h"
#include "side/ns-side-json.h"
#include "wire/ns-wire-link.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

/* Maximum number of earlier packets of the conversation in the file. */
#define MAX_BEFORE 500
/* Timeout of sharkd, and then of tshark. */
#define TIMEOUT_S 10
#define MAX_OUTPUT (16 * 1024 * 1024)
#define MAX_DEPTH_SHOWN 60

typedef struct
{
  NsTrace *trace;
  guint32 row;
  NsSharkd *sharkd;
  char *sharkd_program; /* both programs are nullable */
  char *tshark_program;
  GCancellable *timeouts[2]; /* cancel sharkd and tshark on timeout */
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  ns_trace_unref (self->trace);
  ns_sharkd_unref (self->sharkd);
  g_free (self->sharkd_program);
  g_free (self->tshark_program);
  g_object_unref (self->timeouts[0]);
  g_object_unref (self->timeouts[1]);
  g_free (self);
}

typedef struct
{
  NsEventFacts *facts;
  guint depth;
  guint skipped; /* depth inside a hidden element */
  NsWireLink link;
} Parse;

static const char *
find_attribute (const char **names, const char **values, const char *name)
{
  guint i;

  for (i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], name) == 0)
      return values[i];
  return NULL;
}

static guint32
get_number (const char *text)
{
  guint64 number = 0;

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &number, NULL)
             ? (guint32) number
             : 0;
}

/* Returns whether the field is in the bytes of the frame; fields of reassembled data are not. */
static gboolean
is_in_frame (const NsEventFacts *facts, const NsEventFact *fact, const char *hex)
{
  guint32 i;

  if (fact->offset > facts->n_bytes || fact->size > facts->n_bytes - fact->offset)
    return FALSE;
  if (hex == NULL || strlen (hex) != (gsize) fact->size * 2)
    return hex == NULL || *hex == '\0' || strlen (hex) < (gsize) fact->size * 2;
  for (i = 0; i < fact->size; i++)
    if ((g_ascii_xdigit_value (hex[2 * i]) << 4 | g_ascii_xdigit_value (hex[2 * i + 1])) !=
        facts->bytes[fact->offset + i])
      return FALSE;
  return TRUE;
}

/* Converts an offset in the file to one in the captured bytes. The file lacks the padding that
 * drivers add between headers of 802.11 frames. */
static guint32
put_right (const Parse *self, guint32 offset)
{
  return offset + 8 + self->link.gap >= self->link.size ? offset + (guint32) self->link.gap
                                                        : offset;
}

/* Adds a line as Wireshark shows it, usually a name and a value. */
static void
add_fact (Parse *self, NsEventFact *fact, const char *text, const char *hex)
{
  const char *colon = strstr (text, ": ");

  fact->type = "";
  fact->depth = (guint8) MIN (self->depth, MAX_DEPTH_SHOWN);
  fact->part = NS_EVENT_PART_FIELD;
  fact->name = colon != NULL ? g_strndup (text, (gsize) (colon - text)) : g_strdup (text);
  fact->value = g_strdup (colon != NULL ? colon + 2 : "");
  fact->offset = put_right (self, fact->offset);
  if (!is_in_frame (self->facts, fact, hex))
    fact->offset = fact->size = 0;
  memset (self->facts->known + fact->offset, 1, fact->size);
  g_array_append_val (self->facts->facts, *fact);
}

static void
add_element (Parse *self, const char **names, const char **values)
{
  const char *text = find_attribute (names, values, "showname");
  const char *show = find_attribute (names, values, "show");
  const char *name = find_attribute (names, values, "name");
  NsEventFact fact = { .offset = get_number (find_attribute (names, values, "pos")),
                       .size = get_number (find_attribute (names, values, "size")) };

  if (self->facts->facts->len >= NS_EVENT_MAX_FACTS)
    {
      self->facts->is_cut = TRUE;
      return;
    }
  if (text == NULL)
    text = show != NULL ? show : name != NULL ? name : "";
  add_fact (self, &fact, text, find_attribute (names, values, "value"));
}

static void
start_cb (GMarkupParseContext *context,
          const char *element,
          const char **names,
          const char **values,
          gpointer data,
          GError **error)
{
  Parse *self = data;
  const char *name = find_attribute (names, values, "name");
  gboolean is_proto = strcmp (element, "proto") == 0;

  if (!is_proto && strcmp (element, "field") != 0)
    return;
  if (self->skipped > 0 || g_strcmp0 (find_attribute (names, values, "hide"), "yes") == 0 ||
      (is_proto && (g_strcmp0 (name, "geninfo") == 0 || g_strcmp0 (name, "frame") == 0)))
    self->skipped++;
  else
    add_element (self, names, values);
  self->depth++;
}

static void
end_cb (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  Parse *self = data;

  if (strcmp (element, "proto") != 0 && strcmp (element, "field") != 0)
    return;
  self->depth--;
  if (self->skipped > 0)
    self->skipped--;
}

static gboolean
parse_pdml (Parse *self, const char *text, gsize size, GError **error)
{
  static const GMarkupParser parser = { .start_element = start_cb, .end_element = end_cb };
  g_autoptr (GMarkupParseContext) context = g_markup_parse_context_new (&parser, 0, self, NULL);

  return g_markup_parse_context_parse (context, text, (gssize) size, error) &&
         g_markup_parse_context_end_parse (context, error);
}

/* Reads a range of the frame: offset and number of bytes. */
static void
take_place (NsSideJson *json, NsEventFact *fact)
{
  double numbers[2] = { 0 };
  gboolean is_first = TRUE;
  guint n = 0;

  if (!ns_side_json_enter (json, '['))
    return;
  while (ns_side_json_next (json, ']', &is_first))
    if (n < 2)
      ns_side_json_take_number (json, &numbers[n++]);
    else
      ns_side_json_skip (json);
  fact->offset = (guint32) CLAMP (numbers[0], 0, G_MAXUINT16);
  fact->size = (guint32) CLAMP (numbers[1], 0, G_MAXUINT16);
}

/* A field in sharkd's answer; below is the array of its child fields. */
typedef struct
{
  GString *label;
  NsEventFact fact;
  gboolean is_hidden;
  NsSideJson below;
  gboolean has_below;
} Node;

static void
read_node (NsSideJson *json, GString *word, Node *node)
{
  gboolean is_first = TRUE;
  gboolean is_proto = FALSE;
  gboolean is_frame = FALSE;
  gboolean is_elsewhere = FALSE;

  while (ns_side_json_next_key (json, &is_first, word))
    if (strcmp (word->str, "l") == 0)
      ns_side_json_take_text (json, node->label);
    else if (strcmp (word->str, "h") == 0)
      take_place (json, &node->fact);
    else if (strcmp (word->str, "n") == 0)
      {
        node->below = *json;
        node->has_below = TRUE;
        ns_side_json_skip (json);
      }
    else if (strcmp (word->str, "t") == 0)
      is_proto = ns_side_json_take_text (json, word) && strcmp (word->str, "proto") == 0;
    else if (strcmp (word->str, "f") == 0)
      is_frame = ns_side_json_take_text (json, word) && strcmp (word->str, "frame") == 0;
    else
      {
        /* Data source: bytes reassembled from several frames. */
        is_elsewhere |= strcmp (word->str, "ds") == 0;
        node->is_hidden |= strcmp (word->str, "v") == 0;
        ns_side_json_skip (json);
      }
  node->is_hidden |= is_proto && is_frame;
  if (is_elsewhere)
    node->fact.offset = node->fact.size = 0;
}

/* Reads an array of fields with their child fields. */
static void
read_nodes (Parse *self, NsSideJson *json, GString *word)
{
  g_autoptr (GString) label = g_string_new (NULL);
  gboolean is_first = TRUE;

  if (!ns_side_json_enter (json, '['))
    return;
  while (ns_side_json_next (json, ']', &is_first))
    {
      Node node = { .label = label };

      g_string_truncate (label, 0);
      if (!ns_side_json_enter (json, '{'))
        continue;
      read_node (json, word, &node);
      if (json->is_broken || node.is_hidden)
        continue;
      if (self->facts->facts->len >= NS_EVENT_MAX_FACTS)
        {
          self->facts->is_cut = TRUE;
          continue;
        }
      add_fact (self, &node.fact, label->str, NULL);
      if (!node.has_below || self->depth >= MAX_DEPTH_SHOWN)
        continue;
      self->depth++;
      read_nodes (self, &node.below, word);
      self->depth--;
    }
}

static gboolean
parse_json (Parse *self, const char *text)
{
  g_autoptr (GString) word = g_string_new (NULL);
  gboolean is_first = TRUE;
  NsSideJson json;

  ns_side_json_init (&json, text, strlen (text));
  if (!ns_side_json_enter (&json, '{'))
    return FALSE;
  while (ns_side_json_next_key (&json, &is_first, word))
    {
      gboolean is_first_inside = TRUE;

      if (strcmp (word->str, "result") != 0)
        ns_side_json_skip (&json);
      else if (ns_side_json_enter (&json, '{'))
        {
          while (ns_side_json_next_key (&json, &is_first_inside, word))
            if (strcmp (word->str, "tree") == 0)
              read_nodes (self, &json, word);
            else
              ns_side_json_skip (&json);
        }
    }
  return !json.is_broken;
}

/* Creates the facts of the packet without fields. */
static NsEventFacts *
begin_facts (const Job *job, Parse *parse)
{
  NsEventFacts *facts = ns_packet_fields_new (job->trace, job->row);
  const NsPacketRow *packet = &g_array_index (job->trace->packets, NsPacketRow, job->row);

  memset (parse, 0, sizeof *parse);
  parse->facts = facts;
  if (facts == NULL)
    return NULL;
  g_array_set_size (facts->facts, 0);
  memset (facts->known, 0, facts->n_bytes);
  ns_wire_link_read (&parse->link,
                     facts->bytes,
                     facts->n_bytes,
                     ns_packet_row_get_link_type (packet));
  return facts;
}

/* Writes the file with the packet as the last one; returns the number of packets, 0 on failure. */
static guint
write_packets (const Job *job, const char *path, GError **error)
{
  const NsRow flow = g_array_index (job->trace->packets, NsPacketRow, job->row).flow;
  const guint32 wanted = flow != 0 ? flow - 1 : job->row;
  g_autoptr (GArray) packets =
      ns_row_packets_list (job->trace, flow != 0 ? NS_TABLE_FLOWS : NS_TABLE_PACKETS, &wanted, 1);
  g_autoptr (NsExportFile) file = ns_export_file_new (path, error);
  guint first;
  guint n = 0;

  while (n < packets->len && g_array_index (packets, guint32, n) <= job->row)
    n++;
  first = n > MAX_BEFORE ? n - MAX_BEFORE : 0;
  if (n == 0 || file == NULL ||
      !ns_export_pcapng (job->trace,
                         &g_array_index (packets, guint32, first),
                         n - first,
                         ns_export_file_write,
                         file,
                         error) ||
      !ns_export_file_commit (file, error))
    return 0;
  return n - first;
}

static NsEventFacts *
ask_sharkd (const Job *job, const char *path, guint number, GError **error)
{
  g_autofree char *text =
      ns_sharkd_ask (job->sharkd, job->sharkd_program, path, number, job->timeouts[0], error);
  g_autoptr (NsEventFacts) facts = NULL;
  Parse parse;

  if (text == NULL)
    return NULL;
  facts = begin_facts (job, &parse);
  return facts != NULL && parse_json (&parse, text) && facts->facts->len > 0
             ? g_steal_pointer (&facts)
             : NULL;
}

static NsEventFacts *
run_tshark (const Job *job, const char *path, guint number, GError **error)
{
  g_autofree char *filter = g_strdup_printf ("frame.number==%u", number);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) output = NULL;
  g_autoptr (NsEventFacts) facts = NULL;
  Parse parse;
  gsize size;
  const char *text;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                              error,
                              job->tshark_program,
                              "-n",
                              "-r",
                              path,
                              "-Y",
                              filter,
                              "-T",
                              "pdml",
                              NULL);
  if (process == NULL)
    return NULL;
  if (!g_subprocess_communicate (process, NULL, job->timeouts[1], &output, NULL, error))
    {
      g_subprocess_force_exit (process);
      return NULL;
    }
  text = g_bytes_get_data (output, &size);
  facts = begin_facts (job, &parse);
  if (text == NULL || size > MAX_OUTPUT || facts == NULL ||
      !parse_pdml (&parse, text, size, error) || facts->facts->len == 0)
    return NULL;
  return g_steal_pointer (&facts);
}

/* Runs sharkd, or tshark if there is no sharkd or it does not answer. tshark is slower, because it
 * is started for each packet. */
static NsEventFacts *
run (const Job *job, const char *path, GError **error)
{
  guint number = write_packets (job, path, error);
  NsEventFacts *facts = NULL;

  if (number == 0)
    return NULL;
  if (job->sharkd_program != NULL)
    facts = ask_sharkd (job, path, number, job->tshark_program == NULL ? error : NULL);
  if (facts == NULL && job->tshark_program != NULL)
    facts = run_tshark (job, path, number, error);
  return facts;
}

static void
run_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autofree char *folder = g_dir_make_tmp ("netstitch-XXXXXX", NULL);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "packet.pcapng", NULL) : NULL;
  g_autoptr (GError) error = NULL;
  NsEventFacts *facts = NULL;

  /* The user may have selected another packet in the meantime. */
  if (folder != NULL && !g_cancellable_is_cancelled (cancellable))
    facts = run (data, path, &error);

  if (folder != NULL)
    {
      g_unlink (path);
      g_rmdir (folder);
    }
  if (facts != NULL)
    g_task_return_pointer (task, facts, (GDestroyNotify) ns_event_facts_free);
  else
    g_task_return_new_error (task,
                             NS_TRACE_ERROR,
                             NS_TRACE_ERROR_QUERY,
                             _ ("Wireshark did not dissect the packet: %s"),
                             error != NULL ? error->message : _ ("it produced no output"));
}

static gboolean
timeout_cb (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_REMOVE;
}

static void
start_clocks (const Job *job)
{
  guint i;

  for (i = 0; i < 2; i++)
    g_timeout_add_seconds_full (G_PRIORITY_DEFAULT,
                                TIMEOUT_S * (i + 1),
                                timeout_cb,
                                g_object_ref (job->timeouts[i]),
                                g_object_unref);
}

/**
 * ns_dissection_run_async:
 * @sharkd: a waiting sharkd, shared by all packets
 * @trace: a trace
 * @row: row of the table of packets, 0-based
 * @cancellable: cancels the dissection
 * @callback: (scope async): called when it is done
 * @user_data: for @callback
 */
void
ns_dissection_run_async (NsSharkd *sharkd,
                         NsTrace *trace,
                         guint32 row,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->trace = ns_trace_ref (trace);
  job->row = row;
  job->sharkd = ns_sharkd_ref (sharkd);
  job->sharkd_program = g_find_program_in_path ("sharkd");
  job->tshark_program = g_find_program_in_path ("tshark");
  job->timeouts[0] = g_cancellable_new ();
  job->timeouts[1] = g_cancellable_new ();
  g_task_set_task_data (task, job, job_free);
  if ((job->sharkd_program == NULL && job->tshark_program == NULL) || row >= trace->packets->len)
    {
      g_task_return_new_error (
          task,
          NS_TRACE_ERROR,
          NS_TRACE_ERROR_QUERY,
          "%s",
          _ ("Wireshark (tshark) is not installed: these are Netstitch's own fields."));
      return;
    }
  ns_sharkd_keep (sharkd);
  start_clocks (job);
  g_task_run_in_thread (task, run_thread);
}

/**
 * ns_dissection_run_finish:
 * @result: passed to the callback
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the packet with the fields from Wireshark
 */
NsEventFacts *
ns_dissection_run_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
