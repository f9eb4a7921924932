/* A temporary folder with symbol files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "symbols/ns-resolver.h"

G_BEGIN_DECLS

typedef struct
{
  char *root;
  char *cache;
} NsTestFolder;

NsTestFolder *ns_test_folder_new (void);
void ns_test_folder_free (NsTestFolder *self);
void
ns_test_folder_write (NsTestFolder *self, const char *path, gconstpointer data, gssize n_bytes);
void ns_test_folder_write_pdb (NsTestFolder *self, const char *path);
void ns_test_folder_write_other_pdb (NsTestFolder *self, const char *path);
char *ns_test_folder_list (const char *folder);
char *ns_test_resolve (NsResolver *resolver, const char *pdb);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsTestFolder, ns_test_folder_free)

G_END_DECLS
