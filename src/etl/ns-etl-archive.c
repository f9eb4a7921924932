/* Reads a trace from a .zip, .cab, .7z, .gz or .wpapk file.
 *
 * Only the chosen member is unpacked: a small one to memory, a large one to an unlinked file in the
 * folder for temporary files. The unpacked size is limited, because an archive of a few bytes can
 * hold petabytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-archive-private.h"

#include "base/ns-fd.h"
#include "base/ns-hash.h"
#include "base/ns-pages.h"
#include "base/ns-strings.h"
#include "etl/ns-etl-archive-7z.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define NS_ETL_MAX_IN_MEMORY (128u << 20)
/* Maximum unpacked size of a member, in bytes. For smaller archives it is NS_ETL_MAX_UNPACKED_RATIO
 * times their size, or ns_etl_source_get_least_unpacked() if that is more. */
#define NS_ETL_MAX_UNPACKED (G_GUINT64_CONSTANT (256) << 30)
/* Maximum size of all names of traces, and maximum number and length of the names that a message
 * lists. */
#define NS_ETL_MAX_NAMES (16u << 20)
#define MAX_REPORTED 10
#define MAX_REPORTED_CHARS 100
#define BLOCK_SIZE (1u << 18)

/* First bytes of archives. */
static const struct
{
  guint8 bytes[6];
  guint n_bytes;
  int format; /* 0: a compressed stream */
} magics[] = {
  { { 'P', 'K', 3, 4 }, 4, ARCHIVE_FORMAT_ZIP },
  { { 'P', 'K', 5, 6 }, 4, ARCHIVE_FORMAT_ZIP },
  { { 'M', 'S', 'C', 'F' }, 4, ARCHIVE_FORMAT_CAB },
  { { '7', 'z', 0xbc, 0xaf, 0x27, 0x1c }, 6, ARCHIVE_FORMAT_7ZIP },
  { { 0x1f, 0x8b }, 2, 0 },
};

static int
find_magic (const NsEtlSource *source)
{
  guint8 first[6];
  gsize n_read;
  guint i;

  if (!ns_etl_source_read (source, 0, first, sizeof first, &n_read, NULL))
    return -1;
  for (i = 0; i < G_N_ELEMENTS (magics); i++)
    if (n_read >= magics[i].n_bytes && memcmp (first, magics[i].bytes, magics[i].n_bytes) == 0)
      return (int) i;
  return -1;
}

/**
 * ns_etl_archive_is_one:
 * @source: a file
 *
 * Returns: %TRUE if the file begins like an archive or a compressed file
 */
gboolean
ns_etl_archive_is_one (const NsEtlSource *source)
{
  return find_magic (source) >= 0;
}

static void
set_archive_error (GError **error, const NsEtlSource *source, NsEtlArchiveRead *archive)
{
  const char *why = archive_error_string (archive);
  g_autofree char *text =
      ns_utf8_from_bytes (why != NULL ? why : "", why != NULL ? strlen (why) : 0);

  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_ARCHIVE,
               _ ("cannot unpack %s: %s; unpack it with another program and open the trace itself"),
               ns_etl_source_get_name (source),
               *text != '\0' ? text : _ ("damaged archive"));
}

NsEtlArchiveRead *
ns_etl_archive_open (const NsEtlSource *source, GError **error)
{
  g_autoptr (NsEtlArchiveRead) archive = archive_read_new ();
  int magic = find_magic (source);
  guint64 size = ns_etl_source_get_size (source);
  int fd = ns_etl_source_get_fd (source);
  int result;

  if (magic >= 0 && magics[magic].format == ARCHIVE_FORMAT_7ZIP &&
      !ns_etl_archive_check_7z (source, error))
    return NULL;
  if (magic >= 0 && magics[magic].format == ARCHIVE_FORMAT_ZIP)
    archive_read_support_format_zip (archive);
  else if (magic >= 0 && magics[magic].format == ARCHIVE_FORMAT_CAB)
    archive_read_support_format_cab (archive);
  else if (magic >= 0 && magics[magic].format == ARCHIVE_FORMAT_7ZIP)
    archive_read_support_format_7zip (archive);
  else
    {
      archive_read_support_filter_gzip (archive);
      archive_read_support_format_tar (archive);
      archive_read_support_format_raw (archive);
    }

  if (fd >= 0)
    result = lseek (fd, 0, SEEK_SET) == 0 ? archive_read_open_fd (archive, fd, BLOCK_SIZE)
                                          : ARCHIVE_FATAL;
  else
    result = archive_read_open_memory (archive,
                                       ns_etl_source_peek (source, 0, (gsize) size),
                                       (size_t) size);
  if (result == ARCHIVE_OK)
    return g_steal_pointer (&archive);

  set_archive_error (error, source, archive);
  return NULL;
}

