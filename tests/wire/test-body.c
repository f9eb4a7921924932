/* Tests the decoding of HTTP bodies in every coding.
 *
 * Bodies compressed by other libraries are decoded here; truncated or damaged ones give the part
 * that can be decoded.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "wire/ns-wire-charset.h"
#include "wire/ns-wire-coding.h"
#include "wire/ns-wire-message.h"
#include "wire/ns-wire-stream.h"

#include <brotli/encode.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define CAP NS_WIRE_CODING_MAX_BYTES
#define GZIP (15 + 16)
#define ZLIB 15
#define RAW (-15)

static GByteArray *
bytes_of (const char *text)
{
  GByteArray *bytes = g_byte_array_new ();

  return g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text));
}

/* Makes a text that exceeds one step of a decoder and is not trivially compressible. */
static GByteArray *
long_text (void)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < 30000; i++)
    g_string_append_printf (text, "%u ", i * i);
  return g_bytes_unref_to_array (g_string_free_to_bytes (text));
}

static GByteArray *
pack_zlib (const GByteArray *plain, int window_bits)
{
  z_stream stream = { .next_in = plain->data, .avail_in = plain->len };
  GByteArray *packed = g_byte_array_new ();

  g_assert_cmpint (deflateInit2 (&stream, 9, Z_DEFLATED, window_bits, 9, Z_DEFAULT_STRATEGY),
                   ==,
                   Z_OK);
  g_byte_array_set_size (packed, (guint) deflateBound (&stream, plain->len));
  stream.next_out = packed->data;
  stream.avail_out = packed->len;
  g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
  g_byte_array_set_size (packed, (guint) stream.total_out);
  deflateEnd (&stream);
  return packed;
}

static GByteArray *
pack_br (const GByteArray *plain)
{
  GByteArray *packed = g_byte_array_new ();
  gsize size = BrotliEncoderMaxCompressedSize (plain->len);

  g_byte_array_set_size (packed, (guint) size);
  g_assert_true (BrotliEncoderCompress (2,
                                        BROTLI_DEFAULT_WINDOW,
                                        BROTLI_MODE_GENERIC,
                                        plain->len,
                                        plain->data,
                                        &size,
                                        packed->data));
  g_byte_array_set_size (packed, (guint) size);
  return packed;
}

static GByteArray *
pack_zstd (const GByteArray *plain)
{
  GByteArray *packed = g_byte_array_new ();
  gsize size = ZSTD_compressBound (plain->len);

  g_byte_array_set_size (packed, (guint) size);
  size = ZSTD_compress (packed->data, size, plain->data, plain->len, 3);
  g_assert_false (ZSTD_isError (size));
  g_byte_array_set_size (packed, (guint) size);
  return packed;
}

static GByteArray *
pack_chunked (const GByteArray *plain, guint n_bytes)
{
  GString *packed = g_string_new (NULL);
  guint i;

  for (i = 0; i < plain->len; i += n_bytes)
    {
      guint here = MIN (n_bytes, plain->len - i);

      g_string_append_printf (packed, "%x;a=b\r\n", here);
      g_string_append_len (packed, (const char *) plain->data + i, here);
      g_string_append (packed, "\r\n");
    }
  g_string_append (packed, "0\r\nExpires: never\r\n\r\n");
  return g_bytes_unref_to_array (g_string_free_to_bytes (packed));
}

static GByteArray *
pack (const char *coding, const GByteArray *plain)
{
  if (strcmp (coding, "gzip") == 0 || strcmp (coding, "X-GZIP") == 0)
    return pack_zlib (plain, GZIP);
  if (strcmp (coding, "deflate") == 0)
    return pack_zlib (plain, ZLIB);
  if (strcmp (coding, "br") == 0)
    return pack_br (plain);
  if (strcmp (coding, "zstd") == 0)
    return pack_zstd (plain);
  g_assert_cmpstr (coding, ==, "chunked");
  return pack_chunked (plain, 1000);
}

static void
assert_bytes (const GByteArray *bytes, const GByteArray *expected)
{
  g_assert_cmpmem (bytes->data, bytes->len, expected->data, expected->len);
}

static const char *const packers[] = { "gzip", "X-GZIP", "deflate", "br", "zstd", "chunked" };

static void
test_each_coding_gives_back_what_was_packed (void)
{
  g_autoptr (GByteArray) plain = long_text ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (packers); i++)
    {
      g_autoptr (GByteArray) bytes = pack (packers[i], plain);

      g_assert_cmpint (ns_wire_coding_undo (bytes, packers[i], CAP), ==, NS_WIRE_CODING_WHOLE);
      assert_bytes (bytes, plain);
    }
}

