/* Tests the reversible escaping of strings that are not valid UTF-8.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-exact.h"
#include "base/ns-json.h"
#include "base/ns-tcl.h"

#include <string.h>

typedef void (*EscapeFunc) (GString *text, gsize begin);

static GArray *
units_of (const char *utf16, gsize size)
{
  GArray *units = g_array_new (FALSE, FALSE, sizeof (gunichar2));
  gsize i;

  for (i = 0; i + 1 < size; i += 2)
    {
      gunichar2 unit = (gunichar2) ((guchar) utf16[i] | (guchar) utf16[i + 1] << 8);

      g_array_append_val (units, unit);
    }
  return units;
}

static void
add_code (GArray *units, gunichar c)
{
  gunichar2 pair[2] = { (gunichar2) c };

  if (c >= 0x10000)
    {
      pair[0] = (gunichar2) (0xd800 + ((c - 0x10000) >> 10));
      pair[1] = (gunichar2) (0xdc00 + ((c - 0x10000) & 0x3ff));
    }
  g_array_append_vals (units, pair, c >= 0x10000 ? 2 : 1);
}

static gunichar
hex4 (const char *p)
{
  char digits[5] = { p[0], p[1], p[2], p[3] };

  return (gunichar) g_ascii_strtoull (digits, NULL, 16);
}

/* Decodes the output of ns_exact_escape_tail(), written from its description. */
static GArray *
read_plain (const char *p)
{
  GArray *units = g_array_new (FALSE, FALSE, sizeof (gunichar2));

  for (; *p != '\0'; p = g_utf8_next_char (p))
    if (*p == '\\' && (g_str_has_prefix (p + 1, "u0000") || g_str_has_prefix (p + 1, "u005c") ||
                       g_regex_match_simple ("^ud[89a-f][0-9a-f]{2}", p + 1, 0, 0)))
      {
        add_code (units, hex4 (p + 2));
        p += 5;
      }
    else
      add_code (units, g_utf8_get_char (p));
  return units;
}

/* Decodes JSON strings and elements of Tcl lists, whose escapes are the same here. */
static GArray *
read_backslashes (const char *p, const char *end)
{
  static const char names[] = "nrtb";
  static const char meant[] = "\n\r\t\b";
  GArray *units = g_array_new (FALSE, FALSE, sizeof (gunichar2));

  for (; p < end; p = g_utf8_next_char (p))
    if (*p != '\\')
      add_code (units, g_utf8_get_char (p));
    else if (*++p == 'u')
      {
        add_code (units, hex4 (p + 1));
        p += 4;
      }
    else
      add_code (units,
                strchr (names, *p) != NULL ? (guchar) meant[strchr (names, *p) - names]
                                           : (guchar) *p);
  return units;
}

static GArray *
read_tcl (const char *p)
{
  gsize i;
  GArray *units;

  if (*p != '{')
    return read_backslashes (p, p + strlen (p));
  units = g_array_new (FALSE, FALSE, sizeof (gunichar2));
  for (i = 1; i + 1 < strlen (p); i += (gsize) (g_utf8_next_char (p + i) - (p + i)))
    add_code (units, g_utf8_get_char (p + i));
  return units;
}

static void
assert_same (const GArray *got, const GArray *expected)
{
  g_assert_cmpmem (got->data, got->len * 2, expected->data, expected->len * 2);
}

static void
assert_reads_back (const char *utf16, gsize size)
{
  g_autoptr (GString) plain = g_string_new ("x");
  g_autoptr (GString) json = g_string_new ("x");
  g_autoptr (GString) tcl = g_string_new ("x");
  g_autoptr (GArray) expected = units_of (utf16, size);
  g_autoptr (GArray) of_plain = NULL;
  g_autoptr (GArray) of_json = NULL;
  g_autoptr (GArray) of_tcl = NULL;

  ns_exact_append_utf16 (plain, (const guint8 *) utf16, size);
  g_string_append_len (json, plain->str + 1, (gssize) plain->len - 1);
  g_string_append_len (tcl, plain->str + 1, (gssize) plain->len - 1);

  ns_exact_escape_tail (plain, 1);
  ns_json_quote_tail (json, 1);
  ns_tcl_quote_tail (tcl, 1);
  g_assert_true (g_utf8_validate_len (plain->str, plain->len, NULL));
  g_assert_true (g_utf8_validate_len (json->str, json->len, NULL));
  g_assert_true (g_utf8_validate_len (tcl->str, tcl->len, NULL));
  g_assert_null (strpbrk (tcl->str, "\n\r\t\v\f"));

  of_plain = read_plain (plain->str + 1);
  of_json = read_backslashes (json->str + 2, json->str + json->len - 1);
  of_tcl = read_tcl (tcl->str + 1);
  assert_same (of_plain, expected);
  assert_same (of_json, expected);
  assert_same (of_tcl, expected);
}