/* Returns the name of a member without control characters, for messages; (transfer full). */
char *
ns_etl_archive_dup_member_name (struct archive_entry *entry)
{
  const char *name = archive_entry_pathname_utf8 (entry);
  char *text;
  char *p;

  if (name == NULL)
    name = archive_entry_pathname (entry);
  if (name == NULL)
    name = "?";
  text = ns_utf8_from_bytes (name, strlen (name));
  for (p = text; *p != '\0'; p++)
    if (g_ascii_iscntrl (*p))
      *p = '?';
  return text;
}

/* Returns the name of a member. A compressed file does not name its contents: that is the file's
 * name without `.gz`; (transfer full). */
char *
ns_etl_archive_dup_plain_name (const NsEtlSource *source,
                               NsEtlArchiveRead *archive,
                               const char *name)
{
  g_autofree char *base = NULL;
  char *plain;

  if (archive_format (archive) != ARCHIVE_FORMAT_RAW)
    return g_strdup (name);
  base = g_path_get_basename (ns_etl_source_get_name (source));
  plain = ns_etl_archive_dup_unpacked_name (base);
  return plain != NULL ? plain : g_steal_pointer (&base);
}

/* The members of an archive. */
typedef struct
{
  GPtrArray *traces; /* names, without duplicates */
  GHashTable *seen;  /* the same names → whether several members have the name */
  GPtrArray *others; /* the first two other members */
  NsEtlArchiveOthers counts;
  gsize n_bytes; /* total size of the names */
  guint n_members;
  NsEtlArchiveRest rest;
} Listing;

