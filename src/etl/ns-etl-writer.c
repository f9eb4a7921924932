/* Trace writer: buffers, the trace header, the end of the file; in memory or directly to a file.
 *
 * Each processor fills its own buffer, and full buffers are written. So the buffers of one
 * processor are in order and those of several are interleaved, as in the file of a real session.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer-private.h"

#include "etl/ns-etl-lz77.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* Number of bytes that are collected before they are written to a file descriptor. */
#define STREAM_SIZE (4u << 20)
#define DEFAULT_BUFFER_SIZE 0x10000
#define DEFAULT_START G_GUINT64_CONSTANT (133485408000000000) /* 2024-01-01 */
#define DEFAULT_BASE 1000000
#define MAX_CPUS 4096

/* Offsets in the payload of the trace header, 64-bit form (TRACE_LOGFILE_HEADER). */
#define HEADER_RECORD 0x48
#define HEADER_PAYLOAD (HEADER_RECORD + 0x20)

typedef struct
{
  GByteArray *bytes; /* the current buffer, from its header on; NULL: none */
  guint64 last_raw;
} CpuBuffer;

struct _NsEtlWriter
{
  NsEtlWriterOptions options;
  char *session;
  char *log_file;
  NsEtlHeader like;
  GArray *cpus;       /* (element-type CpuBuffer): by processor */
  GByteArray *file;   /* the whole file, or the part that was not written yet */
  GByteArray *header; /* the first buffer; NULL: the file stays in memory */
  int fd;
  int write_error; /* errno of the first failed write, or 0 */
  guint64 n_written;
  guint32 n_buffers;
  guint64 last_raw;
};

static void
buffer_clear (gpointer data)
{
  CpuBuffer *self = data;

  g_clear_pointer (&self->bytes, g_byte_array_unref);
}

/* Copies the fields that the caller left 0 from the trace to imitate. */
static void
fill_from_like (NsEtlWriterOptions *options, const NsEtlHeader *like)
{
#define FILL(field)                                                                                \
  if (options->field == 0)                                                                         \
  options->field = like->field
  FILL (n_processors);
  FILL (pointer_size);
  FILL (frequency);
  FILL (cpu_mhz);
  FILL (start_filetime);
  FILL (end_filetime);
  FILL (base_raw);
  FILL (mode);
  FILL (events_lost);
  FILL (buffers_lost);
  FILL (os_build);
#undef FILL
  if (options->bias_min == 0)
    options->bias_min = like->zone.bias_min;
  if (options->clock == 0)
    options->clock = (NsClock) like->clock;
  if (options->session == NULL)
    options->session = like->session;
  if (options->log_file == NULL)
    options->log_file = like->log_file;
}

static void
fill_defaults (NsEtlWriterOptions *options)
{
  if (options->buffer_size == 0)
    options->buffer_size = DEFAULT_BUFFER_SIZE;
  if (options->pointer_size != 4)
    options->pointer_size = 8;
  if (options->clock == 0)
    options->clock = NS_CLOCK_QPC;
  if (options->frequency == 0)
    options->frequency = NS_TICKS_PER_SECOND;
  if (options->cpu_mhz == 0)
    options->cpu_mhz = 2400;
  if (options->start_filetime == 0)
    options->start_filetime = DEFAULT_START;
  if (options->base_raw == 0)
    options->base_raw =
        options->clock == NS_CLOCK_SYSTEM ? options->start_filetime : (guint64) DEFAULT_BASE;
  if (options->os_build == 0)
    options->os_build = 19045;
  options->mode &= ~NS_ETL_MODE_COMPRESSED;
  if (options->is_compressed)
    options->mode |= NS_ETL_MODE_COMPRESSED;
}

/* Appends an empty buffer header; its fields are set when the buffer is written. */
static void
put_buffer_header (GByteArray *bytes)
{
  ns_etl_bytes_zero (bytes, NS_ETL_BUFFER_HEADER_SIZE);
}

static void
set_buffer_header (GByteArray *bytes,
                   gsize at,
                   guint32 buffer_size,
                   guint32 filled,
                   guint16 flags,
                   guint16 type)
{
  ns_etl_bytes_set_u32 (bytes, at, buffer_size);
  ns_etl_bytes_set_u32 (bytes, at + 0x04, filled);
  ns_etl_bytes_set_u32 (bytes, at + 0x08, filled);
  ns_etl_bytes_set_u32 (bytes, at + 0x2c, 3);
  ns_etl_bytes_set_u32 (bytes, at + 0x30, filled);
  ns_etl_bytes_set_u16 (bytes, at + 0x34, flags);
  ns_etl_bytes_set_u16 (bytes, at + 0x36, type);
}

