/* Reads the multi-stream file (MSF), the container format of a PDB: numbered streams made of
 * blocks.
 *
 * Layout: the Microsoft PDB sources published as microsoft-pdb (PDB/msf). The blocks of a stream
 * lie anywhere in the file; only the directory is kept in memory, blocks are read on demand. Every
 * file position is 64 bits wide: with blocks of 4 KiB and more, files pass 4 GiB.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-msf.h"

#include "base/ns-cursor.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SUPERBLOCK_SIZE 52
#define NIL_SIZE G_MAXUINT32
#define MIN_BLOCK 512u
#define MAX_BLOCK 65536u
#define MAX_STREAMS 65536u
#define N_KEPT 64u

typedef struct
{
  guint32 size;        /* NIL_SIZE: no such stream */
  guint32 first_block; /* index into NsMsf.blocks */
} Stream;

/* A cached block, see ns_msf_read_short(). */
typedef struct
{
  guint32 block;
  guint8 *data; /* (nullable) */
} Kept;

struct _NsMsf
{
  NsSymbolSource *source;
  guint32 block_size;
  guint32 n_blocks; /* whole blocks, at most those that fit in the file */
  Stream *streams;
  guint32 n_streams;
  guint32 *blocks; /* block numbers of all streams, one stream after the other */
  Kept kept[N_KEPT];
  gboolean is_short_of_memory;
};

static inline guint32
count_blocks (guint32 n_bytes, guint32 block_size)
{
  return (guint32) (((guint64) n_bytes + block_size - 1) / block_size);
}

G_GNUC_PRINTF (2, 3)
static gboolean
damaged (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (error != NULL)
    *error = g_error_new_valist (NS_SYMBOL_ERROR, NS_SYMBOL_ERROR_DAMAGED, format, arguments);
  va_end (arguments);
  return FALSE;
}

static gboolean
no_memory (GError **error, gsize n_bytes)
{
  g_set_error (error,
               NS_SYMBOL_ERROR,
               NS_SYMBOL_ERROR_LIMIT,
               ngettext ("not enough memory for %zu byte of it",
                         "not enough memory for %zu bytes of it",
                         n_bytes),
               n_bytes);
  return FALSE;
}

/* Reads @n_bytes from offset @skip of the first of @blocks on; adjacent blocks take one read. */
static gboolean
read_blocks (const NsMsf *self,
             const guint32 *blocks,
             guint32 skip,
             guint8 *buffer,
             gsize n_bytes,
             GError **error)
{
  gsize i = 0;

  while (n_bytes > 0)
    {
      guint32 first = blocks[i];
      gsize run = self->block_size - skip;

      if (first >= self->n_blocks)
        return damaged (error, _ ("block %u of %u does not exist"), first, self->n_blocks);
      i++;
      while (run < n_bytes && blocks[i] == blocks[i - 1] + 1 && blocks[i] < self->n_blocks)
        {
          run += self->block_size;
          i++;
        }
      run = MIN (run, n_bytes);
      if (!ns_symbol_source_read (self->source,
                                  (guint64) first * self->block_size + skip,
                                  buffer,
                                  run,
                                  error))
        return FALSE;
      buffer += run;
      n_bytes -= run;
      skip = 0;
    }
  return TRUE;
}

/* Loads the directory. Its blocks are listed in blocks that the superblock lists. */
static guint8 *
load_directory (const NsMsf *self, guint32 n_bytes, GError **error)
{
  guint32 n_blocks = count_blocks (n_bytes, self->block_size);
  guint32 n_maps = count_blocks (n_blocks * 4, self->block_size);
  g_autofree guint32 *maps = NULL;
  g_autofree guint32 *blocks = NULL;
  g_autofree guint8 *directory = NULL;

  if (n_bytes < 4 || n_bytes > ns_symbol_source_get_size (self->source) ||
      n_bytes > NS_MSF_MAX_DIRECTORY || SUPERBLOCK_SIZE + (guint64) n_maps * 4 > self->block_size)
    {
      damaged (error,
               ngettext ("invalid directory size: %u byte",
                         "invalid directory size: %u bytes",
                         n_bytes),
               n_bytes);
      return NULL;
    }
  maps = g_new (guint32, n_maps);
  if (!ns_symbol_source_read (self->source, SUPERBLOCK_SIZE, maps, (gsize) n_maps * 4, error))
    return NULL;
  for (guint32 i = 0; i < n_maps; i++)
    maps[i] = GUINT32_FROM_LE (maps[i]);
  blocks = g_try_new (guint32, n_blocks);
  directory = g_try_malloc (n_bytes);
  if (blocks == NULL || directory == NULL)
    {
      no_memory (error, n_bytes);
      return NULL;
    }
  if (!read_blocks (self, maps, 0, (guint8 *) blocks, (gsize) n_blocks * 4, error))
    return NULL;
  for (guint32 i = 0; i < n_blocks; i++)
    blocks[i] = GUINT32_FROM_LE (blocks[i]);
  if (!read_blocks (self, blocks, 0, directory, n_bytes, error))
    return NULL;
  return g_steal_pointer (&directory);
}