static void
listing_clear (Listing *self)
{
  g_clear_pointer (&self->seen, g_hash_table_unref);
  g_clear_pointer (&self->traces, g_ptr_array_unref);
  g_clear_pointer (&self->others, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Listing, listing_clear)

/* Adds a trace; takes ownership of @name. */
static void
add_trace (Listing *self, char *name)
{
  gpointer first;

  if (g_hash_table_lookup_extended (self->seen, name, &first, NULL))
    {
      g_hash_table_insert (self->seen, first, GUINT_TO_POINTER (TRUE));
      g_free (name);
      return;
    }
  g_hash_table_insert (self->seen, name, NULL);
  g_ptr_array_add (self->traces, name);
  self->n_bytes += strlen (name) + 1;
}

/* Adds another member; takes ownership of @name. */
static void
add_other (Listing *self, const NsEtlSource *source, NsEtlArchiveRead *archive, char *name)
{
  g_autofree char *plain = ns_etl_archive_dup_plain_name (source, archive, name);

  self->counts.n_logs += ns_etl_archive_has_log_name (plain);
  self->counts.n_filters += ns_etl_archive_find_filters_name (plain) > 0;
  self->counts.n_archives += ns_etl_archive_has_name (plain);
  if (self->others->len < 2)
    g_ptr_array_add (self->others, name);
  else
    g_free (name);
}

static gboolean
list_members (Listing *self, const NsEtlSource *source, GError **error)
{
  g_autoptr (NsEtlArchiveRead) archive = ns_etl_archive_open (source, error);
  int result = ARCHIVE_EOF;

  if (archive == NULL)
    return FALSE;
  self->traces = g_ptr_array_new_with_free_func (g_free);
  self->others = g_ptr_array_new_with_free_func (g_free);
  self->seen = g_hash_table_new (ns_hash_text, g_str_equal);
  while (self->rest != NS_ETL_ARCHIVE_UNLISTED)
    {
      struct archive_entry *entry;
      g_autofree char *name = NULL;

      result = archive_read_next_header (archive, &entry);
      if (result == ARCHIVE_EOF || result < ARCHIVE_WARN)
        break;
      name = ns_etl_archive_dup_member_name (entry);
      if (++self->n_members > NS_ETL_MAX_MEMBERS || self->n_bytes > NS_ETL_MAX_NAMES)
        self->rest = NS_ETL_ARCHIVE_UNLISTED;
      else if (archive_entry_filetype (entry) == AE_IFDIR)
        continue;
      else if (ns_etl_archive_has_trace_name (name))
        add_trace (self, g_steal_pointer (&name));
      else
        add_other (self, source, archive, g_steal_pointer (&name));
    }
  if (result < ARCHIVE_WARN)
    self->rest = NS_ETL_ARCHIVE_CUT;
  /* Logs before the damage are still read. */
  if (result < ARCHIVE_WARN && self->traces->len == 0 && self->counts.n_logs == 0)
    {
      set_archive_error (error, source, archive);
      return FALSE;
    }
  if (self->traces->len == 0 && self->others->len == 1)
    add_trace (self, g_ptr_array_steal_index (self->others, 0));
  return TRUE;
}

/**
 * ns_etl_archive_list:
 * @source: an archive
 * @others: (out): what else it holds
 * @error: return location
 *
 * Returns: (transfer full) (array zero-terminated=1) (nullable): the members that are traces by
 *   their names; if there are none, the only member if there is exactly one; %NULL with @error set
 *   if the archive cannot be read
 */
char **
ns_etl_archive_list (const NsEtlSource *source, NsEtlArchiveOthers *others, GError **error)
{
  g_auto (Listing) listing = { 0 };

  if (!list_members (&listing, source, error))
    return NULL;
  *others = listing.counts;
  g_ptr_array_add (listing.traces, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&listing.traces), FALSE);
}

/* Lists the names of the first members, for a message; (transfer full). */
static char *
report_members (const GPtrArray *traces)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  for (i = 0; i < MIN (traces->len, MAX_REPORTED); i++)
    {
      const char *name = g_ptr_array_index (traces, i);
      gboolean is_long = g_utf8_strlen (name, -1) > MAX_REPORTED_CHARS;
      g_autofree char *begin = g_utf8_substring (name, 0, is_long ? MAX_REPORTED_CHARS : -1);

      g_string_append_printf (text, "%s%s%s", i > 0 ? ", " : "", begin, is_long ? "…" : "");
    }
  if (i < traces->len)
    return g_strdup_printf (ngettext ("%s and %u more", "%s and %u more", traces->len - i),
                            text->str,
                            traces->len - i);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Returns the wanted member: by its full name, its base name, or its number from 1; without @member
 * the only trace. */
static const char *
find_meant (const Listing *listing, const char *member, guint *n_found)
{
  const char *found = NULL;
  guint64 number;
  guint i;

  *n_found = 0;
  for (i = 0; i < listing->traces->len; i++)
    {
      const char *name = g_ptr_array_index (listing->traces, i);
      g_autofree char *base = g_path_get_basename (name);

      if (g_strcmp0 (name, member) == 0)
        {
          *n_found = 1;
          return name;
        }
      if (member == NULL || g_strcmp0 (base, member) == 0)
        {
          found = name;
          (*n_found)++;
        }
    }
  if (*n_found == 0 && member != NULL && listing->traces->len > 0 &&
      g_ascii_string_to_unsigned (member, 10, 1, listing->traces->len, &number, NULL))
    {
      *n_found = 1;
      return g_ptr_array_index (listing->traces, number - 1);
    }
  return found;
}

