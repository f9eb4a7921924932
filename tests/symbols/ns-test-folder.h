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
} NsTestPlace;

NsTestPlace *ns_test_place_new (void);
void ns_test_place_free (NsTestPlace *self);
void ns_test_place_write (NsTestPlace *self, const char *path, gconstpointer data, gssize n_bytes);
void ns_test_place_write_pdb (NsTestPlace *self, const char *path);
void ns_test_place_write_other_pdb (NsTestPlace *self, const char *path);
char *ns_test_place_list (const char *folder);
char *ns_test_resolve (NsResolver *resolver, const char *pdb);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsTestPlace, ns_test_place_free)

G_END_DECLS