/* The bytes of a literal without its NUL. */
#define BYTES(literal) literal, sizeof (literal) - 1

static void
test_every_form_reads_back (void)
{
  assert_reads_back (BYTES (""));
  assert_reads_back (BYTES ("a\0 \0{\0}\0"));
  assert_reads_back (BYTES ("a\0\n\0\r\0\t\0\x1b\0\x7f\0\x85\0\x28\x20"));
  assert_reads_back (BYTES ("a\0\0\0b\0"));
  assert_reads_back (BYTES ("\0\0\0\0b\0"));
  assert_reads_back (BYTES ("\0\xd8"));
  assert_reads_back (BYTES ("a\0\xff\xdf\0\xd8\0\xd8x\0"));
  assert_reads_back (BYTES ("\x3d\xd8\0\xde \0\x3d\xd8"));
  assert_reads_back (BYTES ("\0\xd7\xff\xd7\0\xe0"));
  assert_reads_back (BYTES ("C\0:\0\\\0u\0s\0e\0r\0s\0"));
  assert_reads_back (BYTES ("\\\0u\0d\0\x38\0\x30\0\x30\0"));
  assert_reads_back (BYTES ("\\\0u\0\x30\0\x30\0\x30\0\x30\0"));
  assert_reads_back (BYTES ("\\\0\\\0u\0\x30\0\x30\0\x35\0c\0u\0\x30\0\x30\0\x30\0\x30\0"));
  assert_reads_back (BYTES ("{\0\\\0}\0"));
  assert_reads_back (BYTES ("}\0{\0\"\0\\\0"));
}

/* Random strings of the code units that need escapes. */
static void
test_random_texts_read_back (void)
{
  static const gunichar2 pool[] = { 0,   '\\',   'u',    'd',    '8',    '0', '5',
                                    'c', 0xd800, 0xdc41, 0xdbff, 0xed00, ' ', '{',
                                    '}', '"',    0x85,   0x2029, '\n',   'a' };
  guint round;
  guint i;

  for (round = 0; round < 20000; round++)
    {
      char utf16[34];
      guint n = (guint) g_test_rand_int_range (0, 17);

      for (i = 0; i < n; i++)
        {
          gunichar2 unit = pool[g_test_rand_int_range (0, G_N_ELEMENTS (pool))];

          utf16[2 * i] = (char) (unit & 0xff);
          utf16[2 * i + 1] = (char) (unit >> 8);
        }
      while (n > 0 && utf16[2 * n - 2] == 0 && utf16[2 * n - 1] == 0)
        n--;
      assert_reads_back (utf16, 2 * n);
    }
}

static void
assert_8bit (const char *bytes, gsize size, const char *plain)
{
  g_autoptr (GString) text = g_string_new (NULL);

  ns_exact_append_8bit (text, (const guint8 *) bytes, size);
  ns_exact_escape_tail (text, 0);
  g_assert_cmpstr (text->str, ==, plain);
  g_assert_cmpuint (strlen (text->str), ==, text->len);
}

static void
test_bytes_that_are_no_utf8_stay (void)
{
  assert_8bit (BYTES ("caf\xe9!"), "caf\\udce9!");
  assert_8bit (BYTES ("caf\xc3\xa9"), "caf\xc3\xa9");
  assert_8bit (BYTES ("a\0b\xc3"), "a\\u0000b\\udcc3");
  /* A surrogate in three bytes is invalid UTF-8, so its escape differs from that of a single
   * byte. */
  assert_8bit (BYTES ("\xed\xb3\xa9"), "\\udced\\udcb3\\udca9");
}

static void
test_padding_is_no_text (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  assert_8bit (BYTES ("ab\0\0\0"), "ab");
  assert_8bit (BYTES ("\0\0"), "");
  ns_exact_append_utf16 (text, (const guint8 *) "a\0\0\0b\0\0\0\0", 9);
  g_assert_cmpmem (text->str, text->len, "a\0b", 3);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/exact/reads-back", test_every_form_reads_back);
  g_test_add_func ("/base/exact/random", test_random_texts_read_back);
  g_test_add_func ("/base/exact/8-bit", test_bytes_that_are_no_utf8_stay);
  g_test_add_func ("/base/exact/padding", test_padding_is_no_text);
  return g_test_run ();
}
