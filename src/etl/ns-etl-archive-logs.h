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
 * @bytes: how it begins: all of it, or its first 64 KiB at least
 * @n_bytes: how many
 * @user_data: of who asked
 *
 * It is asked of members that are named as what has names of filters, too.
 *
 * Returns: whether it is a log, whose bytes are wanted
 */
typedef gboolean (*NsEtlLogLookFunc) (const char *member,
                                      const guint8 *bytes,
                                      gsize n_bytes,
                                      gpointer user_data);

/**
 * NsEtlLogFunc:
 * @member: (nullable): name of a member; %NULL: the archive as a whole is meant
 * @bytes: (nullable) (transfer full): what it holds, and a zero byte behind that; %NULL: nothing of
 *   it can be read
 * @n_bytes: how many, without that byte
 * @damage: (nullable): why there is not more of it, one line without a full stop
 * @user_data: of who asked
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