static const char *
choose_member (const NsEtlSource *source,
               const Listing *listing,
               const char *member,
               GError **error)
{
  g_autofree char *all = report_members (listing->traces);
  guint n_found;
  const char *found = find_meant (listing, member, &n_found);

  if (n_found == 1)
    return found;
  if (listing->traces->len == 0)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_ARCHIVE,
                 _ ("%s holds no trace (no file named .etl)"),
                 ns_etl_source_get_name (source));
  else if (member == NULL || n_found > 1)
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_MEMBER,
                 _ ("%s holds several traces; name one of them: %s"),
                 ns_etl_source_get_name (source),
                 all);
  else
    g_set_error (error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_MEMBER,
                 _ ("%s holds no trace “%s”, but: %s"),
                 ns_etl_source_get_name (source),
                 member,
                 all);
  return NULL;
}

/* Destination of unpacked bytes: memory, and beyond a size an unlinked file. */
typedef struct
{
  GByteArray *bytes;
  int fd;
  guint64 size;
  guint64 limit;
  gboolean is_cut; /* the archive is damaged after these bytes */
} Unpacked;

static gboolean
write_to (int fd, const guint8 *data, gsize n_bytes, GError **error)
{
  if (ns_fd_write_all (fd, data, n_bytes))
    return TRUE;
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_ARCHIVE,
               _ ("cannot unpack to %s: %s; make room there or set TMPDIR to another folder"),
               g_get_tmp_dir (),
               g_strerror (errno));
  return FALSE;
}

static gboolean
spill (Unpacked *self, GError **error)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) local_error = NULL;
  gboolean is_written;

  self->fd = g_file_open_tmp ("netstitch-XXXXXX", &path, &local_error);
  if (self->fd < 0)
    {
      g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_ARCHIVE, local_error->message);
      return FALSE;
    }
  unlink (path);
  is_written = write_to (self->fd, self->bytes->data, self->bytes->len, error);
  g_clear_pointer (&self->bytes, g_byte_array_unref);
  return is_written;
}

/* Returns whether @n_bytes more fit into memory: an array grows to the next power of two. */
static gboolean
has_memory (const GByteArray *bytes, gsize n_bytes)
{
  gsize n_all = bytes->len + n_bytes;
  gsize n_room = (gsize) 1 << g_bit_storage (bytes->len);

  return n_all <= NS_ETL_MAX_IN_MEMORY && (n_all < n_room || ns_pages_have_room (2 * n_all));
}

static gboolean
unpacked_append (Unpacked *self,
                 const NsEtlSource *source,
                 const guint8 *data,
                 gsize n_bytes,
                 GError **error)
{
  if (n_bytes > self->limit - self->size)
    {
      g_set_error (
          error,
          NS_TRACE_ERROR,
          NS_TRACE_ERROR_LIMIT,
          ngettext ("%s unpacks to more than %" PRIu64
                    " byte, which is too much for its size; unpack it with another program",
                    "%s unpacks to more than %" PRIu64
                    " bytes, which is too much for its size; unpack it with another program",
                    self->limit),
          ns_etl_source_get_name (source),
          self->limit);
      return FALSE;
    }
  self->size += n_bytes;
  if (self->bytes != NULL && !has_memory (self->bytes, n_bytes) && !spill (self, error))
    return FALSE;
  if (self->bytes == NULL)
    return write_to (self->fd, data, n_bytes, error);
  g_byte_array_append (self->bytes, data, (guint) n_bytes);
  return TRUE;
}

static guint64
unpacked_limit (const NsEtlSource *source)
{
  guint64 size = ns_etl_source_get_size (source);
  guint64 least = ns_etl_source_get_least_unpacked (source);
  guint64 limit = NS_ETL_MAX_UNPACKED;

  if (size < NS_ETL_MAX_UNPACKED / NS_ETL_MAX_UNPACKED_RATIO)
    limit = MAX (size * NS_ETL_MAX_UNPACKED_RATIO, least);
  return limit;
}

/* Reads block by block: archive_read_data() drops data that precedes damage. Bytes with a wrong
 * checksum are handed out, too. */
