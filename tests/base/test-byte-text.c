/* Tests the text view of bytes: the lines of a payload, and the result of copying them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-byte-text.h"

#include <string.h>

static void
test_bytes_stand_in_lines_of_eight (void)
{
  g_autofree char *dump = ns_byte_text_dump ((const guint8 *) "HTTP/1.1\0z", 10);
  g_autofree char *nothing = ns_byte_text_dump (NULL, 0);

  g_assert_cmpstr (dump,
                   ==,
                   "0000  48 54 54 50 2f 31 2e 31  HTTP/1.1\n"
                   "0008  00 7a                    .z\n");
  g_assert_cmpstr (nothing, ==, "");
}

/* Reads the two hexadecimal digits after each @mark in the text. */
static GByteArray *
read_digits (const char *text, const char *mark)
{
  GByteArray *bytes = g_byte_array_new ();
  const char *at = text;

  while ((at = *mark != '\0' ? strstr (at, mark) : strpbrk (at, "0123456789abcdef")) != NULL)
    {
      guint8 byte;

      at += strlen (mark);
      byte = (guint8) (g_ascii_xdigit_value (at[0]) << 4 | g_ascii_xdigit_value (at[1]));
      g_byte_array_append (bytes, &byte, 1);
      at += 2;
    }
  return bytes;
}

static void
test_each_form_gives_the_same_bytes_back (void)
{
  guint8 all[256];
  g_autofree char *hex = NULL;
  g_autofree char *c = NULL;
  g_autofree char *base64 = NULL;
  g_autoptr (GByteArray) from_hex = NULL;
  g_autoptr (GByteArray) from_c = NULL;
  g_autofree guchar *from_base64 = NULL;
  gsize n_bytes;
  guint i;

  for (i = 0; i < 256; i++)
    all[i] = (guint8) i;
  hex = ns_byte_text_format (all, 256, NS_BYTE_FORM_HEX);
  c = ns_byte_text_format (all, 256, NS_BYTE_FORM_C);
  base64 = ns_byte_text_format (all, 256, NS_BYTE_FORM_BASE64);
  from_hex = read_digits (hex, "");
  from_c = read_digits (c, "0x");
  from_base64 = g_base64_decode (base64, &n_bytes);
  g_assert_cmpmem (from_hex->data, from_hex->len, all, 256);
  g_assert_cmpmem (from_c->data, from_c->len, all, 256);
  g_assert_cmpmem (from_base64, n_bytes, all, 256);
}

static void
test_forms_are_what_others_read (void)
{
  g_autofree char *hex = ns_byte_text_format ((const guint8 *) "\0z\377", 3, NS_BYTE_FORM_HEX);
  g_autofree char *c = ns_byte_text_format ((const guint8 *) "0123456789abc", 13, NS_BYTE_FORM_C);
  g_autofree char *base64 = ns_byte_text_format ((const guint8 *) "\0z", 2, NS_BYTE_FORM_BASE64);
  g_autofree char *nothing = ns_byte_text_format (NULL, 0, NS_BYTE_FORM_BASE64);

  g_assert_cmpstr (hex, ==, "00 7a ff");
  g_assert_cmpstr (c,
                   ==,
                   "static const unsigned char bytes[13] = {\n"
                   "  0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x61, 0x62,\n"
                   "  0x63,\n"
                   "};\n");
  g_assert_cmpstr (base64, ==, "AHo=");
  g_assert_cmpstr (nothing, ==, "");
}

/* Marking a range of bytes marks the same bytes in the text. */
static void
test_marked_text_is_marked_bytes (void)
{
  static const struct
  {
    gsize begin, end;
    gsize first, n_bytes;
  } cases[] = {
    { 0, 1000, 0, 10 },  /* the whole text */
    { 6, 8, 0, 1 },      /* one byte */
    { 7, 8, 0, 1 },      /* one digit of a byte */
    { 7, 10, 0, 2 },     /* a digit of each of two bytes */
    { 8, 9, 1, 0 },      /* the space between two bytes */
    { 31, 39, 0, 8 },    /* the character column of a line */
    { 33, 34, 2, 1 },    /* one character */
    { 12, 34, 2, 6 },    /* from digits to characters: the rest of the line */
    { 12, 40, 2, 6 },    /* to the end of the line */
    { 12, 48, 2, 7 },    /* and one byte of the next line */
    { 34, 73, 3, 7 },    /* from a character to one in the next line */
    { 0, 6, 0, 0 },      /* the offset column only */
    { 29, 31, 0, 0 },    /* the spaces before the characters */
    { 29, 39, 0, 8 },    /* and the characters */
    { 49, 60, 9, 1 },    /* the last byte and the text after it */
    { 51, 60, 10, 0 },   /* only the text after it */
    { 8, 8, 1, 0 },      /* nothing */
    { 900, 1000, 10, 0 } /* after the end */
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gsize n_bytes;
      gsize first = ns_byte_text_find (10, cases[i].begin, cases[i].end, &n_bytes);

      g_assert_cmpuint (first, ==, cases[i].first);
      g_assert_cmpuint (n_bytes, ==, cases[i].n_bytes);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/byte-text/bytes-stand-in-lines-of-eight", test_bytes_stand_in_lines_of_eight);
  g_test_add_func ("/byte-text/each-form-gives-the-same-bytes-back",
                   test_each_form_gives_the_same_bytes_back);
  g_test_add_func ("/byte-text/forms-are-what-others-read", test_forms_are_what_others_read);
  g_test_add_func ("/byte-text/marked-text-is-marked-bytes", test_marked_text_is_marked_bytes);
  return g_test_run ();
}
