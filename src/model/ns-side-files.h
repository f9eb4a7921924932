/* Measures and removes the files that the program stores outside the user's files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  NS_SIDE_FILES_VIEWS,   /* views of traces, with bookmarks and notes */
  NS_SIDE_FILES_SYMBOLS, /* downloaded symbols, in the program's own folder */
  NS_N_SIDE_FILES,
} NsSideFiles;

char *ns_side_files_dup_folder (NsSideFiles which);
guint64 ns_side_files_measure (const char *folder, guint *n_files);
guint ns_side_files_clear (const char *folder);

G_END_DECLS
