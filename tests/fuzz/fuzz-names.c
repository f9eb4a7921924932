/* Fuzz target: the file of names that goes along with a trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "../engine/story.h"
#include "engine/ns-carried-names.h"
#include "fuzz/ns-fuzz.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  static NsTrace *trace;
  g_autoptr (GByteArray) text = g_byte_array_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (NsCarriedNames) names = NULL;

  if (trace == NULL)
    {
      g_autoptr (Story) story = story_new ();

      story_socket (story, 1, 0xa0, 50001, "198.51.100.7:443");
      trace = story_open (story, 10);
    }
  /* Nothing is read of a file with another beginning. */
  g_byte_array_append (text,
                       (const guint8 *) NS_CARRIED_NAMES_HEAD,
                       (guint) strlen (NS_CARRIED_NAMES_HEAD));
  g_byte_array_append (text, data, (guint) size);
  bytes = g_bytes_new (text->data, text->len);
  names = ns_carried_names_new (trace, bytes);
  if (names == NULL || ns_carried_names_get_size (names) > size / 5)
    ns_fuzz_fail ("more names than lines");
  return 0;
}
