/* Fuzz target: an image file, or a decorated name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "fuzz/ns-fuzz.h"
#include "symbols/ns-pe.h"
#include "symbols/ns-undecorate.h"

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (NsPe) image = NULL;

  if (size > 0 && data[0] != 'M')
    {
      g_autofree char *name = g_strndup ((const char *) data, size);
      g_autofree char *text = ns_undecorate (name, strlen (name), size % 2 == 0);

      return text == NULL;
    }
  image = ns_pe_new (ns_symbol_source_new_for_memory (data, size), NULL);
  for (guint32 rva = 0x1000; image != NULL && rva < 0x2000; rva += 16)
    {
      guint32 offset;

      ns_pe_lookup (image, rva, &offset);
    }
  return 0;
}