static void
put_zone_date (GByteArray *p, const NsZoneDate *date)
{
  ns_etl_bytes_u16 (p, date->year);
  ns_etl_bytes_u16 (p, date->month);
  ns_etl_bytes_u16 (p, date->weekday);
  ns_etl_bytes_u16 (p, date->day);
  ns_etl_bytes_u16 (p, date->hour);
  ns_etl_bytes_u16 (p, date->minute);
  ns_etl_bytes_u16 (p, date->second);
  ns_etl_bytes_u16 (p, 0);
}

static const char *
text_or_none (const char *text)
{
  return text != NULL ? text : "";
}

static void
put_timezone (GByteArray *p, const NsEtlWriterOptions *options)
{
  static const NsZone none = { 0 };
  gboolean has_like = options->like != NULL;
  const NsZone *zone = has_like ? &options->like->zone : &none;

  ns_etl_bytes_u32 (p, (guint32) options->bias_min);
  ns_etl_bytes_wchars (p, text_or_none (has_like ? options->like->timezone_standard : NULL), 32);
  put_zone_date (p, &zone->standard);
  ns_etl_bytes_u32 (p, (guint32) zone->standard_bias_min);
  ns_etl_bytes_wchars (p, text_or_none (has_like ? options->like->timezone_daylight : NULL), 32);
  put_zone_date (p, &zone->daylight);
  ns_etl_bytes_u32 (p, (guint32) zone->daylight_bias_min);
}

/* Appends the payload of the trace header record; some fields are set at the end. */
static void
put_trace_header (GByteArray *p, const NsEtlWriterOptions *options)
{
  const NsEtlHeader *like = options->like;

  ns_etl_bytes_u32 (p, options->buffer_size);
  ns_etl_bytes_u8 (p, like != NULL ? like->os_major : 10);
  ns_etl_bytes_u8 (p, like != NULL ? like->os_minor : 0);
  ns_etl_bytes_u8 (p, options->is_compressed ? 2 : 1);
  ns_etl_bytes_u8 (p, options->is_compressed ? 0 : 5);
  ns_etl_bytes_u32 (p, options->os_build);
  ns_etl_bytes_u32 (p, options->n_processors);
  ns_etl_bytes_u64 (p, 0); /* EndTime */
  ns_etl_bytes_u32 (p, 156250);
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_u32 (p, options->mode);
  ns_etl_bytes_u32 (p, 0); /* BuffersWritten */
  ns_etl_bytes_u32 (p, 1);
  ns_etl_bytes_u32 (p, options->pointer_size);
  ns_etl_bytes_u32 (p, options->events_lost);
  ns_etl_bytes_u32 (p, options->cpu_mhz);
  ns_etl_bytes_ptr (p, 0, options->pointer_size);
  ns_etl_bytes_ptr (p, 0, options->pointer_size);
  put_timezone (p, options);
  ns_etl_bytes_u32 (p, 0);
  ns_etl_bytes_u64 (p,
                    options->boot_filetime != 0 ? options->boot_filetime
                    : like != NULL              ? like->boot_filetime
                                                : options->start_filetime);
  ns_etl_bytes_u64 (p, options->frequency);
  ns_etl_bytes_u64 (p, options->start_filetime);
  ns_etl_bytes_u32 (p, options->clock);
  ns_etl_bytes_u32 (p, options->buffers_lost);
  ns_etl_bytes_wstr (p, options->session != NULL ? options->session : "Netstitch");
  ns_etl_bytes_wstr (p, options->log_file != NULL ? options->log_file : "trace.etl");
}

