/* What the program keeps beside the user's files: how much it is, and how to be rid of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  NS_SIDE_FILES_VIEWS,   /* how traces were looked at, with marks and notes */
  NS_SIDE_FILES_SYMBOLS, /* what was fetched, in the folder of the program's own */
  NS_N_SIDE_FILES,
} NsSideFiles;

char *ns_side_files_dup_folder (NsSideFiles which);
guint64 ns_side_files_measure (const char *folder, guint *n_files);
guint ns_side_files_clear (const char *folder);

G_END_DECLS
