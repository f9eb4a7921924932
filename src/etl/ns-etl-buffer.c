/* Reads one buffer of a trace into memory and validates its header.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-buffer.h"

#include "etl/ns-etl-lz77.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

/* Alignment of buffer memory. malloc() returns memory 16 bytes into a page for sizes like those of
 * buffers, and some processors copy there five times as slowly from an aligned page (a string move
 * whose addresses differ by a few bytes in their lower 12 bits). */
#define ALIGNMENT 64

/* Contents of WMI_BUFFER_HEADER. */
typedef struct
{
  guint32 size;
  guint32 saved_offset;
  guint32 filled;
  guint16 flags;
} Header;

static void
set_lost (NsEtlBuffer *self, const char *why, gsize n_bytes)
{
  self->state = NS_ETL_BUFFER_LOST;
  self->damage = why;
  self->n_dropped = n_bytes;
  self->end = 0;
}

/* Returns memory of @n_bytes, which is reused for the next buffer and grows as needed; NULL: out of
 * memory. */
static guint8 *
ensure_room (guint8 **room, gsize *room_size, gsize n_bytes)
{
  if (*room_size < n_bytes)
    {
      void *memory = NULL;

      free (*room);
      *room_size = MAX (n_bytes, *room_size + *room_size / 2);
      if (posix_memalign (&memory, ALIGNMENT, *room_size) != 0)
        {
          memory = NULL;
          *room_size = 0;
        }
      *room = memory;
    }
  return *room;
}

static gboolean
fail_for_memory (gsize n_bytes, GError **error)
{
  g_set_error (
      error,
      NS_TRACE_ERROR,
      NS_TRACE_ERROR_LIMIT,
      ngettext ("there is no memory for a buffer of %zu byte; close other programs and try again",
                "there is no memory for a buffer of %zu bytes; close other programs and try again",
                n_bytes),
      n_bytes);
  return FALSE;
}

static gboolean
is_zero (const guint8 *data, gsize n_bytes)
{
  gsize i;

  for (i = 0; i < n_bytes; i++)
    if (data[i] != 0)
      return FALSE;
  return TRUE;
}

static void
read_header (NsEtlBuffer *self, const guint8 *data, Header *header)
{
  NsCursor cursor;
  guint8 number;
  guint8 high;

  ns_cursor_init (&cursor, data, NS_ETL_BUFFER_HEADER_SIZE);
  header->size = ns_cursor_u32 (&cursor);
  header->saved_offset = ns_cursor_u32 (&cursor);
  ns_cursor_seek (&cursor, 0x18);
  self->sequence = ns_cursor_u64 (&cursor);
  ns_cursor_seek (&cursor, 0x28);
  number = ns_cursor_u8 (&cursor);
  high = ns_cursor_u8 (&cursor);
  ns_cursor_seek (&cursor, 0x30);
  header->filled = ns_cursor_u32 (&cursor);
  header->flags = ns_cursor_u16 (&cursor);
  self->type = ns_cursor_u16 (&cursor);

  self->flags = header->flags;
  /* Before Windows 8 the upper byte is an alignment. */
  self->cpu = header->flags & NS_ETL_FLAG_PROC_INDEX ? (guint16) (number | high << 8) : number;
}

/* Sets the data of an uncompressed buffer. @stored: @size bytes of the file; the records end at or
 * before that. */
static void
finish_plain (NsEtlBuffer *self,
              const Header *header,
              const guint8 *stored,
              gsize size,
              gsize whole)
{
  gsize filled = header->filled;

  if (filled < NS_ETL_BUFFER_HEADER_SIZE || filled > whole)
    {
      self->damage = N_ ("the fill mark of a buffer is invalid");
      filled = header->saved_offset;
      if (filled < NS_ETL_BUFFER_HEADER_SIZE || filled > whole)
        filled = whole;
    }
  if (size < whole)
    {
      self->damage = N_ ("a buffer is cut off by the end of the file");
      if (filled > size)
        self->n_dropped = filled - size;
    }
  self->data = stored;
  self->end = MIN (filled, size);
}

static gboolean
finish_compressed (NsEtlBuffer *self,
                   const Header *header,
                   const NsEtlLayout *layout,
                   const guint8 *stored,
                   gsize size,
                   GError **error)
{
  guint8 *room;

  if (header->filled < NS_ETL_BUFFER_HEADER_SIZE || header->filled > layout->max_filled)
    {
      set_lost (self, N_ ("the fill mark of a compressed buffer is invalid"), size);
      return TRUE;
    }

  /* A compressed buffer in a plain file was read to the memory for the expanded one: swap them. */
  if (stored == self->room)
    {
      guint8 *read_room = self->room;
      gsize read_size = self->room_size;

      self->room = self->packed;
      self->room_size = self->packed_size;
      self->packed = read_room;
      self->packed_size = read_size;
    }
  room = ensure_room (&self->room, &self->room_size, header->filled);
  if (room == NULL)
    return fail_for_memory (header->filled, error);
  memcpy (room, stored, NS_ETL_BUFFER_HEADER_SIZE);
  if (!ns_etl_lz77_expand (stored + NS_ETL_BUFFER_HEADER_SIZE,
                           size - NS_ETL_BUFFER_HEADER_SIZE,
                           room + NS_ETL_BUFFER_HEADER_SIZE,
                           header->filled - NS_ETL_BUFFER_HEADER_SIZE))
    {
      set_lost (self,
                N_ ("compressed data that does not expand to the size given in its buffer"),
                size);
      return TRUE;
    }
  self->data = room;
  self->end = header->filled;
  return TRUE;
}