void
ns_etl_writer_encode_group (GByteArray *out, const NsEtlWriterGroup *group)
{
  NsRecordKind kind = group->kind != 0 ? group->kind : NS_RECORD_SYSTEM64;
  gboolean is_perfinfo = kind == NS_RECORD_PERFINFO32 || kind == NS_RECORD_PERFINFO64;
  gboolean is_system = kind == NS_RECORD_SYSTEM32 || kind == NS_RECORD_SYSTEM64;

  ns_etl_bytes_u16 (out, group->version);
  ns_etl_bytes_u8 (out, (guint8) kind);
  ns_etl_bytes_u8 (out, 0xc0);
  ns_etl_bytes_u16 (out, 0);
  ns_etl_bytes_u8 (out, group->opcode);
  ns_etl_bytes_u8 (out, group->group);
  if (!is_perfinfo)
    {
      ns_etl_bytes_u32 (out, group->tid);
      ns_etl_bytes_u32 (out, group->pid);
    }
  ns_etl_bytes_u64 (out, group->raw);
  if (is_system)
    {
      ns_etl_bytes_u32 (out, group->kernel_time);
      ns_etl_bytes_u32 (out, group->user_time);
    }
  ns_etl_bytes_array (out, group->payload);
  ns_etl_bytes_set_u16 (out, 4, (guint16) MIN (out->len, NS_ETL_WRITER_MAX_RECORD));
}

static void
put_header_buffer (NsEtlWriter *self)
{
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autoptr (GByteArray) record = g_byte_array_new ();
  NsEtlWriterGroup group = {
    .raw = self->options.base_raw,
    .kind = self->options.pointer_size == 4 ? NS_RECORD_SYSTEM32 : NS_RECORD_SYSTEM64,
    .version = 2,
    .payload = payload,
  };
  gsize filled;

  put_trace_header (payload, &self->options);
  ns_etl_writer_encode_group (record, &group);
  put_buffer_header (self->file);
  ns_etl_bytes_data (self->file, record->data, record->len);
  ns_etl_bytes_zero (self->file, -self->file->len & 7);
  filled = self->file->len;
  if (self->options.is_compressed)
    ns_etl_bytes_zero (self->file, -self->file->len & 0x3ff);
  else
    ns_etl_bytes_zero (self->file, self->options.buffer_size - filled);
  if (self->file->len - filled >= 4)
    ns_etl_bytes_set_u32 (self->file, filled, NS_ETL_END_MARKER);
  set_buffer_header (self->file, 0, self->file->len, (guint32) filled, 1, NS_ETL_BUFFER_HEADER);
  self->n_buffers = 1;
}

/**
 * ns_etl_writer_new:
 * @options: (nullable): properties of the trace; copied
 *
 * Returns: (transfer full): a trace with a header only
 */
NsEtlWriter *
ns_etl_writer_new (const NsEtlWriterOptions *options)
{
  NsEtlWriter *self = g_new0 (NsEtlWriter, 1);

  if (options != NULL)
    self->options = *options;
  if (self->options.like != NULL)
    fill_from_like (&self->options, self->options.like);
  fill_defaults (&self->options);
  g_assert (self->options.buffer_size >= 0x400 && self->options.buffer_size % 8 == 0);

  self->cpus = g_array_new (FALSE, TRUE, sizeof (CpuBuffer));
  g_array_set_clear_func (self->cpus, buffer_clear);
  self->file = g_byte_array_new ();
  self->last_raw = self->options.base_raw;
  put_header_buffer (self);
  /* Texts and the header to imitate were copied and may be freed by the caller. */
  self->options.session = NULL;
  self->options.log_file = NULL;
  self->options.like = NULL;
  return self;
}

/**
 * ns_etl_writer_free:
 * @self: (transfer full) (nullable): a writer
 *
 * Frees @self.
 */
void
ns_etl_writer_free (NsEtlWriter *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->cpus);
  g_clear_pointer (&self->file, g_byte_array_unref);
  g_clear_pointer (&self->header, g_byte_array_unref);
  g_free (self);
}

/**
 * ns_etl_writer_get_base_raw:
 * @self: a writer
 *
 * Returns: the raw time of the trace header, at time 0
 */
guint64
ns_etl_writer_get_base_raw (const NsEtlWriter *self)
{
  return self->options.base_raw;
}

static void
write_all (NsEtlWriter *self, const GByteArray *bytes, guint64 offset)
{
  gsize done = 0;

  while (done < bytes->len && self->write_error == 0)
    {
      ssize_t n = pwrite (self->fd, bytes->data + done, bytes->len - done, (off_t) (offset + done));

      if (n > 0)
        done += (gsize) n;
      else if (n == 0 || errno != EINTR)
        self->write_error = n == 0 ? ENOSPC : errno;
    }
}

