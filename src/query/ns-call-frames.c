/* Names of frames, each looked up once: `module!function`, `module+0x1f` or `0x7ff6…`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-call-frames.h"

#include "base/ns-map.h"
#include "base/ns-text.h"
#include "engine/trace/ns-methods.h"
#include "engine/trace/ns-namer.h"

#include <string.h>

/* Flag of the key of a method; other keys have the image row of a frame. */
#define METHOD_PLACE (G_GUINT64_CONSTANT (1) << 32)

/* System modules that are in most call stacks, displayed less prominently. */
static const char *const system_modules[] = {
  "ntdll",  "kernel32", "kernelbase", "ntoskrnl", "user32",   "win32u",   "ws2_32",   "mswsock",
  "rpcrt4", "combase",  "ucrtbase",   "msvcrt",   "sechost",  "clr",      "coreclr",  "wow64",
  "afd",    "tcpip",    "netio",      "wow64cpu", "ole32",    "wow64win", "ntkrnlmp", "dnsapi",
  "webio",  "winhttp",  "wininet",    "iertutil", "schannel", "sspicli",  "ncrypt",   "crypt32",
};

/**
 * ns_call_is_system:
 * @module: file name of an image
 *
 * Returns: %TRUE for a system module that is in most call stacks
 */
gboolean
ns_call_is_system (const char *module)
{
  gsize length = strcspn (module, ".");
  guint i;

  for (i = 0; i < G_N_ELEMENTS (system_modules); i++)
    if (strlen (system_modules[i]) == length &&
        g_ascii_strncasecmp (module, system_modules[i], length) == 0)
      return TRUE;
  return FALSE;
}

struct _NsCallFrames
{
  const NsTrace *trace;
  NsStrings *names;
  NsMap *by_place; /* number in @frames + 1, see key_of() */
  GArray *frames;  /* element-type NsCallFrame */
  GString *text;
  char **hidden; /* (nullable) */
};

/**
 * ns_call_frames_new: (skip)
 * @trace: a trace
 * @names: gets the names
 * @hidden: (nullable): frames to leave out, see ns_call_frame_is_like()
 *
 * Returns: (transfer full): an empty cache of names
 */
NsCallFrames *
ns_call_frames_new (const NsTrace *trace, NsStrings *names, const char *const *hidden)
{
  NsCallFrames *self = g_new0 (NsCallFrames, 1);

  self->trace = trace;
  self->names = names;
  self->by_place = ns_map_new ();
  self->frames = g_array_new (FALSE, FALSE, sizeof (NsCallFrame));
  self->text = g_string_new (NULL);
  self->hidden = g_strdupv ((char **) hidden);
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
  g_strfreev (self->hidden);
  g_free (self);
}

/**
 * ns_call_frame_is_like: (skip)
 * @name: name of the frame
 * @place: its name without symbols
 * @module: (nullable): its module
 * @pattern: `module!*` for a whole module, or the name of one frame
 *
 * Returns: %TRUE if the frame matches; module names are compared without regard to case
 */
gboolean
ns_call_frame_is_like (const char *name, const char *place, const char *module, const char *pattern)
{
  gsize n_module = module != NULL ? strlen (module) : 0;

  if (module != NULL && g_ascii_strncasecmp (pattern, module, n_module) == 0 &&
      strcmp (pattern + n_module, "!*") == 0)
    return TRUE;
  return strcmp (name, pattern) == 0 || strcmp (place, pattern) == 0;
}

static gboolean
is_hidden (const NsCallFrames *self, const NsCallFrame *frame, gboolean is_kernel)
{
  const char *module =
      frame->module != NS_STRING_NONE ? ns_trace_text (self->trace, frame->module) : NULL;
  guint i;

  for (i = 0; self->hidden != NULL && self->hidden[i] != NULL; i++)
    if (strcmp (self->hidden[i], NS_CALL_HIDDEN_SYSTEM) == 0)
      {
        if (is_kernel || (module != NULL && ns_call_is_system (module)))
          return TRUE;
      }
    else if (ns_call_frame_is_like (ns_strings_get (self->names, frame->name),
                                    ns_strings_get (self->names, frame->place),
                                    module,
                                    self->hidden[i]))
      return TRUE;
  return FALSE;
}

