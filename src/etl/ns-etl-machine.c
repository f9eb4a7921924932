/* Finds the name of the computer that recorded a trace, in the kernel's description of the system.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-strings.h"
#include "etl/ns-etl-file-private.h"

/* Hook group of system configuration, and its record of the processors (wmicore.mof,
 * SystemConfig_CPU): clock, processors, memory, page size and granularity with 32 bits each, then
 * the name in 256 units of UTF-16. */
#define GROUP_CONFIG 0x0b
#define TYPE_CPU 10
#define NAME_OFFSET 20
#define NAME_BYTES 512
/* Maximum number of bytes that are searched at the beginning and at the end of the file, where the
 * kernel writes the description. */
#define MAX_BYTES (2u << 20)

static char *
read_name (const guint8 *payload, gsize n_bytes)
{
  gsize length = 0;

  if (n_bytes < NAME_OFFSET + NAME_BYTES)
    return NULL;
  payload += NAME_OFFSET;
  while (length < NAME_BYTES && (payload[length] != 0 || payload[length + 1] != 0))
    length += 2;
  return length > 0 ? ns_utf8_from_utf16 (payload, length) : NULL;
}

static char *
look_through (const NsEtlBuffer *buffer)
{
  gsize pos = NS_ETL_BUFFER_HEADER_SIZE;
  NsEtlStepKind kind;
  NsEtlStep step;

  if (buffer->state != NS_ETL_BUFFER_READY)
    return NULL;
  while ((kind = ns_etl_parse_step (buffer->data, buffer->end, pos, &step)) <= NS_ETL_STEP_UNKNOWN)
    {
      guint group;
      guint type;

      pos = ns_etl_step_next (&step);
      if (kind == NS_ETL_STEP_RECORD &&
          ns_etl_parse_hook (buffer->data, buffer->end, &step, &group, &type) &&
          group == GROUP_CONFIG && type == TYPE_CPU)
        {
          char *name =
              read_name (buffer->data + step.pos + step.header_size, step.size - step.header_size);

          if (name != NULL)
            return name;
        }
    }
  return NULL;
}

static char *
find_name (const NsEtlFile *self)
{
  guint n_buffers = self->layout.n_buffers;
  guint n_near = CLAMP (MAX_BYTES / MAX (self->layout.buffer_size, 1), 1, n_buffers);
  NsEtlBuffer buffer = { 0 };
  char *name = NULL;
  guint i;

  for (i = 0; i < n_buffers && name == NULL; i++)
    {
      if (i == n_near && n_buffers - n_near > i)
        i = n_buffers - n_near;
      if (!ns_etl_buffer_load (&buffer, self->source, &self->layout, i, NULL))
        break;
      name = look_through (&buffer);
    }
  ns_etl_buffer_clear (&buffer);
  return name;
}

/**
 * ns_etl_file_get_machine:
 * @self: a trace, or an input of a case
 *
 * Searches the beginning and the end of the file at the first call. Thread-safe.
 *
 * Returns: (transfer none) (nullable): name of the computer; %NULL: not recorded
 */
const char *
ns_etl_file_get_machine (NsEtlFile *self)
{
  guint i;

  if (!g_once_init_enter (&self->has_machine))
    return self->machine;
  if (self->inputs == NULL)
    self->machine = find_name (self);
  for (i = 0; self->inputs != NULL && i < self->inputs->len && self->machine == NULL; i++)
    self->machine = g_strdup (ns_etl_file_get_machine (g_ptr_array_index (self->inputs, i)));
  g_once_init_leave (&self->has_machine, TRUE);
  return self->machine;
}
