/* A look at the first bytes of a file that is no trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Where a trace names the kind of its first record, and how: a system header of 32 or 64 bits
 * (`etl-format.md`). */
#define NS_FILE_LOOK_OFFSET 72
#define NS_FILE_LOOK_SIZE 4
/* As much is looked at to tell what else it may be. */
#define NS_FILE_LOOK_MAX 512

typedef enum
{
  NS_FILE_GUESS_NONE,
  NS_FILE_GUESS_EMPTY,
  NS_FILE_GUESS_ZIP,
  NS_FILE_GUESS_CAB,
  NS_FILE_GUESS_7Z,
  NS_FILE_GUESS_GZIP,
  NS_FILE_GUESS_PCAPNG,
  NS_FILE_GUESS_PCAP,
  NS_FILE_GUESS_EVTX,
  NS_FILE_GUESS_TEXT,
} NsFileGuess;

/**
 * NsFileLook:
 * @size: of the file, bytes
 * @found: what stands at %NS_FILE_LOOK_OFFSET
 * @n_found: how much of it there is
 * @guess: what the file may be
 */
typedef struct
{
  guint64 size;
  guint8 found[NS_FILE_LOOK_SIZE];
  guint n_found;
  NsFileGuess guess;
} NsFileLook;

NsFileGuess ns_file_look_guess (const guint8 *data, gsize n_bytes);
void ns_file_look_async (GFile *file,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data);
NsFileLook *ns_file_look_finish (GFile *file, GAsyncResult *result, GError **error);

G_END_DECLS
