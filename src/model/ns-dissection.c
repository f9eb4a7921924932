/* A packet taken apart by Wireshark's tshark, where it is installed.
 *
 * The packet and what its conversation had before it are written to a temporary file by a thread,
 * which runs tshark on it (PDML, doc/README.xml-output of Wireshark) and removes it. What is secret
 * is masked before tshark sees it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-dissection.h"

#include "base/ns-error.h"
#include "export/ns-export-file.h"
#include "export/ns-export-pcap.h"
#include "model/ns-packet-fields.h"
#include "query/ns-row-packets.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

/* Packets of the conversation before the one that is asked about. */
#define MAX_BEFORE 500
#define TIMEOUT_S 10
#define MAX_OUTPUT (16 * 1024 * 1024)

typedef struct
{
  NsTrace *trace;
  guint32 row;
  char *program;
  GCancellable *stop; /* by the clock, or by who asked */
} Job;

static void
job_free (gpointer data)
{
  Job *self = data;

  ns_trace_unref (self->trace);
  g_free (self->program);
  g_object_unref (self->stop);
  g_free (self);
}

typedef struct
{
  NsEventFacts *facts;
  guint depth;
  guint skipped; /* levels inside of what is not shown */
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

/* Fields of data that was put together first stand elsewhere than in the frame. */
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

static void
add_element (Parse *self, const char **names, const char **values)
{
  const char *text = find_attribute (names, values, "showname");
  const char *show = find_attribute (names, values, "show");
  const char *name = find_attribute (names, values, "name");
  const char *colon;
  NsEventFact fact = { .type = "",
                       .offset = get_number (find_attribute (names, values, "pos")),
                       .size = get_number (find_attribute (names, values, "size")),
                       .depth = (guint8) MIN (self->depth, 60),
                       .part = NS_EVENT_PART_FIELD };

  if (self->facts->facts->len >= NS_EVENT_MAX_FACTS)
    {
      self->facts->is_cut = TRUE;
      return;
    }
  if (text == NULL)
    text = show != NULL ? show : name != NULL ? name : "";
  colon = strstr (text, ": ");
  fact.name = colon != NULL ? g_strndup (text, (gsize) (colon - text)) : g_strdup (text);
  fact.value = g_strdup (colon != NULL ? colon + 2 : "");
  if (!is_in_frame (self->facts, &fact, find_attribute (names, values, "value")))
    fact.offset = fact.size = 0;
  memset (self->facts->known + fact.offset, 1, fact.size);
  g_array_append_val (self->facts->facts, fact);
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

static NsEventFacts *
parse (const Job *job, const char *text, gsize size, GError **error)
{
  static const GMarkupParser parser = { .start_element = start_cb, .end_element = end_cb };
  g_autoptr (NsEventFacts) facts = ns_packet_fields_new (job->trace, job->row);
  g_autoptr (GMarkupParseContext) context = NULL;
  Parse self = { .facts = facts };

  if (facts == NULL || size > MAX_OUTPUT)
    return NULL;
  g_array_set_size (facts->facts, 0);
  memset (facts->known, 0, facts->n_bytes);
  context = g_markup_parse_context_new (&parser, 0, &self, NULL);
  if (!g_markup_parse_context_parse (context, text, (gssize) size, error) ||
      !g_markup_parse_context_end_parse (context, error))
    return NULL;
  return facts->facts->len > 0 ? g_steal_pointer (&facts) : NULL;
}

/* The packet is the last one of the file. Returns: its number there; 0: it was not written */
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
run (const Job *job, const char *path, GError **error)
{
  guint number = write_packets (job, path, error);
  g_autofree char *filter = g_strdup_printf ("frame.number==%u", number);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) output = NULL;
  gsize size;
  const char *text;

  if (number == 0)
    return NULL;
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                              error,
                              job->program,
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
  if (!g_subprocess_communicate (process, NULL, job->stop, &output, NULL, error))
    {
      g_subprocess_force_exit (process);
      return NULL;
    }
  text = g_bytes_get_data (output, &size);
  return text != NULL ? parse (job, text, size, error) : NULL;
}

static void
run_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autofree char *folder = g_dir_make_tmp ("netstitch-XXXXXX", NULL);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "packet.pcapng", NULL) : NULL;
  g_autoptr (GError) error = NULL;
  NsEventFacts *facts = folder != NULL ? run (data, path, &error) : NULL;

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
                             _ ("tshark did not take the packet apart: %s"),
                             error != NULL ? error->message : _ ("it said nothing"));
}

static gboolean
timeout_cb (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_REMOVE;
}

/**
 * ns_dissection_run_async:
 * @trace: a trace
 * @row: row of the table of packets, 0-based
 * @cancellable: gives up
 * @callback: (scope async): called when it is done
 * @user_data: for @callback
 */
void
ns_dissection_run_async (NsTrace *trace,
                         guint32 row,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Job *job = g_new0 (Job, 1);

  job->trace = ns_trace_ref (trace);
  job->row = row;
  job->stop = g_object_ref (cancellable);
  job->program = g_find_program_in_path ("tshark");
  g_task_set_task_data (task, job, job_free);
  if (job->program == NULL || row >= trace->packets->len)
    {
      g_task_return_new_error (task,
                               NS_TRACE_ERROR,
                               NS_TRACE_ERROR_QUERY,
                               "%s",
                               _ ("tshark is not installed: these are Netstitch's own fields."));
      return;
    }
  g_timeout_add_seconds_full (G_PRIORITY_DEFAULT,
                              TIMEOUT_S,
                              timeout_cb,
                              g_object_ref (cancellable),
                              g_object_unref);
  g_task_run_in_thread (task, run_thread);
}

/**
 * ns_dissection_run_finish:
 * @result: what the callback got
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the packet with the fields of Wireshark
 */
NsEventFacts *
ns_dissection_run_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