static gboolean
parse_directory (NsMsf *self, const guint8 *directory, guint32 n_bytes, GError **error)
{
  NsCursor cursor;
  guint64 n_listed = 0;

  ns_cursor_init (&cursor, directory, n_bytes);
  self->n_streams = ns_cursor_u32 (&cursor);
  if (self->n_streams > MAX_STREAMS || self->n_streams > ns_cursor_left (&cursor) / 4)
    return damaged (error,
                    ngettext ("invalid directory: %u stream",
                              "invalid directory: %u streams",
                              self->n_streams),
                    self->n_streams);

  self->streams = g_new (Stream, self->n_streams);
  for (guint32 i = 0; i < self->n_streams; i++)
    {
      Stream *stream = &self->streams[i];

      stream->size = ns_cursor_u32 (&cursor);
      stream->first_block = (guint32) n_listed;
      if (stream->size != NIL_SIZE)
        n_listed += count_blocks (stream->size, self->block_size);
      if (n_listed > G_MAXUINT32)
        return damaged (error, _ ("stream %u is larger than specified in the directory"), i);
    }
  if (n_listed > ns_cursor_left (&cursor) / 4)
    return damaged (error, _ ("the block lists end beyond the directory"));

  self->blocks = g_try_new (guint32, MAX (n_listed, 1));
  if (self->blocks == NULL)
    return no_memory (error, n_listed * 4);
  for (guint64 i = 0; i < n_listed; i++)
    self->blocks[i] = ns_cursor_u32 (&cursor);
  return TRUE;
}

static gboolean
check_kind (const NsSymbolSource *source, GError **error)
{
  NsSymbolError code = NS_SYMBOL_ERROR_NOT_SYMBOLS;
  const char *what = _ ("this is not a PDB");

  switch (ns_symbol_source_get_kind (source))
    {
    case NS_SYMBOL_FILE_MSF:
      return TRUE;
    case NS_SYMBOL_FILE_MSFZ:
      code = NS_SYMBOL_ERROR_COMPRESSED;
      what = _ ("a compressed PDB (MSFZ) is not supported; fetch the plain one");
      break;
    case NS_SYMBOL_FILE_OLD_MSF:
      code = NS_SYMBOL_ERROR_TOO_OLD;
      what = _ ("PDB files from before 2002 (version 2.00) are not supported");
      break;
    case NS_SYMBOL_FILE_PORTABLE:
      code = NS_SYMBOL_ERROR_PORTABLE;
      what = _ ("a portable PDB describes managed code only and has no native addresses");
      break;
    case NS_SYMBOL_FILE_CABINET:
      code = NS_SYMBOL_ERROR_COMPRESSED;
      what = _ ("this is a cabinet; expand it first");
      break;
    case NS_SYMBOL_FILE_PE:
      what = _ ("this is a program or library, not a PDB");
      break;
    case NS_SYMBOL_FILE_TEXT:
      what = _ ("this is text, possibly a web page saved under the name of a PDB");
      break;
    case NS_SYMBOL_FILE_UNKNOWN:
    default:
      if (ns_symbol_source_get_size (source) == 0)
        what = _ ("the file is empty");
      break;
    }
  g_set_error_literal (error, NS_SYMBOL_ERROR, code, what);
  return FALSE;
}

