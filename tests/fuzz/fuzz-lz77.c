/* Fuzz target: decompression of any bytes, and compression round trips.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-lz77.h"
#include "fuzz/ns-fuzz.h"

#include <string.h>

#define MAX_EXPANDED 65536

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (GByteArray) packed = g_byte_array_new ();
  g_autofree guint8 *again = NULL;
  g_autofree guint8 *room = NULL;
  gsize n_expanded;

  if (size < 2)
    return 0;
  n_expanded = ((gsize) data[0] << 8 | data[1]) % MAX_EXPANDED;
  data += 2;
  size -= 2;
  /* Allocates exactly the expanded size, so that a write past the end is detected. */
  room = g_malloc (n_expanded);
  ns_etl_lz77_expand (data, size, room, n_expanded);

  ns_etl_lz77_compress (data, size, packed);
  again = g_malloc (size);
  if (size > 0 && (!ns_etl_lz77_expand (packed->data, packed->len, again, size) ||
                   memcmp (again, data, size) != 0))
    ns_fuzz_fail ("what was packed does not come out again");
  return 0;
}
