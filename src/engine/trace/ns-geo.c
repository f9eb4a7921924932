/* Geolocation of addresses from a database file of the user, without network access.
 *
 * The file is in MaxMind's MMDB format, which other vendors use too; databases of countries, of
 * cities and of network owners (AS) are supported.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE /* memfd_create() */

#include "config.h"

#include "engine/trace/ns-geo.h"

#include "base/ns-error.h"
#include "base/ns-fd.h"
#include "base/ns-plain.h"
#include "engine/trace/ns-services.h"

#include <glib/gi18n-lib.h>
#ifdef NS_HAS_MAXMINDDB
#include <errno.h>
#include <fcntl.h>
#include <maxminddb.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#ifdef NS_HAS_MAXMINDDB

struct _NsGeo
{
  gatomicrefcount ref_count;
  MMDB_s database; /* read only */
};

/* Maximum bytes of a text: a malformed database may hold megabytes in place of a city name. */
#define MAX_TEXT 100
/* Maximum size of a database in bytes; city databases have about 60 million. */
#define MAX_FILE (1 << 30)
#define MAX_READ (1 << 20)

/* Returns the text at a path of an entry, or %NULL. */
static char *
dup_value (MMDB_entry_s *entry, const char *const *path)
{
  MMDB_entry_data_s data;

  if (MMDB_aget_value (entry, &data, path) != MMDB_SUCCESS || !data.has_data)
    return NULL;
  if (data.type == MMDB_DATA_TYPE_UTF8_STRING)
    {
      const char *end;
      char *text;

      if (!g_utf8_validate_len (data.utf8_string, MIN (data.data_size, MAX_TEXT), &end) &&
          data.data_size <= MAX_TEXT)
        return NULL;
      text = g_strndup (data.utf8_string, (gsize) (end - data.utf8_string));
      ns_plain_make (text);
      return text;
    }
  if (data.type == MMDB_DATA_TYPE_UINT32)
    return g_strdup_printf ("%u", data.uint32);
  return NULL;
}

#define VALUE(entry, ...) dup_value (entry, (const char *const[]){ __VA_ARGS__, NULL })

static void
append (GString *text, const char *part)
{
  if (part == NULL)
    return;
  if (text->len > 0)
    g_string_append (text, ", ");
  g_string_append (text, part);
}

/* Formats city, country, and network owner. */
static char *
describe (MMDB_entry_s *entry)
{
  g_autofree char *city = VALUE (entry, "city", "names", "en");
  g_autofree char *country = VALUE (entry, "country", "names", "en");
  g_autofree char *number = VALUE (entry, "autonomous_system_number");
  g_autofree char *owner = VALUE (entry, "autonomous_system_organization");
  g_autoptr (GString) text = g_string_new (NULL);

  if (country == NULL)
    country = VALUE (entry, "country", "iso_code");
  if (country == NULL)
    country = VALUE (entry, "registered_country", "names", "en");
  append (text, city);
  append (text, country);
  if (number != NULL)
    {
      g_autofree char *network = g_strdup_printf ("AS%s", number);

      append (text, network);
    }
  append (text, owner);
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static char *
look_up (const NsGeo *self, const NsIp *ip)
{
  struct sockaddr_in v4 = { .sin_family = AF_INET };
  struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };
  MMDB_lookup_result_s result;
  int error = 0;

  memcpy (&v4.sin_addr, ip->bytes, sizeof v4.sin_addr);
  memcpy (&v6.sin6_addr, ip->bytes, sizeof v6.sin6_addr);
  result = MMDB_lookup_sockaddr (&self->database,
                                 ip->family == NS_AF_INET ? (struct sockaddr *) &v4
                                                          : (struct sockaddr *) &v6,
                                 &error);
  return error == MMDB_SUCCESS && result.found_entry ? describe (&result.entry) : NULL;
}

#else

struct _NsGeo
{
  gatomicrefcount ref_count;
};

static char *
look_up (const NsGeo *self, const NsIp *ip)
{
  return NULL;
}

#endif

/**
 * ns_geo_ref:
 * @self: (nullable): a database
 *
 * Returns: (transfer full) (nullable): @self
 */