static gboolean
open_container (NsMsf *self, GError **error)
{
  guint8 head[SUPERBLOCK_SIZE];
  g_autofree guint8 *directory = NULL;
  NsCursor cursor;
  guint32 n_directory;

  if (!check_kind (self->source, error) ||
      !ns_symbol_source_read (self->source, 0, head, sizeof head, error))
    return FALSE;
  ns_cursor_init (&cursor, head, sizeof head);
  ns_cursor_seek (&cursor, 32);
  self->block_size = ns_cursor_u32 (&cursor);
  ns_cursor_skip (&cursor, 4);
  self->n_blocks = ns_cursor_u32 (&cursor);
  n_directory = ns_cursor_u32 (&cursor);
  if (self->block_size < MIN_BLOCK || self->block_size > MAX_BLOCK ||
      (self->block_size & (self->block_size - 1)) != 0)
    return damaged (error, _ ("invalid block size: %u"), self->block_size);

  /* A truncated download has fewer blocks than its superblock says; those it has can be read. */
  self->n_blocks =
      (guint32) MIN (self->n_blocks, ns_symbol_source_get_size (self->source) / self->block_size);
  directory = load_directory (self, n_directory, error);
  return directory != NULL && parse_directory (self, directory, n_directory, error);
}

/**
 * ns_msf_new:
 * @source: (transfer full): the bytes of the file; also taken on failure
 * @error: return location
 *
 * Reads the superblock and the directory.
 *
 * Returns: (transfer full) (nullable): the container; %NULL and @error if it is none or damaged
 */