/* Returns the key of a frame. It includes @is_return: an address may belong to different
 * functions as a return address and as a leaf. */
static guint64
key_of (NsRow image, guint64 rva, gboolean is_return)
{
  return image == 0 ? rva : rva << 1 | (is_return ? 1 : 0);
}

static NsString
intern (NsCallFrames *self)
{
  return ns_strings_add_len (self->names, self->text->str, self->text->len);
}

static void
add_frame (NsCallFrames *self, NsRow row, guint64 rva, gboolean is_return, gboolean is_kernel)
{
  const NsImageRow *image = row != 0 ? NS_ROW_AT (self->trace->images, NsImageRow, row) : NULL;
  NsCallFrame frame = { .module = NS_STRING_NONE, .image = row, .rva = rva };
  const char *module = NULL;
  guint32 offset;

  g_string_truncate (self->text, 0);
  if (image == NULL || image->name == NS_STRING_NONE)
    ns_text_append_hex (self->text, rva + (image != NULL ? image->base : 0));
  else
    {
      frame.module = image->name;
      module = ns_trace_text (self->trace, image->name);
      ns_text_append_text (self->text, module);
      ns_text_append (self->text, "+", 1);
      ns_text_append_hex (self->text, rva);
    }
  frame.place = frame.name = intern (self);
  if (module != NULL && ns_trace_has_namer (self->trace))
    {
      g_string_printf (self->text, "%s!", module);
      if (ns_trace_name_place (self->trace, row, rva, is_return, self->text, &offset))
        frame.name = intern (self);
    }
  frame.is_hidden = is_hidden (self, &frame, is_kernel);
  g_array_append_val (self->frames, frame);
}

/* Adds the frame of a JIT-compiled method. */
static void
add_method (NsCallFrames *self, const NsMethodRow *method)
{
  NsCallFrame frame = { .module = method->module, .rva = method->start };

  g_string_truncate (self->text, 0);
  ns_method_append_name (method, self->trace, self->text);
  frame.place = frame.name = intern (self);
  frame.is_hidden = is_hidden (self, &frame, FALSE);
  g_array_append_val (self->frames, frame);
}

static const NsCallFrame *
get_method (NsCallFrames *self, const NsMethodRow *method)
{
  guint64 place =
      METHOD_PLACE |
      (guint64) (method - (const NsMethodRow *) (gconstpointer) self->trace->methods->data);
  guint32 number = ns_map_get (self->by_place, place, 0);

  if (number == 0)
    {
      add_method (self, method);
      number = self->frames->len;
      ns_map_set (self->by_place, place, 0, number);
    }
  return &g_array_index (self->frames, NsCallFrame, number - 1);
}

/**
 * ns_call_frames_get: (skip)
 * @self: names
 * @stack: a stack
 * @address: one of its frames
 * @time_ns: when it was taken
 * @is_return: whether it is a return address, as in all frames but the innermost
 *
 * Returns: (transfer none): the frame; valid until the next call
 */
const NsCallFrame *
ns_call_frames_get (NsCallFrames *self,
                    NsStackId stack,
                    guint64 address,
                    gint64 time_ns,
                    gboolean is_return)
{
  guint32 pid = ns_stacks_get_pid (self->trace->stacks, stack);
  const NsMethodRow *method =
      ns_methods_find (self->trace, pid, address - (is_return ? 1 : 0), time_ns);
  guint64 rva = address;
  guint64 key;
  guint32 number;
  NsRow row;

  if (method != NULL)
    return get_method (self, method);
  row = ns_trace_find_image (self->trace, pid, address, time_ns);
  if (row != 0)
    rva -= NS_ROW_AT (self->trace->images, NsImageRow, row)->base;
  key = key_of (row, rva, is_return);
  number = ns_map_get (self->by_place, row, key);
  if (number == 0)
    {
      add_frame (self, row, rva, is_return, ns_trace_is_kernel_address (self->trace, address));
      number = self->frames->len;
      ns_map_set (self->by_place, row, key, number);
    }
  return &g_array_index (self->frames, NsCallFrame, number - 1);
}