NsGeo *
ns_geo_ref (NsGeo *self)
{
  if (self != NULL)
    g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * ns_geo_unref:
 * @self: (transfer full) (nullable): a database
 */
void
ns_geo_unref (NsGeo *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
#ifdef NS_HAS_MAXMINDDB
  MMDB_close (&self->database);
#endif
  g_free (self);
}

#ifdef NS_HAS_MAXMINDDB
static gboolean
copy_all (int from, int to, GError **error)
{
  g_autofree guint8 *bytes = g_malloc (MAX_READ);
  gsize n_copied = 0;

  while (TRUE)
    {
      gssize n = read (from, bytes, MAX_READ);

      if (n == 0)
        return TRUE;
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 || !ns_fd_write_all (to, bytes, (gsize) n))
        {
          g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN, g_strerror (errno));
          return FALSE;
        }
      n_copied += (gsize) n;
      if (n_copied > MAX_FILE)
        {
          g_set_error (error,
                       NS_TRACE_ERROR,
                       NS_TRACE_ERROR_OPEN,
                       _ ("it has more than %d MB"),
                       MAX_FILE >> 20);
          return FALSE;
        }
    }
}

/* Copies the file into memory (memfd). libmaxminddb maps its file, and truncating a mapped file
 * would crash the program. Returns -1 on failure. */
static int
open_copy (const char *path, GError **error)
{
  int from = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  int to = from >= 0 ? memfd_create ("netstitch-places", MFD_CLOEXEC) : -1;

  if (to < 0)
    g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_OPEN, g_strerror (errno));
  else if (!copy_all (from, to, error))
    {
      close (to);
      to = -1;
    }
  if (from >= 0)
    close (from);
  return to;
}

static void
refuse (const char *path, const char *reason, GError **error)
{
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_OPEN,
               _ ("%s is not a GeoIP database: %s"),
               path,
               reason);
}
#endif

/**
 * ns_geo_open:
 * @path: a database file
 * @error: return location
 *
 * The database may be used from any thread.
 *
 * Returns: (transfer full) (nullable): the database; %NULL if the file is not one
 */
NsGeo *
ns_geo_open (const char *path, GError **error)
{
#ifdef NS_HAS_MAXMINDDB
  g_autoptr (GError) problem = NULL;
  g_autofree char *copy_path = NULL;
  MMDB_s opened;
  NsGeo *self;
  int status;
  int copy;

  /* Opening a pipe without a writer would block. */
  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_OPEN,
                   _ ("%s is not a file but a folder, a pipe or a device; specify a .mmdb file"),
                   path);
      return NULL;
    }
  copy = open_copy (path, &problem);
  if (copy < 0)
    {
      refuse (path, problem->message, error);
      return NULL;
    }
  copy_path = g_strdup_printf ("/proc/self/fd/%d", copy);
  status = MMDB_open (copy_path, MMDB_MODE_MMAP, &opened);
  close (copy);
  if (status != MMDB_SUCCESS)
    {
      refuse (path, MMDB_strerror (status), error);
      return NULL;
    }
  self = g_new0 (NsGeo, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->database = opened;
  return self;
#else
  g_set_error_literal (
      error,
      NS_TRACE_ERROR,
      NS_TRACE_ERROR_OPEN,
      _ ("Netstitch was built without libmaxminddb, which is required for GeoIP databases"));
  return NULL;
#endif
}

/**
 * ns_geo_dup_text:
 * @self: (nullable): a database
 * @ip: an address
 *
 * Addresses without a location, such as those of private networks, give their kind instead.
 *
 * Returns: (transfer full) (nullable): the location; %NULL without a database, or if it is not
 *   known
 */
char *
ns_geo_dup_text (const NsGeo *self, const NsIp *ip)
{
  NsIp plain = ns_ip_unmapped (ip);
  char *text;

  if (self == NULL || (plain.family != NS_AF_INET && plain.family != NS_AF_INET6))
    return NULL;
  text = look_up (self, &plain);
  return text != NULL ? text : g_strdup (ns_service_address_kind (&plain));
}