static void
flush_stream (NsEtlWriter *self)
{
  write_all (self, self->file, self->n_written);
  self->n_written += self->file->len;
  g_byte_array_set_size (self->file, 0);
}

/**
 * ns_etl_writer_stream_to_fd:
 * @self: a writer to which nothing was added yet
 * @fd: descriptor of a seekable file; the caller closes it
 *
 * Makes the writer write full buffers to the file, so that a trace may be larger than memory.
 * Finish it with ns_etl_writer_finish_stream().
 */
void
ns_etl_writer_stream_to_fd (NsEtlWriter *self, int fd)
{
  g_return_if_fail (self->header == NULL && self->n_buffers == 1);

  self->fd = fd;
  self->header = g_byte_array_new ();
  ns_etl_bytes_data (self->header, self->file->data, self->file->len);
}

/**
 * ns_etl_writer_get_size:
 * @self: a writer
 *
 * Returns: size of the file so far in bytes, without buffers that are not full
 */
guint64
ns_etl_writer_get_size (const NsEtlWriter *self)
{
  return self->n_written + self->file->len;
}

/* Appends a compressed buffer to the file; FALSE if compression does not make it smaller. */
static gboolean
put_compressed (NsEtlWriter *self, const GByteArray *bytes, gsize at)
{
  gsize filled = bytes->len;

  ns_etl_bytes_data (self->file, bytes->data, NS_ETL_BUFFER_HEADER_SIZE);
  ns_etl_lz77_compress (bytes->data + NS_ETL_BUFFER_HEADER_SIZE,
                        filled - NS_ETL_BUFFER_HEADER_SIZE,
                        self->file);
  if (self->file->len - at < filled)
    {
      set_buffer_header (self->file,
                         at,
                         (guint32) (self->file->len - at),
                         (guint32) filled,
                         NS_ETL_FLAG_PROC_INDEX | NS_ETL_FLAG_COMPRESSED,
                         NS_ETL_BUFFER_GENERIC);
      return TRUE;
    }

  g_byte_array_set_size (self->file, (guint) at);
  return FALSE;
}

static void
write_buffer (NsEtlWriter *self, guint cpu)
{
  CpuBuffer *buffer = &g_array_index (self->cpus, CpuBuffer, cpu);
  gsize at = self->file->len;
  gsize filled;

  if (buffer->bytes == NULL)
    return;

  filled = buffer->bytes->len;
  ns_etl_bytes_set_u64 (buffer->bytes, 0x10, buffer->last_raw);
  ns_etl_bytes_set_u64 (buffer->bytes, 0x18, self->n_buffers);
  ns_etl_bytes_set_u16 (buffer->bytes, 0x28, (guint16) cpu);
  if (!self->options.is_compressed || !put_compressed (self, buffer->bytes, at))
    {
      gsize size = self->options.is_compressed ? filled : self->options.buffer_size;

      ns_etl_bytes_data (self->file, buffer->bytes->data, filled);
      ns_etl_bytes_zero (self->file, size - filled);
      if (size - filled >= 4)
        ns_etl_bytes_set_u32 (self->file, at + filled, NS_ETL_END_MARKER);
      set_buffer_header (self->file,
                         at,
                         (guint32) size,
                         (guint32) filled,
                         NS_ETL_FLAG_PROC_INDEX,
                         NS_ETL_BUFFER_GENERIC);
    }
  g_clear_pointer (&buffer->bytes, g_byte_array_unref);
  self->n_buffers++;
  if (self->header != NULL && self->file->len >= STREAM_SIZE)
    flush_stream (self);
}

/**
 * ns_etl_writer_next_buffer:
 * @self: a writer
 * @cpu: a processor
 *
 * Writes the processor's buffer although it is not full; its next record begins a new one.
 */
void
ns_etl_writer_next_buffer (NsEtlWriter *self, guint cpu)
{
  if (cpu < self->cpus->len)
    write_buffer (self, cpu);
}

/**
 * ns_etl_writer_add_bytes:
 * @self: a writer
 * @cpu: processor
 * @raw: time of the record, for the header of its buffer
 * @record: a complete record with its header, written unchanged
 * @size: its size in bytes
 *
 * Returns: %FALSE if the record does not fit a buffer; then nothing is written
 */
