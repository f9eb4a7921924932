/* Temporary files handed to other programs, removed when this one ends.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _NsHandedFiles NsHandedFiles;

NsHandedFiles *ns_handed_files_new (void);
void ns_handed_files_free (NsHandedFiles *self);
void ns_handed_files_add (NsHandedFiles *self, const char *folder);
void ns_handed_files_remove (NsHandedFiles *self, const char *folder);
void ns_handed_files_remove_all (NsHandedFiles *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsHandedFiles, ns_handed_files_free)

G_END_DECLS
