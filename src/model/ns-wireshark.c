/* Opens the packets of a trace in Wireshark, filtered to the conversation of a row.
 *
 * A thread writes them to a temporary file, which is removed when Wireshark or this program exits:
 * Wireshark keeps the file open and can still show it. Secrets are masked, as in every export.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-wireshark.h"

#include "base/ns-error.h"
#include "engine/net/packets/ns-packet-row.h"
#include "export/ns-export-file.h"
#include "export/ns-export-pcap.h"
#include "query/ns-row-packets.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

typedef struct
{
  NsTrace *trace;
  char *filter;
  char *program;
  char *folder;
  char *path;
} Opening;

/* A Wireshark that is running. */
typedef struct
{
  NsHandedFiles *files;
  char *folder;
} Running;

static void
remove_file (Opening *self)
{
  if (self->path != NULL)
    g_unlink (self->path);
  if (self->folder != NULL)
    g_rmdir (self->folder);
}

static void
opening_free (gpointer data)
{
  Opening *self = data;

  ns_trace_unref (self->trace);
  g_free (self->filter);
  g_free (self->program);
  g_free (self->folder);
  g_free (self->path);
  g_free (self);
}

static gboolean
write_packets (Opening *self, GError **error)
{
  g_autofree guint32 *packets = g_new (guint32, (gsize) self->trace->packets->len + 1);
  g_autoptr (NsExportFile) file = NULL;
  guint n = 0;
  guint32 i;

  self->folder = g_dir_make_tmp ("netstitch-XXXXXX", error);
  if (self->folder == NULL)
    return FALSE;
  self->path = g_build_filename (self->folder, "packets.pcapng", NULL);
  file = ns_export_file_new (self->path, error);
  if (file == NULL)
    return FALSE;
  for (i = 0; i < self->trace->packets->len; i++)
    if (ns_packet_row_is_frame (&g_array_index (self->trace->packets, NsPacketRow, i)))
      packets[n++] = i;
  return ns_export_pcapng (self->trace, packets, n, ns_export_file_write, file, error) &&
         ns_export_file_commit (file, error);
}

static void
open_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Opening *self = data;
  GError *error = NULL;

  if (write_packets (self, &error))
    g_task_return_boolean (task, TRUE);
  else
    {
      remove_file (self);
      g_task_return_error (task, error);
    }
}

/* Removes the file after Wireshark has exited. */
static void
ended_cb (GObject *process, GAsyncResult *result, gpointer data)
{
  Running *self = data;

  g_subprocess_wait_finish (G_SUBPROCESS (process), result, NULL);
  ns_handed_files_remove (self->files, self->folder);
  g_free (self->folder);
  g_free (self);
}

/**
 * ns_wireshark_has_packets:
 * @trace: a trace
 * @table: a table
 * @row: one of its rows, 0-based
 *
 * Returns: whether the row has a conversation in captured packets
 */
gboolean
ns_wireshark_has_packets (const NsTrace *trace, NsTableId table, guint32 row)
{
  g_autofree char *filter = NULL;

  if (trace->packets->len == 0)
    return FALSE;
  filter = ns_row_packets_to_display_filter (trace, table, row);
  return filter != NULL;
}

/**
 * ns_wireshark_open_async:
 * @trace: a trace
 * @table: a table
 * @row: one of its rows, 0-based
 * @callback: (scope async): called when the packets are written
 * @user_data: for @callback
 *
 * Writes the packets of the trace to a temporary file.
 */
void
ns_wireshark_open_async (NsTrace *trace,
                         NsTableId table,
                         guint32 row,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Opening *self = g_new0 (Opening, 1);

  self->trace = ns_trace_ref (trace);
  g_task_set_task_data (task, self, opening_free);
  self->program = g_find_program_in_path ("wireshark");
  if (self->program == NULL)
    {
      g_task_return_new_error (task,
                               NS_TRACE_ERROR,
                               NS_TRACE_ERROR_QUERY,
                               "%s",
                               _ ("Wireshark is not installed."));
      return;
    }
  self->filter = ns_row_packets_to_display_filter (trace, table, row);
  if (self->filter == NULL)
    {
      g_task_return_new_error (task,
                               NS_TRACE_ERROR,
                               NS_TRACE_ERROR_QUERY,
                               "%s",
                               _ ("This row has no conversation in captured packets."));
      return;
    }
  g_task_run_in_thread (task, open_thread);
}

/**
 * ns_wireshark_open_finish:
 * @result: passed to the callback
 * @files: where to list the file until Wireshark ends; must outlive the main loop
 * @error: return location
 *
 * Starts Wireshark with the file, and the conversation of the row as display filter.
 *
 * Returns: %FALSE if it is not installed, there are no packets, or it could not be started
 */
gboolean
ns_wireshark_open_finish (GAsyncResult *result, NsHandedFiles *files, GError **error)
{
  GTask *task = G_TASK (result);
  Opening *self = g_task_get_task_data (task);
  g_autoptr (GSubprocess) process = NULL;
  Running *running;

  if (!g_task_propagate_boolean (task, error))
    return FALSE;
  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                              error,
                              self->program,
                              "-r",
                              self->path,
                              "-Y",
                              self->filter,
                              NULL);
  if (process == NULL)
    {
      remove_file (self);
      return FALSE;
    }
  ns_handed_files_add (files, self->folder);
  running = g_new0 (Running, 1);
  running->files = files;
  running->folder = g_steal_pointer (&self->folder);
  g_subprocess_wait_async (process, NULL, ended_cb, running);
  return TRUE;
}