gboolean
ns_etl_writer_add_bytes (NsEtlWriter *self,
                         guint cpu,
                         guint64 raw,
                         const guint8 *record,
                         gsize size)
{
  gsize padded = (size + 7) & ~(gsize) 7;
  CpuBuffer *buffer;

  g_return_val_if_fail (self->file != NULL, FALSE);
  if (cpu >= MAX_CPUS || padded > self->options.buffer_size - NS_ETL_BUFFER_HEADER_SIZE)
    return FALSE;

  if (cpu >= self->cpus->len)
    g_array_set_size (self->cpus, cpu + 1);
  buffer = &g_array_index (self->cpus, CpuBuffer, cpu);
  if (buffer->bytes != NULL && padded > self->options.buffer_size - buffer->bytes->len)
    write_buffer (self, cpu);
  if (buffer->bytes == NULL)
    {
      buffer->bytes = g_byte_array_new ();
      put_buffer_header (buffer->bytes);
    }
  ns_etl_bytes_data (buffer->bytes, record, size);
  ns_etl_bytes_zero (buffer->bytes, padded - size);
  buffer->last_raw = raw;
  self->last_raw = MAX (self->last_raw, raw);
  return TRUE;
}

static guint64
end_filetime (const NsEtlWriter *self)
{
  const NsEtlWriterOptions *options = &self->options;
  double counts;

  if (options->end_filetime != 0)
    return options->end_filetime;
  if (options->clock == NS_CLOCK_SYSTEM)
    return self->last_raw;
  counts = (double) (self->last_raw - options->base_raw);
  if (options->clock == NS_CLOCK_CYCLE)
    return options->start_filetime + (guint64) (counts * 10 / options->cpu_mhz);
  return options->start_filetime +
         (guint64) (counts * NS_TICKS_PER_SECOND / (double) options->frequency);
}

/* Writes the unfinished buffers, and the fields that are known at the end to @header, the first
 * bytes of the file. */
static void
end_file (NsEtlWriter *self, GByteArray *header)
{
  guint cpu;

  for (cpu = 0; cpu < self->cpus->len; cpu++)
    write_buffer (self, cpu);
  if (self->options.n_processors == 0)
    ns_etl_bytes_set_u32 (header, HEADER_PAYLOAD + 0x0c, MAX (self->cpus->len, 1));
  if (!self->options.is_open)
    {
      ns_etl_bytes_set_u64 (header, HEADER_PAYLOAD + 0x10, end_filetime (self));
      ns_etl_bytes_set_u32 (header, HEADER_PAYLOAD + 0x24, self->n_buffers);
    }
}

/**
 * ns_etl_writer_finish:
 * @self: a writer in memory; nothing can be added afterwards
 *
 * Returns: (transfer full): the bytes of the trace file
 */
GBytes *
ns_etl_writer_finish (NsEtlWriter *self)
{
  g_return_val_if_fail (self->file != NULL && self->header == NULL, NULL);

  end_file (self, self->file);
  return g_byte_array_free_to_bytes (g_steal_pointer (&self->file));
}

/**
 * ns_etl_writer_finish_stream:
 * @self: a streaming writer; nothing can be added afterwards
 * @error: return location
 *
 * Returns: %TRUE if the whole trace was written, else %FALSE with @error set
 */
gboolean
ns_etl_writer_finish_stream (NsEtlWriter *self, GError **error)
{
  g_return_val_if_fail (self->file != NULL && self->header != NULL, FALSE);

  end_file (self, self->header);
  flush_stream (self);
  write_all (self, self->header, 0);
  g_clear_pointer (&self->file, g_byte_array_unref);
  if (self->write_error == 0)
    return TRUE;

  g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE, g_strerror (self->write_error));
  return FALSE;
}

/**
 * ns_etl_writer_finish_to_file:
 * @self: a writer in memory; nothing can be added afterwards
 * @path: path of the file; written completely or not at all, readable by the owner only
 * @error: return location
 *
 * Returns: %TRUE if the file was written, else %FALSE with @error set
 */
gboolean
ns_etl_writer_finish_to_file (NsEtlWriter *self, const char *path, GError **error)
{
  g_autoptr (GBytes) bytes = ns_etl_writer_finish (self);
  g_autoptr (GError) local_error = NULL;
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

  if (g_file_set_contents_full (path,
                                data,
                                (gssize) size,
                                G_FILE_SET_CONTENTS_CONSISTENT,
                                0600,
                                &local_error))
    return TRUE;

  g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_WRITE, local_error->message);
  return FALSE;
}
