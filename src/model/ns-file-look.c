/* Guesses the type of a file that is not a trace from its first bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-file-look.h"

#include <string.h>

/**
 * ns_file_look_guess:
 * @data: the first bytes of a file
 * @n_bytes: number of bytes
 *
 * Returns: the probable type of the file
 */
NsFileGuess
ns_file_look_guess (const guint8 *data, gsize n_bytes)
{
  static const struct
  {
    guint8 magic[4];
    NsFileGuess guess;
  } kinds[] = {
    { { 'P', 'K', 0x03, 0x04 }, NS_FILE_GUESS_ZIP },
    { { 'M', 'S', 'C', 'F' }, NS_FILE_GUESS_CAB },
    { { '7', 'z', 0xbc, 0xaf }, NS_FILE_GUESS_7Z },
    { { 0x1f, 0x8b, 0x08, 0x00 }, NS_FILE_GUESS_GZIP },
    { { 0x1f, 0x8b, 0x08, 0x08 }, NS_FILE_GUESS_GZIP },
    { { 0x0a, 0x0d, 0x0d, 0x0a }, NS_FILE_GUESS_PCAPNG },
    { { 0xd4, 0xc3, 0xb2, 0xa1 }, NS_FILE_GUESS_PCAP },
    { { 0xa1, 0xb2, 0xc3, 0xd4 }, NS_FILE_GUESS_PCAP },
    { { 0x4d, 0x3c, 0xb2, 0xa1 }, NS_FILE_GUESS_PCAP },
    { { 0xa1, 0xb2, 0x3c, 0x4d }, NS_FILE_GUESS_PCAP },
    { { 'E', 'l', 'f', 'F' }, NS_FILE_GUESS_EVTX },
  };
  gsize i;

  if (n_bytes == 0)
    return NS_FILE_GUESS_EMPTY;
  for (i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (n_bytes >= sizeof kinds[i].magic &&
        memcmp (data, kinds[i].magic, sizeof kinds[i].magic) == 0)
      return kinds[i].guess;
  for (i = 0; i < n_bytes; i++)
    if (data[i] == 0x7f || (data[i] < 0x20 && strchr ("\t\n\v\f\r", data[i]) == NULL) ||
        data[i] == 0)
      return NS_FILE_GUESS_NONE;
  return NS_FILE_GUESS_TEXT;
}

static void
look_worker (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  GFile *file = source_object;
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, &error);
  g_autoptr (GFileInfo) info = NULL;
  guint8 data[NS_FILE_LOOK_MAX];
  gsize n_bytes = 0;
  NsFileLook *look;

  if (stream == NULL || !g_input_stream_read_all (G_INPUT_STREAM (stream),
                                                  data,
                                                  sizeof data,
                                                  &n_bytes,
                                                  cancellable,
                                                  &error))
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  info = g_file_query_info (file,
                            G_FILE_ATTRIBUTE_STANDARD_SIZE,
                            G_FILE_QUERY_INFO_NONE,
                            cancellable,
                            NULL);
  look = g_new0 (NsFileLook, 1);
  look->size = info != NULL ? (guint64) MAX (g_file_info_get_size (info), 0) : n_bytes;
  if (n_bytes > NS_FILE_LOOK_OFFSET)
    {
      look->n_found = (guint) MIN (n_bytes - NS_FILE_LOOK_OFFSET, NS_FILE_LOOK_SIZE);
      memcpy (look->found, data + NS_FILE_LOOK_OFFSET, look->n_found);
    }
  look->guess = ns_file_look_guess (data, n_bytes);
  g_task_return_pointer (task, look, g_free);
}

/**
 * ns_file_look_async:
 * @file: a file
 * @cancellable: (nullable): cancels it
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Reads the first bytes of a file in a thread.
 */
void
ns_file_look_async (GFile *file,
                    GCancellable *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (file, cancellable, callback, user_data);

  g_return_if_fail (G_IS_FILE (file));

  g_task_set_source_tag (task, ns_file_look_async);
  g_task_run_in_thread (task, look_worker);
}

/**
 * ns_file_look_finish:
 * @file: the file
 * @result: passed to the callback
 * @error: return location
 *
 * Returns: (transfer full): the result, to be freed with g_free()
 */
NsFileLook *
ns_file_look_finish (GFile *file, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, file), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
