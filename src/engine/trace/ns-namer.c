/* Function names for the frames of a trace, from a callback of the code that owns the symbols.
 *
 * Folders below `symbols` cannot resolve symbols: the trace has a callback, and without it a frame
 * is formatted as module and offset. Names never affect which rows exist.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-namer.h"

#include "engine/trace/ns-embedded-labels.h"
#include "engine/trace/ns-methods.h"
#include "engine/trace/ns-trace-cache.h"

typedef struct
{
  NsNamerFunc func;
  gpointer user_data;
  GDestroyNotify free_user_data;
} NsNamer;

static void
namer_free (gpointer data)
{
  NsNamer *self = data;

  if (self->free_user_data != NULL)
    self->free_user_data (self->user_data);
  g_free (self);
}

/**
 * ns_trace_set_namer:
 * @self: a trace without a callback
 * @func: names functions
 * @user_data: for @func
 * @free_user_data: (nullable): called when the trace is freed
 *
 * Sets the callback. The owner of the trace calls this once; later calls are ignored.
 */
void
ns_trace_set_namer (NsTrace *self,
                    NsNamerFunc func,
                    gpointer user_data,
                    GDestroyNotify free_user_data)
{
  NsNamer *namer = g_new0 (NsNamer, 1);

  namer->func = func;
  namer->user_data = user_data;
  namer->free_user_data = free_user_data;
  if (ns_trace_cache_begin (self->cache, NS_CACHE_NAMER, NULL, NULL))
    ns_trace_cache_end (self->cache, NS_CACHE_NAMER, namer, namer_free);
  else
    namer_free (namer);
}

static const NsNamer *
get_namer (const NsTrace *self)
{
  return ns_trace_cache_get (self->cache, NS_CACHE_NAMER);
}

/**
 * ns_trace_has_namer:
 * @self: a trace
 *
 * Returns: whether a callback is set
 */
gboolean
ns_trace_has_namer (const NsTrace *self)
{
  return self->embedded_labels != NULL || get_namer (self) != NULL;
}

/**
 * ns_trace_name_place:
 * @self: a trace
 * @image: row of an image
 * @rva: address relative to the image
 * @is_return: whether it is a return address, as in all frames of a stack but the innermost
 * @name: gets the function name appended
 * @offset: (out): from the function's begin, in bytes
 *
 * Returns: %TRUE if the function is known; %FALSE also while its symbols are loaded
 */
gboolean
ns_trace_name_place (const NsTrace *self,
                     NsRow image,
                     guint64 rva,
                     gboolean is_return,
                     GString *name,
                     guint32 *offset)
{
  const NsNamer *namer = get_namer (self);
  NsEmbeddedLabel embedded;

  *offset = 0;
  if (ns_trace_find_embedded_label (self, image, rva, is_return, &embedded))
    {
      g_string_append (name, embedded.symbol);
      *offset = embedded.offset;
      return TRUE;
    }
  return namer != NULL && image != 0 &&
         namer->func (image, rva, is_return, name, offset, namer->user_data);
}

static char *
frame_to_name (const NsTrace *self,
               guint32 pid,
               guint64 address,
               gint64 time_ns,
               gboolean is_return,
               gboolean want_offset)
{
  const NsMethodRow *method = ns_methods_find (self, pid, address - (is_return ? 1 : 0), time_ns);
  const NsImageRow *image;
  GString *text;
  guint32 offset;
  NsRow row;

  if (method != NULL)
    {
      text = g_string_new (NULL);
      if (want_offset)
        ns_method_append_text (method, self, address, text);
      else
        ns_method_append_name (method, self, text);
      return g_string_free (text, FALSE);
    }
  row = ns_trace_find_image (self, pid, address, time_ns);
  if (row == 0 || !ns_trace_has_namer (self))
    return ns_trace_frame_to_text (self, pid, address, time_ns);
  image = NS_ROW_AT (self->images, NsImageRow, row);
  text = g_string_new (image->name != NS_STRING_NONE ? ns_trace_text (self, image->name) : "?");
  g_string_append_c (text, '!');
  if (!ns_trace_name_place (self, row, address - image->base, is_return, text, &offset))
    {
      g_string_free (text, TRUE);
      return ns_trace_frame_to_text (self, pid, address, time_ns);
    }
  if (want_offset && offset != 0)
    g_string_append_printf (text, "+0x%x", offset);
  return g_string_free (text, FALSE);
}

/**
 * ns_trace_frame_to_name:
 * @self: a trace
 * @pid: process whose address it is
 * @address: an address
 * @time_ns: a time
 * @is_return: whether it is a return address
 *
 * Returns: (transfer full): `module!function+0x1f`; without symbols the text of
 *   ns_trace_frame_to_text()
 */
char *
ns_trace_frame_to_name (const NsTrace *self,
                        guint32 pid,
                        guint64 address,
                        gint64 time_ns,
                        gboolean is_return)
{
  return frame_to_name (self, pid, address, time_ns, is_return, TRUE);
}

/**
 * ns_trace_frame_to_function:
 * @self: a trace
 * @pid: process whose address it is
 * @address: an address
 * @time_ns: a time
 * @is_return: whether it is a return address
 *
 * Returns: (transfer full): `module!function`; without symbols the text of ns_trace_frame_to_text()
 */
char *
ns_trace_frame_to_function (const NsTrace *self,
                            guint32 pid,
                            guint64 address,
                            gint64 time_ns,
                            gboolean is_return)
{
  return frame_to_name (self, pid, address, time_ns, is_return, FALSE);
}