static gboolean
fetch (NsEtlBuffer *self,
       const NsEtlSource *source,
       gsize size,
       gsize *n_read,
       const guint8 **stored,
       gboolean is_compressed,
       GError **error)
{
  guint8 *room;

  *n_read = size;
  *stored = ns_etl_source_peek (source, self->offset, size);
  if (*stored != NULL)
    return TRUE;

  room = is_compressed ? ensure_room (&self->packed, &self->packed_size, size)
                       : ensure_room (&self->room, &self->room_size, size);
  if (room == NULL)
    return fail_for_memory (size, error);
  *stored = room;
  return ns_etl_source_read (source, self->offset, room, size, n_read, error);
}

/* Converts the times of the records to another clock, in a private copy of the bytes. */
static gboolean
rescale (NsEtlBuffer *self, const NsEtlScale *scale, GError **error)
{
  const guint8 *data = self->data;

  if (data != self->room)
    {
      guint8 *room = ensure_room (&self->room, &self->room_size, self->end);

      if (room == NULL)
        return fail_for_memory (self->end, error);
      memcpy (room, data, self->end);
      self->data = room;
    }
  ns_etl_scale_apply (scale, self->room, self->end);
  return TRUE;
}

/* Interprets the @n_read bytes of a buffer. */
static gboolean
finish (NsEtlBuffer *self,
        const NsEtlLayout *layout,
        const guint8 *stored,
        gsize size,
        gsize n_read,
        GError **error)
{
  Header header;

  read_header (self, stored, &header);
  if (!layout->is_compressed && header.size != layout->buffer_size)
    set_lost (self, N_ ("the size of a buffer is not that of the first"), n_read);
  else if (layout->is_compressed && n_read < size)
    set_lost (self, N_ ("the file has become shorter while it was read"), size);
  else if (header.flags & NS_ETL_FLAG_COMPRESSED)
    return finish_compressed (self, &header, layout, stored, n_read, error);
  else
    finish_plain (self,
                  &header,
                  stored,
                  n_read,
                  layout->is_compressed ? size : layout->buffer_size);
  return TRUE;
}

/**
 * ns_etl_buffer_load:
 * @self: (inout): a buffer; all zero the first time
 * @source: a file
 * @layout: the positions of its buffers
 * @index: number of a buffer
 * @error: return location
 *
 * Reads and expands a buffer. Damaged data is reported in @self; only an unreadable medium and lack
 * of memory are errors.
 *
 * Returns: %FALSE with @error set if it could not be read
 */
gboolean
ns_etl_buffer_load (NsEtlBuffer *self,
                    const NsEtlSource *source,
                    const NsEtlLayout *layout,
                    guint index,
                    GError **error)
{
  gsize size = ns_etl_layout_get_size (layout, index);
  const guint8 *stored;
  gsize n_read;

  self->index = index;
  self->offset = ns_etl_layout_get_offset (layout, index);
  self->state = NS_ETL_BUFFER_READY;
  self->damage = NULL;
  self->n_dropped = 0;
  self->cpu = 0;
  self->flags = 0;
  self->type = 0;
  self->sequence = 0;
  self->end = 0;
  self->data = NULL;
  if (!fetch (self, source, size, &n_read, &stored, layout->is_compressed, error))
    return FALSE;
  if (n_read < NS_ETL_BUFFER_HEADER_SIZE)
    {
      set_lost (self, N_ ("the file has become shorter while it was read"), size);
      return TRUE;
    }

  if (!layout->is_compressed && is_zero (stored, NS_ETL_BUFFER_HEADER_SIZE))
    {
      self->state = NS_ETL_BUFFER_EMPTY;
      return TRUE;
    }
  if (!finish (self, layout, stored, size, n_read, error))
    return FALSE;
  return layout->scale == NULL || self->state != NS_ETL_BUFFER_READY ||
         rescale (self, layout->scale, error);
}

/**
 * ns_etl_buffer_clear:
 * @self: a buffer
 *
 * Frees its memory.
 */
void
ns_etl_buffer_clear (NsEtlBuffer *self)
{
  g_clear_pointer (&self->room, free);
  g_clear_pointer (&self->packed, free);
  memset (self, 0, sizeof *self);
}