static void
read_block (NsEtlMember *self)
{
  int result;

  do
    result = archive_read_data_block (self->archive, &self->data, &self->n_bytes, &self->offset);
  while (result == ARCHIVE_OK && self->n_bytes == 0);
  self->has_ended = result == ARCHIVE_EOF || result < ARCHIVE_WARN;
  if (result != ARCHIVE_OK && result != ARCHIVE_EOF)
    self->is_damaged = TRUE;
  if (self->has_ended)
    self->n_bytes = 0;
  if (result < ARCHIVE_WARN)
    self->offset = 0;
}

/* Returns the next bytes in order; gaps of a sparse file, also at its end, are zeros. */
gboolean
ns_etl_archive_next_bytes (NsEtlMember *self, guint64 place, const void **data, gsize *n_bytes)
{
  static const guint8 zeroes[64 * 1024];

  if (self->n_bytes == 0 && !self->has_ended)
    read_block (self);
  if (self->offset > 0 && (guint64) self->offset > place)
    {
      *data = zeroes;
      *n_bytes = (gsize) MIN (sizeof zeroes, (guint64) self->offset - place);
      return TRUE;
    }
  if (self->n_bytes == 0)
    return FALSE;
  *data = self->data;
  *n_bytes = self->n_bytes;
  self->n_bytes = 0;
  if (self->offset >= 0 && (guint64) self->offset == place)
    return TRUE;
  self->is_damaged = TRUE;
  return FALSE;
}

/* Unpacks the current member. A member that damage cuts off is kept up to there. */
static gboolean
unpack (Unpacked *self, const NsEtlSource *source, NsEtlArchiveRead *archive, GError **error)
{
  NsEtlMember blocks = { .archive = archive };
  const void *data;
  gsize n_bytes;

  while (ns_etl_archive_next_bytes (&blocks, self->size, &data, &n_bytes))
    if (!unpacked_append (self, source, data, n_bytes, error))
      return FALSE;
  self->is_cut = self->is_cut || blocks.is_damaged;
  if (!self->is_cut || self->size > 0)
    return TRUE;
  set_archive_error (error, source, archive);
  return FALSE;
}

static gboolean
find_member (const NsEtlSource *source,
             NsEtlArchiveRead *archive,
             const char *member,
             GError **error)
{
  struct archive_entry *entry;
  guint n_members = 0;
  int result;

  while ((result = archive_read_next_header (archive, &entry)) >= ARCHIVE_WARN &&
         result != ARCHIVE_EOF && ++n_members <= NS_ETL_MAX_MEMBERS)
    {
      g_autofree char *name = ns_etl_archive_dup_member_name (entry);

      if (archive_entry_filetype (entry) != AE_IFDIR && g_strcmp0 (name, member) == 0)
        {
          if (archive_entry_is_data_encrypted (entry))
            {
              g_set_error (error,
                           NS_TRACE_ERROR,
                           NS_TRACE_ERROR_ARCHIVE,
                           _ ("%s is protected by a password; unpack it first"),
                           ns_etl_source_get_name (source));
              return FALSE;
            }
          return TRUE;
        }
    }
  set_archive_error (error, source, archive);
  return FALSE;
}

/**
 * ns_etl_archive_open_member:
 * @source: an archive
 * @member: (nullable): the name of a trace, with or without folders; %NULL: the only trace
 * @rest: (out): what to report about the other members
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the bytes of the member; %NULL with @error set if it cannot
 *   be read
 */
