/* Access to the bytes of a trace file, in memory or on disk.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"

G_BEGIN_DECLS

typedef struct _NsEtlSource NsEtlSource;
typedef struct _NsEtlOpenFiles NsEtlOpenFiles;

NsEtlOpenFiles *ns_etl_open_files_new (void);
void ns_etl_open_files_unref (NsEtlOpenFiles *self);
NsEtlSource *ns_etl_source_open (const char *path, GError **error);
NsEtlSource *ns_etl_source_open_among (NsEtlOpenFiles *files, const char *path, GError **error);
NsEtlSource *ns_etl_source_new_bytes (GBytes *bytes, const char *name);
NsEtlSource *ns_etl_source_new_fd (int fd, guint64 size, const char *name);
void ns_etl_source_free (NsEtlSource *self);
const char *ns_etl_source_get_name (const NsEtlSource *self);
guint64 ns_etl_source_get_size (const NsEtlSource *self);
const char *ns_etl_source_get_damage (const NsEtlSource *self);
void ns_etl_source_set_damage (NsEtlSource *self, const char *damage);
const char *ns_etl_source_get_member (const NsEtlSource *self);
void ns_etl_source_set_member (NsEtlSource *self, const char *member);
guint64 ns_etl_source_get_least_unpacked (const NsEtlSource *self);
void ns_etl_source_set_least_unpacked (NsEtlSource *self, guint64 n_bytes);
int ns_etl_source_get_fd (const NsEtlSource *self);
const guint8 *ns_etl_source_peek (const NsEtlSource *self, guint64 offset, gsize n_bytes);
gboolean ns_etl_source_read (const NsEtlSource *self,
                             guint64 offset,
                             guint8 *data,
                             gsize n_bytes,
                             gsize *n_read,
                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsEtlSource, ns_etl_source_free)

G_END_DECLS
