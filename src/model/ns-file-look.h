/* Guesses the type of a file that is not a trace from its first bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Offset and size of the marker of a trace's first record: a system header of 32 or 64 bits
 * (`etl-format.md`). */
#define NS_FILE_LOOK_OFFSET 72
#define NS_FILE_LOOK_SIZE 4
/* Number of bytes read to guess the type. */
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
 * @size: size of the file in bytes
 * @found: the bytes at %NS_FILE_LOOK_OFFSET
 * @n_found: number of bytes in @found
 * @guess: the probable type of the file
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