static void
test_codings_are_undone_from_the_last (void)
{
  g_autoptr (GByteArray) plain = long_text ();
  g_autoptr (GByteArray) once = pack ("br", plain);
  g_autoptr (GByteArray) twice = pack ("gzip", once);
  g_autoptr (GByteArray) bytes = pack ("chunked", twice);

  g_assert_cmpint (ns_wire_coding_undo (bytes, "br, identity,gzip , Chunked", CAP),
                   ==,
                   NS_WIRE_CODING_WHOLE);
  assert_bytes (bytes, plain);
}

static void
test_deflate_may_lack_its_header (void)
{
  g_autoptr (GByteArray) plain = long_text ();
  g_autoptr (GByteArray) bytes = pack_zlib (plain, RAW);
  /* A stored block whose first two bytes look like a zlib header: 0x7801 is a multiple of 31. */
  g_autoptr (GByteArray) alike = bytes_of ("");

  g_assert_cmpint (ns_wire_coding_undo (bytes, "deflate", CAP), ==, NS_WIRE_CODING_WHOLE);
  assert_bytes (bytes, plain);
  g_byte_array_append (alike, (const guint8 *) "\x78\x05\x00\xfa\xffhello\x03\x00", 12);
  g_byte_array_set_size (alike, 12);
  ns_wire_coding_undo (alike, "deflate", CAP);
  g_assert_cmpmem (alike->data, alike->len, "hello", 5);
}

static void
test_members_of_gzip_follow_one_another (void)
{
  g_autoptr (GByteArray) one = bytes_of ("one ");
  g_autoptr (GByteArray) other = bytes_of ("other");
  g_autoptr (GByteArray) bytes = pack ("gzip", one);
  g_autoptr (GByteArray) more = pack ("gzip", other);

  g_byte_array_append (bytes, more->data, more->len);
  g_byte_array_append (bytes, (const guint8 *) "\0\0\0", 3);
  g_assert_cmpint (ns_wire_coding_undo (bytes, "gzip", CAP), ==, NS_WIRE_CODING_WHOLE);
  g_assert_cmpmem (bytes->data, bytes->len, "one other", 9);
}

static void
test_what_is_cut_gives_its_beginning (void)
{
  g_autoptr (GByteArray) plain = long_text ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (packers); i++)
    {
      g_autoptr (GByteArray) bytes = pack (packers[i], plain);

      g_byte_array_set_size (bytes, bytes->len / 2);
      g_assert_cmpint (ns_wire_coding_undo (bytes, packers[i], CAP), ==, NS_WIRE_CODING_CUT);
      g_assert_cmpuint (bytes->len, >, plain->len / 8);
      g_assert_cmpuint (bytes->len, <, plain->len);
      g_assert_cmpmem (bytes->data, bytes->len, plain->data, bytes->len);
    }
}

static void
test_what_is_broken_gives_what_was_before (void)
{
  g_autoptr (GByteArray) plain = long_text ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (packers); i++)
    {
      g_autoptr (GByteArray) bytes = pack (packers[i], plain);

      /* Brotli has no checksum, so not every damage is detected, but zeros are. */
      memset (bytes->data + bytes->len / 2, 0, bytes->len / 4);
      g_assert_cmpint (ns_wire_coding_undo (bytes, packers[i], CAP), ==, NS_WIRE_CODING_BROKEN);
      g_assert_cmpuint (bytes->len, >, plain->len / 8);
      g_assert_cmpmem (bytes->data, plain->len / 8, plain->data, plain->len / 8);
    }
}

static void
test_bombs_stop_at_the_cap (void)
{
  g_autoptr (GByteArray) plain = g_byte_array_new ();
  guint i;

  g_byte_array_set_size (plain, CAP + 1);
  memset (plain->data, 'a', plain->len);
  for (i = 0; i < G_N_ELEMENTS (packers); i++)
    {
      g_autoptr (GByteArray) bytes = pack (packers[i], plain);

      g_assert_cmpint (ns_wire_coding_undo (bytes, packers[i], CAP), ==, NS_WIRE_CODING_TOO_LARGE);
      g_assert_cmpuint (bytes->len, ==, CAP);
      g_assert_cmpint (bytes->data[CAP - 1], ==, 'a');
    }
}

