/* Writes a trace of captured frames: make-frames FILE.
 *
 * Each line of standard input is a frame: milliseconds, `>` for sent or `<` for received, and its
 * bytes in hexadecimal.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-writer.h"
#include "etl/ns-provider-guids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_TICK 1000100
#define TICKS_PER_MS 10000
#define MAX_LINE (2 * 65536 + 64)
#define KEYWORD_WHOLE G_GUINT64_CONSTANT (0xc0000000)
#define KEYWORD_SEND G_GUINT64_CONSTANT (0x100000000)
#define KEYWORD_RECEIVE G_GUINT64_CONSTANT (0x200000000)

static void
append_hex (GByteArray *bytes, const char *hex)
{
  for (; g_ascii_isxdigit (hex[0]) && g_ascii_isxdigit (hex[1]); hex += 2)
    {
      guint8 byte = (guint8) (g_ascii_xdigit_value (hex[0]) << 4 | g_ascii_xdigit_value (hex[1]));

      g_byte_array_append (bytes, &byte, 1);
    }
}

int
main (int argc, char *argv[])
{
  NsEtlWriterOptions options = { 0 };
  g_autoptr (NsEtlWriter) writer = ns_etl_writer_new (&options);
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  g_autofree char *line = g_malloc (MAX_LINE);
  g_autoptr (GError) error = NULL;

  if (argc != 2)
    g_error ("usage: make-frames FILE");
  while (fgets (line, MAX_LINE, stdin) != NULL)
    {
      g_auto (GStrv) words = g_strsplit (g_strchomp (line), " ", 3);
      const guint8 head[12] = { 7, 0, 0, 0, 7, 0, 0, 0 };
      NsEtlWriterEvent event = { .guid = NS_GUID_NDIS_PACKET_CAPTURE, .id = 1001, .level = 4 };
      guint32 size;

      if (g_strv_length (words) != 3)
        g_error ("not a frame: %s", line);
      g_byte_array_set_size (payload, 0);
      g_byte_array_append (payload, head, sizeof head);
      append_hex (payload, words[2]);
      size = GUINT32_TO_LE (payload->len - (guint) sizeof head);
      memcpy (payload->data + 8, &size, sizeof size);
      event.payload = payload;
      event.pid = 4;
      event.raw = FIRST_TICK + (guint64) (g_ascii_strtod (words[0], NULL) * TICKS_PER_MS + 0.5);
      event.keyword = KEYWORD_WHOLE | (words[1][0] == '<' ? KEYWORD_RECEIVE : KEYWORD_SEND);
      ns_etl_writer_add_event (writer, &event);
    }
  if (!ns_etl_writer_finish_to_file (writer, argv[1], &error))
    g_error ("%s: %s", argv[1], error->message);
  return EXIT_SUCCESS;
}
