/* Prints the field tree of frames.
 *
 * Each line of standard input is a frame: link type, bytes on the wire, captured bytes in
 * hexadecimal digits. Each line of output is a field: depth, offset, size, name and value,
 * separated by tabs; an empty line ends a frame.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE (2 * 65536 + 64)

static gsize
read_hex (const char *hex, guint8 *data)
{
  gsize size = 0;

  for (; g_ascii_isxdigit (hex[0]) && g_ascii_isxdigit (hex[1]); hex += 2)
    data[size++] = (guint8) (g_ascii_xdigit_value (hex[0]) << 4 | g_ascii_xdigit_value (hex[1]));
  return size;
}

static void
print_field (const NsWireField *field)
{
  g_autofree char *name = g_strescape (field->name, NULL);
  g_autofree char *value = g_strescape (field->value, NULL);

  printf ("%u\t%u\t%u\t%s\t%s\n", field->depth, field->offset, field->size, name, value);
}

int
main (void)
{
  g_autofree char *line = g_malloc (MAX_LINE);
  g_autofree guint8 *data = g_malloc (MAX_LINE / 2);

  while (fgets (line, MAX_LINE, stdin) != NULL)
    {
      g_auto (GStrv) words = g_strsplit (g_strchomp (line), " ", 3);
      g_autoptr (GArray) fields = NULL;
      guint i;

      if (g_strv_length (words) != 3)
        g_error ("not a frame: %s", line);
      fields = ns_wire_tree_new (data,
                                 read_hex (words[2], data),
                                 strtoul (words[1], NULL, 10),
                                 (guint) strtoul (words[0], NULL, 10));
      for (i = 0; i < fields->len; i++)
        print_field (&g_array_index (fields, NsWireField, i));
      putchar ('\n');
    }
  return EXIT_SUCCESS;
}