static void
test_a_window_of_zstd_has_a_cap (void)
{
  g_autoptr (GByteArray) plain = long_text ();
  ZSTD_CCtx *packer = ZSTD_createCCtx ();
  guint log;

  for (log = NS_WIRE_CODING_MAX_ZSTD_WINDOW_LOG; log <= NS_WIRE_CODING_MAX_ZSTD_WINDOW_LOG + 1;
       log++)
    {
      g_autoptr (GByteArray) bytes = g_byte_array_new ();
      ZSTD_outBuffer out = { NULL, ZSTD_compressBound (plain->len), 0 };
      ZSTD_inBuffer in = { plain->data, plain->len, 0 };

      g_byte_array_set_size (bytes, (guint) out.size);
      out.dst = bytes->data;
      ZSTD_CCtx_setParameter (packer, ZSTD_c_windowLog, (int) log);
      /* Without a content size in its header the frame needs the whole window. */
      g_assert_cmpuint (ZSTD_compressStream2 (packer, &out, &in, ZSTD_e_continue), <, 1 << 20);
      g_assert_cmpuint (ZSTD_compressStream2 (packer, &out, &in, ZSTD_e_end), ==, 0);
      g_byte_array_set_size (bytes, (guint) out.pos);
      g_assert_cmpint (ns_wire_coding_undo (bytes, "zstd", CAP),
                       ==,
                       log <= NS_WIRE_CODING_MAX_ZSTD_WINDOW_LOG ? NS_WIRE_CODING_WHOLE
                                                                 : NS_WIRE_CODING_BROKEN);
    }
  ZSTD_freeCCtx (packer);
}

static void
test_too_many_codings_are_left_alone (void)
{
  g_autoptr (GByteArray) bytes = bytes_of ("hello");
  g_autoptr (GString) many = g_string_new ("identity");
  guint i;

  for (i = 1; i < NS_WIRE_CODING_MAX_CODINGS; i++)
    g_string_append (many, ",identity");
  g_assert_cmpint (ns_wire_coding_undo (bytes, many->str, CAP), ==, NS_WIRE_CODING_WHOLE);
  g_string_append (many, ",gzip");
  g_assert_cmpint (ns_wire_coding_undo (bytes, many->str, CAP), ==, NS_WIRE_CODING_UNKNOWN);
  g_assert_cmpint (ns_wire_coding_undo (bytes, "gzip, rot13", CAP), ==, NS_WIRE_CODING_UNKNOWN);
  g_assert_cmpmem (bytes->data, bytes->len, "hello", 5);
}

static void
assert_chunks (const char *chunked, NsWireCodingEnd end, const char *plain)
{
  g_autoptr (GByteArray) bytes = bytes_of (chunked);

  g_assert_cmpint (ns_wire_coding_undo (bytes, "chunked", CAP), ==, end);
  g_assert_cmpmem (bytes->data, bytes->len, plain, strlen (plain));
}

static void
test_sizes_of_chunks (void)
{
  assert_chunks ("5\r\nhello\r\n0\r\n\r\n", NS_WIRE_CODING_WHOLE, "hello");
  assert_chunks ("5\nhello\n0\n\n", NS_WIRE_CODING_WHOLE, "hello");
  assert_chunks ("5\r\nhello\r\n", NS_WIRE_CODING_CUT, "hello");
  assert_chunks ("a\r\nhello", NS_WIRE_CODING_CUT, "hello");
  assert_chunks ("5\r\nhello!\r\n0\r\n\r\n", NS_WIRE_CODING_BROKEN, "hello");
  assert_chunks ("\r\n", NS_WIRE_CODING_BROKEN, "");
  assert_chunks ("-1\r\nhello", NS_WIRE_CODING_BROKEN, "");
  assert_chunks ("fffffffffffffff\r\nhello", NS_WIRE_CODING_CUT, "hello");
  assert_chunks ("10000000000000005\r\nhello\r\n0\r\n\r\n", NS_WIRE_CODING_BROKEN, "");
}

static void
assert_text (const void *bytes, gsize size, const char *type, const char *text, const char *charset)
{
  g_autofree char *told = NULL;
  g_autofree char *found = ns_wire_charset_to_text (bytes, size, type, &told);

  g_assert_cmpstr (found, ==, text);
  g_assert_cmpstr (told, ==, charset);
}

