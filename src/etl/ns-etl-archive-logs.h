/* Logs of other tools in an archive.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-archive.h"

G_BEGIN_DECLS

/**
 * NsEtlLogLookFunc:
 * @member: name of a member
 * @bytes: its beginning: all of it, or at least its first 64 KiB
 * @n_bytes: length of @bytes
 * @user_data: data of the caller
 *
 * Also called for members that are named like files with names of WFP filters.
 *
 * Returns: whether the member is a log to read
 */
typedef gboolean (*NsEtlLogLookFunc) (const char *member,
                                      const guint8 *bytes,
                                      gsize n_bytes,
                                      gpointer user_data);

/**
 * NsEtlLogFunc:
 * @member: (nullable): name of a member; %NULL: the message is about the whole archive
 * @bytes: (nullable) (transfer full): the contents, followed by a zero byte; %NULL: nothing of it
 *   can be read
 * @n_bytes: length of @bytes without the zero byte
 * @damage: (nullable): why the contents are incomplete, one line without a full stop
 * @user_data: data of the caller
 */
typedef void (*NsEtlLogFunc) (const char *member,
                              char *bytes,
                              gsize n_bytes,
                              const char *damage,
                              gpointer user_data);

void ns_etl_archive_read_logs (const char *path,
                               gsize max_bytes,
                               NsEtlLogLookFunc look,
                               NsEtlLogFunc take,
                               gpointer user_data);

G_END_DECLS
