/* Names of frames, each made once: `module!function`, `module+0x1f` or `0x7ff6…`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-call-frames.h"

#include "base/ns-map.h"

struct _NsCallFrames
{
  const NsTrace *trace;
  NsStrings *names;
  NsCallNameFunc name;
  gpointer name_data;
  NsMap *by_place; /* number in @frames + 1, by row of the image and address in it */
  GArray *frames;  /* element-type NsCallFrame */
  GString *text;
};

/**
 * ns_call_frames_new: (skip)
 * @trace: a trace
 * @names: where the names go
 * @name: (nullable): names functions
 * @name_data: for @name
 *
 * Returns: (transfer full): names to be made
 */
NsCallFrames *
ns_call_frames_new (const NsTrace *trace, NsStrings *names, NsCallNameFunc name, gpointer name_data)
{
  NsCallFrames *self = g_new0 (NsCallFrames, 1);

  self->trace = trace;
  self->names = names;
  self->name = name;
  self->name_data = name_data;
  self->by_place = ns_map_new ();
  self->frames = g_array_new (FALSE, FALSE, sizeof (NsCallFrame));
  self->text = g_string_new (NULL);
  return self;
}

/**
 * ns_call_frames_free: (skip)
 * @self: (transfer full) (nullable): names
 */
void
ns_call_frames_free (NsCallFrames *self)
{
  if (self == NULL)
    return;
  ns_map_free (self->by_place);
  g_array_unref (self->frames);
  g_string_free (self->text, TRUE);
  g_free (self);
}

static void
add_frame (NsCallFrames *self, NsRow row, guint64 offset)
{
  const NsImageRow *image =
      row != 0 ? &g_array_index (self->trace->images, NsImageRow, row - 1) : NULL;
  const char *function = NULL;
  NsCallFrame frame = { 0, NS_STRING_NONE };

  g_string_truncate (self->text, 0);
  if (image == NULL || image->name == NS_STRING_NONE)
    g_string_append_printf (self->text,
                            "0x%" G_GINT64_MODIFIER "x",
                            offset + (image != NULL ? image->base : 0));
  else
    {
      frame.module = image->name;
      g_string_append (self->text, ns_trace_text (self->trace, image->name));
      if (self->name != NULL)
        function = self->name (row, offset, self->name_data);
      if (function != NULL)
        g_string_append_printf (self->text, "!%s", function);
      else
        g_string_append_printf (self->text, "+0x%" G_GINT64_MODIFIER "x", offset);
    }
  frame.name = ns_strings_add_len (self->names, self->text->str, self->text->len);
  g_array_append_val (self->frames, frame);
}

/**
 * ns_call_frames_get: (skip)
 * @self: names
 * @stack: a stack
 * @address: one of its frames
 * @time_ns: when it was taken
 *
 * Returns: (transfer none): what is known of it; valid until the next call
 */
const NsCallFrame *
ns_call_frames_get (NsCallFrames *self, NsStackId stack, guint64 address, gint64 time_ns)
{
  guint32 pid = ns_stacks_get_pid (self->trace->stacks, stack);
  NsRow row = ns_trace_find_image (self->trace, pid, address, time_ns);
  guint64 offset = address;
  guint32 number;

  if (row != 0)
    offset -= g_array_index (self->trace->images, NsImageRow, row - 1).base;
  number = ns_map_get (self->by_place, row, offset);
  if (number == 0)
    {
      add_frame (self, row, offset);
      number = self->frames->len;
      ns_map_set (self->by_place, row, offset, number);
    }
  return &g_array_index (self->frames, NsCallFrame, number - 1);
}
