/* Tests the geolocation of addresses, with a database that the test writes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-error.h"
#include "engine/trace/ns-geo.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Value types of https://maxmind.github.io/MaxMind-DB. */
enum
{
  TYPE_TEXT = 2,
  TYPE_UINT16 = 5,
  TYPE_UINT32 = 6,
  TYPE_MAP = 7,
};

#define N_NODES 8

static void
put (GString *bytes, guint type, guint size)
{
  g_string_append_c (bytes, (char) (type << 5 | size));
}

static void
put_text (GString *bytes, const char *text)
{
  guint size = (guint) strlen (text);

  put (bytes, TYPE_TEXT, MIN (size, 29));
  if (size >= 29)
    g_string_append_c (bytes, (char) (size - 29));
  g_string_append (bytes, text);
}

static void
put_number (GString *bytes, const char *key, guint type, guint number)
{
  put_text (bytes, key);
  put (bytes, type, 1);
  g_string_append_c (bytes, (char) number);
}

static void
put_record (GString *bytes, guint value)
{
  g_string_append_c (bytes, (char) (value >> 16));
  g_string_append_c (bytes, (char) (value >> 8));
  g_string_append_c (bytes, (char) value);
}

/* Writes a database with the single entry 8.0.0.0/8: { country: { names: { en: … } } }. */
static char *
write_database (const char *country)
{
  g_autoptr (GString) bytes = g_string_new (NULL);
  g_autofree char *folder = g_dir_make_tmp ("netstitch-geo-XXXXXX", NULL);
  char *path = g_build_filename (folder, "places.mmdb", NULL);
  guint i;

  for (i = 0; i < N_NODES; i++)
    {
      guint next = i + 1 < N_NODES ? i + 1 : N_NODES + 16;
      gboolean is_one = (8 >> (7 - i) & 1) != 0;

      put_record (bytes, is_one ? N_NODES : next);
      put_record (bytes, is_one ? next : N_NODES);
    }
  g_string_append_len (bytes, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16);
  put (bytes, TYPE_MAP, 1);
  put_text (bytes, "country");
  put (bytes, TYPE_MAP, 1);
  put_text (bytes, "names");
  put (bytes, TYPE_MAP, 1);
  put_text (bytes, "en");
  put_text (bytes, country);

  g_string_append (bytes, "\xab\xcd\xefMaxMind.com");
  put (bytes, TYPE_MAP, 9);
  put_number (bytes, "binary_format_major_version", TYPE_UINT16, 2);
  put_number (bytes, "binary_format_minor_version", TYPE_UINT16, 0);
  put_number (bytes, "ip_version", TYPE_UINT16, 4);
  put_number (bytes, "node_count", TYPE_UINT32, N_NODES);
  put_number (bytes, "record_size", TYPE_UINT16, 24);
  put_text (bytes, "build_epoch");
  g_string_append_len (bytes, "\x01\x02\x01", 3); /* a 64-bit number */
  put_text (bytes, "database_type");
  put_text (bytes, "Test");
  put_text (bytes, "description");
  put (bytes, TYPE_MAP, 0);
  put_text (bytes, "languages");
  g_string_append_len (bytes, "\0\x04", 2); /* an empty array */
  g_assert_true (g_file_set_contents (path, bytes->str, (gssize) bytes->len, NULL));
  return path;
}

static void
remove_database (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);

  g_unlink (path);
  g_rmdir (folder);
}

static void
assert_place (const NsGeo *geo, const char *address, const char *expected)
{
  NsIp ip;
  g_autofree char *place = NULL;

  g_assert_true (ns_ip_from_text (&ip, address));
  place = ns_geo_dup_text (geo, &ip);
  g_assert_cmpstr (place, ==, expected);
}

static void
test_without_a_database_there_is_no_place (void)
{
  assert_place (NULL, "8.8.8.8", NULL);
  assert_place (NULL, "10.0.0.1", NULL);
}

static void
test_a_database_knows_places (void)
{
  g_autoptr (NsGeo) geo = NULL;
  g_autofree char *path = write_database ("United States");
  g_autoptr (GError) error = NULL;

  geo = ns_geo_open (path, &error);
  g_assert_no_error (error);
  assert_place (geo, "8.8.8.8", "United States");
  assert_place (geo, "::ffff:8.1.2.3", "United States");
  assert_place (geo, "9.8.7.6", NULL);
  assert_place (geo, "10.0.0.1", "Private Network (A)");
  assert_place (geo, "fe80::1", "Link Local");
  remove_database (path);
}

/* Names in a database are shortened and cleaned. */
static void
test_places_are_short (void)
{
  g_autoptr (NsGeo) geo = NULL;
  g_autofree char *text = g_strnfill (250, 'x');
  g_autofree char *expected = g_strnfill (100, 'x');
  g_autofree char *path = NULL;

  text[1] = '\n';
  expected[1] = ' ';
  /* The last character does not fit. */
  memcpy (text + 99, "\xc3\xa4", 2);
  expected[99] = '\0';
  path = write_database (text);
  geo = ns_geo_open (path, NULL);
  g_assert_nonnull (geo);
  assert_place (geo, "8.8.8.8", expected);
  remove_database (path);
}

/* The FIFO has no writer. */
static void
test_a_pipe_is_not_waited_for (void)
{
  g_autofree char *folder = g_dir_make_tmp ("netstitch-geo-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "pipe", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_null (ns_geo_open (path, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN);
  remove_database (path);
}

/* Overwriting a database in place truncates it first. */
static void
test_a_database_that_shrinks (void)
{
  g_autoptr (NsGeo) geo = NULL;
  g_autofree char *path = write_database ("United States");
  g_autoptr (GError) error = NULL;

  geo = ns_geo_open (path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (truncate (path, 0), ==, 0);
  assert_place (geo, "8.8.8.8", "United States");
  g_assert_null (ns_geo_open (path, &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN);
  remove_database (path);
}

static void
test_other_files_are_refused (void)
{
  g_autoptr (NsGeo) geo = NULL;
  g_autofree char *path = write_database ("Here");
  g_autoptr (GError) error = NULL;

  geo = ns_geo_open (path, NULL);
  g_assert_nonnull (geo);
  g_assert_null (ns_geo_open ("/dev/null", &error));
  g_assert_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN);
  assert_place (geo, "8.8.8.8", "Here");
  remove_database (path);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/query/geo/none", test_without_a_database_there_is_no_place);
#ifdef NS_HAS_MAXMINDDB
  g_test_add_func ("/query/geo/known", test_a_database_knows_places);
  g_test_add_func ("/query/geo/short", test_places_are_short);
  g_test_add_func ("/query/geo/pipe", test_a_pipe_is_not_waited_for);
  g_test_add_func ("/query/geo/shrinks", test_a_database_that_shrinks);
  g_test_add_func ("/query/geo/refused", test_other_files_are_refused);
#endif
  return g_test_run ();
}
