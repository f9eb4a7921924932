/* Reads decorated names, one per line, and writes them demangled.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "symbols/ns-undecorate.h"

#include <stdio.h>
#include <string.h>

int
main (void)
{
  char line[4096];

  while (fgets (line, sizeof line, stdin) != NULL)
    {
      gsize n_line = strcspn (line, "\n");
      g_autofree char *text = ns_undecorate (line, n_line, FALSE);

      printf ("%s\n", text);
    }
  return 0;
}
