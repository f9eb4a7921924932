/* Logs of other tools in an archive.
 *
 * The archive is read once, and memory holds one log at a time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-archive-logs.h"

#include "base/ns-hash.h"
#include "base/ns-pages.h"
#include "etl/ns-etl-archive-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Number of bytes that are enough to tell whether a member is a log. */
#define LOOK_BYTES (1u << 16)
/* Minimum limit for the unpacked bytes of all members that are read, whatever the size of the
 * archive. */
#define NS_ETL_MAX_LOGS_ANYWAY (G_GUINT64_CONSTANT (256) << 20)
/* Maximum limit; between both, NS_ETL_MAX_UNPACKED_RATIO times the size of the archive is
 * allowed. */
#define NS_ETL_MAX_LOGS (G_GUINT64_CONSTANT (8) << 30)

typedef struct
{
  NsEtlArchiveRead *archive;
  guint64 n_left; /* remaining limit of unpacked bytes */
  gsize max_bytes;
  GHashTable *seen; /* names of members that were handed over */
  NsEtlLogLookFunc look;
  NsEtlLogFunc take;
  gpointer user_data;
} Reading;

static void
refuse (const Reading *self, const char *member, const char *why)
{
  self->take (member, NULL, 0, why, self->user_data);
}

/* Unpacks the current member. Returns: %FALSE: it is no log */
static gboolean
take_in (Reading *self, const char *name, GByteArray *bytes, const char **damage)
{
  NsEtlMember blocks = { .archive = self->archive };
  gboolean is_looked_at = FALSE;
  const void *data;
  gsize n_bytes;

  while (*damage == NULL && ns_etl_archive_next_bytes (&blocks, bytes->len, &data, &n_bytes))
    {
      gsize n_taken = MIN (n_bytes, MIN (self->n_left, self->max_bytes - bytes->len));

      if (n_taken > 0 && !ns_pages_have_room (2 * (bytes->len + n_taken)))
        n_taken = 0;
      if (n_taken < n_bytes)
        *damage =
            N_ ("its unpacked size exceeds the maximum for a log; unpack it with another program");
      g_byte_array_append (bytes, data, (guint) n_taken);
      self->n_left -= n_taken;
      if (!is_looked_at && bytes->len >= LOOK_BYTES)
        {
          is_looked_at = TRUE;
          if (!self->look (name, bytes->data, bytes->len, self->user_data))
            return FALSE;
        }
    }
  if (blocks.is_damaged)
    *damage = N_ ("the archive is damaged, and the log ends here");
  return is_looked_at || self->look (name, bytes->data, bytes->len, self->user_data);
}

static void
read_log (Reading *self, const char *name)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  const char *damage = NULL;
  gsize n_bytes;

  if (!take_in (self, name, bytes, &damage))
    return;
  if (!g_hash_table_add (self->seen, g_strdup (name)))
    {
      refuse (self, name, _ ("the archive has several logs of this name, and the first is read"));
      return;
    }
  n_bytes = bytes->len;
  g_byte_array_append (bytes, (const guint8 *) "", 1);
  self->take (name,
              (char *) g_byte_array_free (g_steal_pointer (&bytes), FALSE),
              n_bytes,
              damage != NULL ? _ (damage) : NULL,
              self->user_data);
}

static void
read_all (Reading *self, const NsEtlSource *source)
{
  struct archive_entry *entry;
  guint n_members = 0;
  int result;

  while ((result = archive_read_next_header (self->archive, &entry)) >= ARCHIVE_WARN &&
         result != ARCHIVE_EOF)
    {
      g_autofree char *name = ns_etl_archive_dup_member_name (entry);
      g_autofree char *plain = ns_etl_archive_dup_plain_name (source, self->archive, name);

      if (++n_members > NS_ETL_MAX_MEMBERS || self->n_left == 0)
        {
          refuse (self, NULL, _ ("it contains too much data to search it for logs; unpack it"));
          return;
        }
      if (archive_entry_filetype (entry) == AE_IFDIR ||
          (!ns_etl_archive_has_log_name (plain) && ns_etl_archive_find_filters_name (plain) == 0))
        continue;
      if (archive_entry_is_data_encrypted (entry))
        refuse (self, plain, _ ("it is protected by a password; unpack it first"));
      else
        read_log (self, plain);
    }
  if (result < ARCHIVE_WARN)
    refuse (self, NULL, _ ("the archive is damaged; logs after the damage are not read"));
}

/**
 * ns_etl_archive_read_logs:
 * @path: an archive
 * @max_bytes: maximum size of a log
 * @look: called for each member that is named like a log; tells whether it is one
 * @take: called for each log, in the order of the archive, and for what cannot be read
 * @user_data: for both
 *
 * Reads the logs in an archive.
 */
void
ns_etl_archive_read_logs (const char *path,
                          gsize max_bytes,
                          NsEtlLogLookFunc look,
                          NsEtlLogFunc take,
                          gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (NsEtlSource) source = ns_etl_source_open (path, &error);
  g_autoptr (NsEtlArchiveRead) archive =
      source != NULL ? ns_etl_archive_open (source, &error) : NULL;
  Reading self = { .archive = archive,
                   .max_bytes = max_bytes,
                   .look = look,
                   .take = take,
                   .user_data = user_data };
  guint64 size;

  if (archive == NULL)
    {
      refuse (&self, NULL, error->message);
      return;
    }
  size = MIN (ns_etl_source_get_size (source), NS_ETL_MAX_LOGS);
  self.n_left = CLAMP (size * NS_ETL_MAX_UNPACKED_RATIO, NS_ETL_MAX_LOGS_ANYWAY, NS_ETL_MAX_LOGS);
  self.seen = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  read_all (&self, source);
  g_hash_table_unref (self.seen);
}