NsMsf *
ns_msf_new (NsSymbolSource *source, GError **error)
{
  g_autoptr (NsMsf) self = g_new0 (NsMsf, 1);

  self->source = source;
  if (!open_container (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * ns_msf_dup:
 * @self: a container
 *
 * Returns: (transfer full) (nullable): a second container over the same file, for another thread
 */
NsMsf *
ns_msf_dup (const NsMsf *self)
{
  NsSymbolSource *source = ns_symbol_source_dup (self->source);

  return source != NULL ? ns_msf_new (source, NULL) : NULL;
}

/**
 * ns_msf_free:
 * @self: (transfer full) (nullable): a container
 */
void
ns_msf_free (NsMsf *self)
{
  if (self == NULL)
    return;
  ns_symbol_source_free (self->source);
  for (guint i = 0; i < N_KEPT; i++)
    g_free (self->kept[i].data);
  g_free (self->streams);
  g_free (self->blocks);
  g_free (self);
}

/**
 * ns_msf_get_stream_size:
 * @self: a container
 * @stream: number of a stream
 * @size_bytes: (out): length of the stream in bytes, 0 if there is none
 *
 * Returns: %FALSE if there is no such stream
 */
gboolean
ns_msf_get_stream_size (const NsMsf *self, guint stream, guint32 *size_bytes)
{
  *size_bytes = 0;
  if (stream >= self->n_streams || self->streams[stream].size == NIL_SIZE)
    return FALSE;
  *size_bytes = self->streams[stream].size;
  return TRUE;
}

/**
 * ns_msf_read:
 * @self: a container
 * @stream: number of a stream
 * @offset: first byte, from the start of the stream
 * @buffer: (out caller-allocates) (array length=n_bytes): destination
 * @n_bytes: bytes to read
 * @error: return location
 *
 * Returns: %FALSE and @error if not all bytes could be read
 */
gboolean
ns_msf_read (const NsMsf *self,
             guint stream,
             guint32 offset,
             gpointer buffer,
             gsize n_bytes,
             GError **error)
{
  guint32 size;
  const guint32 *blocks;

  if (!ns_msf_get_stream_size (self, stream, &size))
    return damaged (error, _ ("there is no stream %u"), stream);
  if (offset > size || n_bytes > size - offset)
    return damaged (error,
                    _ ("stream %u has %u bytes, %u more are required"),
                    stream,
                    size,
                    offset);
  if (n_bytes == 0)
    return TRUE;
  blocks = self->blocks + self->streams[stream].first_block + offset / self->block_size;
  return read_blocks (self, blocks, offset % self->block_size, buffer, n_bytes, error);
}

/* Returns block @block from the cache of recently read blocks, reading it first if needed. */
static const guint8 *
read_block (NsMsf *self, guint32 block)
{
  Kept *kept = &self->kept[block % N_KEPT];

  if (kept->data != NULL && kept->block == block)
    return kept->data;
  if (kept->data == NULL)
    kept->data = g_malloc (self->block_size);
  kept->block = block;
  if (read_blocks (self, &block, 0, kept->data, self->block_size, NULL))
    return kept->data;
  g_clear_pointer (&kept->data, g_free);
  return NULL;
}

/**
 * ns_msf_read_short:
 * @self: a container; no other thread may call this on it at the same time
 * @stream: number of a stream
 * @offset: first byte, from the start of the stream
 * @buffer: (out caller-allocates) (array length=n_bytes): destination
 * @n_bytes: bytes to read
 *
 * Reads a few bytes, as binary searches do. Recently read blocks are cached.
 *
 * Returns: %FALSE if not all bytes could be read
 */
gboolean
ns_msf_read_short (NsMsf *self, guint stream, guint32 offset, gpointer buffer, gsize n_bytes)
{
  guint8 *to = buffer;
  guint32 size;

  if (!ns_msf_get_stream_size (self, stream, &size) || offset > size || n_bytes > size - offset)
    return FALSE;
  while (n_bytes > 0)
    {
      guint32 skip = offset % self->block_size;
      gsize n_here = MIN (n_bytes, self->block_size - skip);
      const guint8 *data =
          read_block (self,
                      self->blocks[self->streams[stream].first_block + offset / self->block_size]);

      if (data == NULL)
        return FALSE;
      memcpy (to, data + skip, n_here);
      to += n_here;
      offset += (guint32) n_here;
      n_bytes -= n_here;
    }
  return TRUE;
}

/**
 * ns_msf_get_size:
 * @self: a container
 *
 * Returns: size of the file in bytes
 */
guint64
ns_msf_get_size (const NsMsf *self)
{
  return ns_symbol_source_get_size (self->source);
}

/**
 * ns_msf_may_load:
 * @self: a container
 * @n_bytes: size of a part of a stream, as the file states it
 *
 * Returns: whether the size is plausible: at most %NS_MSF_MAX_LOAD and the size of the file
 */
gboolean
ns_msf_may_load (const NsMsf *self, guint64 n_bytes)
{
  /* A damaged file may list a block twice, but no valid stream is longer than its file. */
  return n_bytes <= NS_MSF_MAX_LOAD && n_bytes <= ns_symbol_source_get_size (self->source);
}

/**
 * ns_msf_set_short_of_memory:
 * @self: a container
 *
 * Notes that an allocation for a part of the file failed.
 */
void
ns_msf_set_short_of_memory (NsMsf *self)
{
  self->is_short_of_memory = TRUE;
}

/**
 * ns_msf_is_short_of_memory:
 * @self: a container
 *
 * Returns: whether a part was not read because memory was short; this does not count as damage
 */
gboolean
ns_msf_is_short_of_memory (const NsMsf *self)
{
  return self->is_short_of_memory;
}

/**
 * ns_msf_load:
 * @self: a container
 * @stream: number of a stream
 * @offset: first byte, from the start of the stream
 * @n_bytes: bytes to read
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the bytes; %NULL and @error on failure
 */
GBytes *
ns_msf_load (NsMsf *self, guint stream, guint32 offset, gsize n_bytes, GError **error)
{
  g_autofree guint8 *data = NULL;

  if (!ns_msf_may_load (self, n_bytes))
    {
      g_set_error (error,
                   NS_SYMBOL_ERROR,
                   NS_SYMBOL_ERROR_LIMIT,
                   _ ("stream %u is too large to be loaded"),
                   stream);
      return NULL;
    }
  data = g_try_malloc (MAX (n_bytes, 1));
  if (data == NULL)
    {
      self->is_short_of_memory = TRUE;
      no_memory (error, n_bytes);
      return NULL;
    }
  if (!ns_msf_read (self, stream, offset, data, n_bytes, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&data), n_bytes);
}

/**
 * ns_msf_load_all:
 * @self: a container
 * @stream: number of a stream
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the bytes of the whole stream; %NULL and @error on failure
 */
GBytes *
ns_msf_load_all (NsMsf *self, guint stream, GError **error)
{
  guint32 size;

  if (!ns_msf_get_stream_size (self, stream, &size))
    {
      damaged (error, _ ("there is no stream %u"), stream);
      return NULL;
    }
  return ns_msf_load (self, stream, 0, size, error);
}
