/* Fuzz target: the file of embedded symbol names of a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "../engine/story.h"
#include "engine/trace/ns-embedded-labels.h"
#include "fuzz/ns-fuzz.h"

#include <string.h>

/* Makes a trace with one image, whose module line is 5f;1000;app.exe. */
static NsTrace *
open_trace (void)
{
  g_autoptr (Story) story = story_new ();
  NsTrace *trace = story_open (story, 10);
  NsImageRow image = { .timestamp = 0x5f, .size = 0x1000 };

  image.name = ns_strings_add (trace->strings, "APP.exe");
  g_array_set_size (trace->images, 0);
  g_array_append_val (trace->images, image);
  return trace;
}

static void
check_name (const NsEmbeddedLabel *name)
{
  if (name->symbol == NULL || *name->symbol == '\0' || !g_utf8_validate (name->symbol, -1, NULL) ||
      (name->file != NULL && !g_utf8_validate (name->file, -1, NULL)) ||
      (name->inlined != NULL && !g_utf8_validate (name->inlined, -1, NULL)))
    ns_fuzz_fail ("a name that is no text");
  if (name->file == NULL && name->line != 0)
    ns_fuzz_fail ("a line of no file");
}

static void
look_up (const NsTrace *trace)
{
  NsEmbeddedLabel name;
  guint64 rva;

  for (rva = 0; rva < 0x400; rva++)
    if (ns_trace_find_embedded_label (trace, 1, rva, (rva & 1) != 0, &name))
      check_name (&name);
  if (ns_trace_find_embedded_label (trace, 2, 0x120, TRUE, &name) ||
      ns_trace_find_embedded_label (trace, 1, G_MAXUINT64, TRUE, &name))
    ns_fuzz_fail ("a name of no image, or of no place");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static NsTrace *trace;
  g_autoptr (GByteArray) text = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (NsEmbeddedLabels) names = NULL;

  if (trace == NULL)
    trace = open_trace ();
  /* Files without this header are not parsed any further. */
  g_byte_array_append (text,
                       (const guint8 *) NS_EMBEDDED_LABELS_HEAD,
                       (guint) strlen (NS_EMBEDDED_LABELS_HEAD));
  g_byte_array_append (text, data, (guint) size);
  bytes = g_bytes_new (text->data, text->len);
  names = ns_embedded_labels_new (trace, bytes);
  if (names == NULL || ns_embedded_labels_get_size (names) > size / 5)
    ns_fuzz_fail ("more names than lines");
  trace->embedded_labels = names;
  look_up (trace);
  trace->embedded_labels = NULL;
  return 0;
}
