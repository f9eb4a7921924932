/* Logs of other tools in archives, opened beside traces or alone.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/wfp/ns-wfp.h"
#include "engine/open/ns-log.h"
#include "etl/ns-etl-archive-logs.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  const char *archive;
  const NsSideOptions *options;
  GPtrArray *logs; /* (element-type NsSideLog) */
  NsSideLineFunc func;
  gpointer user_data;
  gboolean is_any; /* found a log or a list of filter names */
} Reading;

/* Returns a member's display path: the archive as a folder. */
static char *
dup_path (const Reading *self, const char *member)
{
  return member != NULL ? g_build_filename (self->archive, member, NULL) : g_strdup (self->archive);
}

/* Returns whether the member is a list of WFP filter names. It is read with the drops; here its
 * presence makes the archive relevant. */
static gboolean
is_of_filters (const char *member)
{
  return member != NULL && ns_etl_archive_find_filters_name (member) > 0;
}

static gboolean
look_cb (const char *member, const guint8 *bytes, gsize n_bytes, gpointer user_data)
{
  Reading *self = user_data;
  g_autofree char *path = dup_path (self, member);
  gboolean is_one;

  if (is_of_filters (member))
    {
      self->is_any = self->is_any || ns_wfp_is_names (bytes, n_bytes);
      return FALSE;
    }
  is_one = ns_side_find_kind_of_bytes (bytes, n_bytes, path, self->options->time_columns) !=
           NS_SIDE_NONE;

  self->is_any = self->is_any || is_one;
  /* Without @logs the caller only checks whether there is any. */
  return is_one && self->logs != NULL;
}

static void
take_cb (const char *member, char *bytes, gsize n_bytes, const char *damage, gpointer user_data)
{
  Reading *self = user_data;
  g_autofree char *path = dup_path (self, member);

  if (self->logs == NULL)
    {
      self->is_any = TRUE; /* an unreadable log, which is reported */
      g_free (bytes);
    }
  else if (is_of_filters (member))
    g_free (bytes);
  else if (self->logs->len < NS_SIDE_MAX_LOGS)
    ns_side_log_read_bytes (bytes,
                            n_bytes,
                            path,
                            damage,
                            self->options,
                            self->logs,
                            self->func,
                            self->user_data);
  else
    {
      /* A single entry reports all logs beyond the limit. */
      if (self->logs->len == NS_SIDE_MAX_LOGS)
        ns_side_log_read_bytes (
            NULL,
            0,
            path,
            _ ("there are too many logs: this log and the following ones are not read"),
            self->options,
            self->logs,
            self->func,
            self->user_data);
      g_free (bytes);
    }
}

/**
 * ns_log_is_archive: (skip)
 * @path: a file
 * @time_columns: (nullable): as in #NsSideOptions
 *
 * Returns: whether it is an archive without a trace that holds a log or a list of WFP filter names
 */
gboolean
ns_log_is_archive (const char *path, const char *time_columns)
{
  NsSideOptions options = { .time_columns = time_columns };
  Reading reading = { .archive = path, .options = &options };

  if (!ns_etl_path_is_of_logs (path))
    return FALSE;
  ns_etl_archive_read_logs (path, NS_SIDE_MAX_BYTES, look_cb, take_cb, &reading);
  return reading.is_any;
}

/**
 * ns_log_accept_archives: (skip)
 * @file: a trace that was just opened
 * @time_columns: (nullable): see #NsSideOptions
 *
 * Accepts archives without a trace if they hold a log.
 */
void
ns_log_accept_archives (NsEtlFile *file, const char *time_columns)
{
  const GPtrArray *archives = ns_etl_file_get_log_archives (file);
  NsSideOptions options = { .time_columns = time_columns };
  guint i;

  for (i = 0; archives != NULL && i < archives->len; i++)
    {
      Reading reading = { .archive = g_ptr_array_index (archives, i), .options = &options };

      if (!ns_etl_file_is_archive_of_logs (file, reading.archive))
        continue;
      ns_etl_archive_read_logs (reading.archive, NS_SIDE_MAX_BYTES, look_cb, take_cb, &reading);
      if (reading.is_any)
        ns_etl_file_accept_logs (file, reading.archive);
    }
}

/**
 * ns_log_read_archives: (skip)
 * @file: a trace
 * @options: how to read logs
 * @logs: (element-type NsSideLog): the logs in its archives are added
 * @func: called for each line, log by log; its member `part` is the index in @logs
 * @user_data: for @func
 *
 * Reads the logs in the archives that were opened with a trace.
 */
void
ns_log_read_archives (const NsEtlFile *file,
                      const NsSideOptions *options,
                      GPtrArray *logs,
                      NsSideLineFunc func,
                      gpointer user_data)
{
  const GPtrArray *archives = ns_etl_file_get_log_archives (file);
  guint i;

  for (i = 0; archives != NULL && i < archives->len; i++)
    {
      Reading reading = { .archive = g_ptr_array_index (archives, i),
                          .options = options,
                          .logs = logs,
                          .func = func,
                          .user_data = user_data };

      ns_etl_archive_read_logs (reading.archive, NS_SIDE_MAX_BYTES, look_cb, take_cb, &reading);
    }
}