NsEtlSource *
ns_etl_archive_open_member (const NsEtlSource *source,
                            const char *member,
                            NsEtlArchiveRest *rest,
                            GError **error)
{
  g_autoptr (NsEtlArchiveRead) archive = NULL;
  g_auto (Listing) listing = { 0 };
  const char *chosen;
  g_autoptr (GBytes) bytes = NULL;
  Unpacked unpacked = { .fd = -1, .limit = unpacked_limit (source) };
  NsEtlSource *opened;

  if (!list_members (&listing, source, error))
    return NULL;
  chosen = choose_member (source, &listing, member, error);
  if (chosen == NULL)
    return NULL;
  archive = ns_etl_archive_open (source, error);
  if (archive == NULL || !find_member (source, archive, chosen, error))
    return NULL;

  unpacked.bytes = g_byte_array_new ();
  if (!unpack (&unpacked, source, archive, error))
    {
      g_clear_pointer (&unpacked.bytes, g_byte_array_unref);
      if (unpacked.fd >= 0)
        close (unpacked.fd);
      return NULL;
    }
  if (unpacked.bytes == NULL)
    opened = ns_etl_source_new_fd (unpacked.fd, unpacked.size, ns_etl_source_get_name (source));
  else
    {
      bytes = g_byte_array_free_to_bytes (unpacked.bytes);
      opened = ns_etl_source_new_bytes (bytes, ns_etl_source_get_name (source));
    }
  ns_etl_source_set_member (opened, chosen);
  *rest = listing.rest;
  if (*rest == NS_ETL_ARCHIVE_WHOLE && g_hash_table_lookup (listing.seen, chosen) != NULL)
    *rest = NS_ETL_ARCHIVE_SAME_NAME;
  /* The damage of the trace itself already reports it. */
  if (*rest == NS_ETL_ARCHIVE_CUT && unpacked.is_cut)
    *rest = NS_ETL_ARCHIVE_WHOLE;
  if (unpacked.is_cut)
    ns_etl_source_set_damage (opened, N_ ("the archive is damaged, and the trace ends here"));
  return opened;
}

/* Reads up to @max_bytes of a member; (transfer full). */
static GBytes *
read_at_most (NsEtlArchiveRead *archive, gsize max_bytes, gboolean *is_cut)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  NsEtlMember blocks = { .archive = archive };
  const void *data;
  gsize n_bytes;

  *is_cut = FALSE;
  while (ns_etl_archive_next_bytes (&blocks, bytes->len, &data, &n_bytes))
    {
      gsize n_taken = MIN (n_bytes, max_bytes - bytes->len);

      if (n_taken > 0 && !ns_pages_have_room (2 * (bytes->len + n_taken)))
        n_taken = 0;
      g_byte_array_append (bytes, data, (guint) n_taken);
      if (n_taken == n_bytes)
        continue;
      *is_cut = TRUE;
      break;
    }
  *is_cut = *is_cut || blocks.is_damaged;
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

/**
 * ns_etl_archive_read_member:
 * @source: an archive
 * @member: the full name of a small member
 * @max_bytes: maximum number of bytes to read
 * @is_cut: (out): whether the member is longer, or damaged there
 * @error: return location
 *
 * Returns: (transfer full) (nullable): the contents; %NULL with @error set if there is no such
 *   member, or it is encrypted
 */
GBytes *
ns_etl_archive_read_member (const NsEtlSource *source,
                            const char *member,
                            gsize max_bytes,
                            gboolean *is_cut,
                            GError **error)
{
  g_autoptr (NsEtlArchiveRead) archive = ns_etl_archive_open (source, error);

  *is_cut = FALSE;
  if (archive == NULL || !find_member (source, archive, member, error))
    return NULL;
  return read_at_most (archive, max_bytes, is_cut);
}

/**
 * ns_etl_archive_read_small:
 * @source: an archive
 * @member: the full name of a small member
 * @max_bytes: maximum number of bytes to read
 * @is_cut: (out): whether the member is longer, or damaged there
 *
 * Returns: (transfer full) (nullable): the contents; %NULL if it is no zip archive, or has no such
 *   member
 */
GBytes *
ns_etl_archive_read_small (const NsEtlSource *source,
                           const char *member,
                           gsize max_bytes,
                           gboolean *is_cut)
{
  int magic = find_magic (source);

  *is_cut = FALSE;
  if (magic < 0 || magics[magic].format != ARCHIVE_FORMAT_ZIP)
    return NULL;
  return ns_etl_archive_read_member (source, member, max_bytes, is_cut, NULL);
}