static void
test_characters_are_those_that_were_meant (void)
{
#define T(bytes) bytes, sizeof bytes - 1
  assert_text (T ("gr\xc3\xbc\xc3\x9f"), "text/plain", "grüß", "UTF-8");
  assert_text (T ("\xef\xbb\xbfgr\xc3\xbc"), NULL, "grü", "UTF-8");
  assert_text (T ("gr\xfc\xdf"), "text/plain; charset=ISO-8859-1", "grüß", "ISO-8859-1");
  assert_text (T ("gr\xfc\xdf"), "text/plain", "grüß", "windows-1252");
  assert_text (T ("\xff\xfeg\0\xfc\0"), "text/plain; charset=utf-8", "gü", "UTF-16LE");
  assert_text (T ("\xfe\xff\0g\0\xfc"), NULL, "gü", "UTF-16BE");
  assert_text (T ("h\0e\0l\0l\0o\0"), "application/octet-stream", "hello", "UTF-16LE");
  assert_text (T ("\0h\0e\0l\0l\0o"), NULL, "hello", "UTF-16BE");
  assert_text (T ("<meta charset=\"koi8-r\">\xc1"),
               "text/html",
               "<meta charset=\"koi8-r\">а",
               "koi8-r");
  assert_text (T ("<?xml version='1.0' encoding='ISO-8859-2'?>\xb1"),
               NULL,
               "<?xml version='1.0' encoding='ISO-8859-2'?>ą",
               "ISO-8859-2");
  assert_text (T ("<meta charset=utf-16>\xc3\xbc"), NULL, "<meta charset=utf-16>ü", "UTF-8");
  assert_text (T ("hello"), "text/plain; charset=no-such", "hello", "UTF-8");
  assert_text (T ("a\xc3"), "text/plain; charset=UTF-8", "a\xef\xbf\xbd", "UTF-8");
  assert_text (T ("a\xff"
                  "b"),
               "text/plain; charset=UTF-8",
               "a\xef\xbf\xbd"
               "b",
               "UTF-8");
  assert_text (T ("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "image/png", NULL, NULL);
  assert_text (T ("\xff\xd8\xff\xe0"), "image/jpeg", NULL, NULL);
#undef T
}

static void
assert_message (const char *text, gsize at, gboolean is_whole, const char *body)
{
  NsWireMessage message;

  g_assert_true (ns_wire_message_find (&message, (const guint8 *) text, strlen (text), at));
  g_assert_cmpint (message.is_whole, ==, is_whole);
  g_assert_cmpmem (text + message.body, message.end - message.body, body, strlen (body));
}

static void
test_a_message_ends_where_its_fields_say (void)
{
  static const char two[] = "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n";
  NsWireMessage message;

  assert_message (two, 0, TRUE, "abc");
  assert_message (two, sizeof two - 1 - 18, TRUE, "");
  assert_message ("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc", 0, FALSE, "abc");
  assert_message ("HTTP/1.1 200 OK\r\n\r\nuntil the end", 0, FALSE, "until the end");
  assert_message ("HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\nHTTP/1.1", 0, TRUE, "");
  assert_message ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK", 0, TRUE, "");
  assert_message ("HTTP/1.1 200 OK\nTransfer-Encoding: gzip,\n chunked\n\n1\na\n0\n\nHTTP",
                  0,
                  TRUE,
                  "1\na\n0\n\n");
  assert_message ("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nab", 0, FALSE, "ab");
  g_assert_false (ns_wire_message_find (&message, (const guint8 *) two, 20, 0));
  g_assert_false (ns_wire_message_find (&message, (const guint8 *) two, sizeof two - 1, 1));
}

static void
test_fields_are_read_folded_and_twice (void)
{
  static const char head[] = "HTTP/1.1 200 OK\r\nVary: a,\r\n\t b \r\nX-Vary: no\r\nVARY:c\r\n\r\n";
  static const char coded[] =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: br\r\n\r\n";
  g_autofree char *vary = ns_wire_message_dup_field (head, sizeof head - 1, "Vary");
  g_autofree char *codings = ns_wire_message_dup_codings (coded, sizeof coded - 1);

  g_assert_cmpstr (vary, ==, "a, b, c");
  g_assert_null (ns_wire_message_dup_field (head, sizeof head - 1, "var"));
  g_assert_cmpstr (codings, ==, "br, chunked");
}

static void
test_a_head_has_a_cap (void)
{
  g_autoptr (GString) text = g_string_new ("GET / HTTP/1.1\r\nA: ");
  NsWireMessage message;

  while (text->len < NS_WIRE_MESSAGE_MAX_HEAD)
    g_string_append_c (text, 'a');
  g_string_append (text, "\r\n\r\n");
  g_assert_false (ns_wire_message_find (&message, (const guint8 *) text->str, text->len, 0));
}

/* Asserts that the segments `SEQ:BYTES …` are joined to these runs, separated by spaces. */
static void
assert_joined (const char *script, gboolean has_seq, const char *expected)
{
  g_auto (GStrv) words = g_strsplit (script, " ", -1);
  g_autoptr (GArray) pieces = g_array_new (FALSE, TRUE, sizeof (NsWirePiece));
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (GString) joined = g_string_new (NULL);
  guint i;

  for (i = 0; words[i] != NULL; i++)
    {
      const char *text = strchr (words[i], ':') + 1;
      NsWirePiece piece = { .data = (const guint8 *) text,
                            .size = strlen (text),
                            .seq = (guint32) g_ascii_strtoll (words[i], NULL, 10) };

      g_array_append_val (pieces, piece);
    }
  runs = ns_wire_stream_join ((NsWirePiece *) (gpointer) pieces->data, pieces->len, has_seq);
  for (i = 0; i < runs->len; i++)
    {
      const GByteArray *run = g_ptr_array_index (runs, i);

      g_string_append (joined, i > 0 ? " " : "");
      g_string_append_len (joined, (const char *) run->data, run->len);
    }
  g_assert_cmpstr (joined->str, ==, expected);
  for (i = 0; i < pieces->len; i++)
    {
      const NsWirePiece *piece = &g_array_index (pieces, NsWirePiece, i);
      const GByteArray *run = g_ptr_array_index (runs, piece->run);

      g_assert_cmpuint (piece->at + piece->size, <=, run->len);
    }
}

static void
test_segments_are_put_in_order (void)
{
  assert_joined ("1:abc 4:def", TRUE, "abcdef");
  assert_joined ("4:def 1:abc", TRUE, "abcdef");
  assert_joined ("1:abc 1:xyz 4:def 2:BCDEFG", TRUE, "abcDEFG");
  assert_joined ("1:abc 6:fg", TRUE, "abc fg");
  assert_joined ("4294967294:abc 1:def", TRUE, "abcdef");
  assert_joined ("1:abc 1:def", FALSE, "abcdef");
}

/* An empty body is truncated in every compressed coding; only chunked and identity allow it. */
static void
test_nothing_is_cut_off (void)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (packers); i++)
    {
      g_autoptr (GByteArray) nothing = g_byte_array_new ();

      g_assert_cmpint (ns_wire_coding_undo (nothing, packers[i], CAP), ==, NS_WIRE_CODING_CUT);
      g_assert_cmpuint (nothing->len, ==, 0);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/body/nothing-is-cut-off", test_nothing_is_cut_off);
  g_test_add_func ("/body/each-coding-gives-back-what-was-packed",
                   test_each_coding_gives_back_what_was_packed);
  g_test_add_func ("/body/codings-are-undone-from-the-last", test_codings_are_undone_from_the_last);
  g_test_add_func ("/body/deflate-may-lack-its-header", test_deflate_may_lack_its_header);
  g_test_add_func ("/body/members-of-gzip-follow-one-another",
                   test_members_of_gzip_follow_one_another);
  g_test_add_func ("/body/what-is-cut-gives-its-beginning", test_what_is_cut_gives_its_beginning);
  g_test_add_func ("/body/what-is-broken-gives-what-was-before",
                   test_what_is_broken_gives_what_was_before);
  g_test_add_func ("/body/bombs-stop-at-the-cap", test_bombs_stop_at_the_cap);
  g_test_add_func ("/body/a-window-of-zstd-has-a-cap", test_a_window_of_zstd_has_a_cap);
  g_test_add_func ("/body/too-many-codings-are-left-alone", test_too_many_codings_are_left_alone);
  g_test_add_func ("/body/sizes-of-chunks", test_sizes_of_chunks);
  g_test_add_func ("/body/characters-are-those-that-were-meant",
                   test_characters_are_those_that_were_meant);
  g_test_add_func ("/body/a-message-ends-where-its-fields-say",
                   test_a_message_ends_where_its_fields_say);
  g_test_add_func ("/body/fields-are-read-folded-and-twice", test_fields_are_read_folded_and_twice);
  g_test_add_func ("/body/a-head-has-a-cap", test_a_head_has_a_cap);
  g_test_add_func ("/body/segments-are-put-in-order", test_segments_are_put_in_order);
  return g_test_run ();
}
