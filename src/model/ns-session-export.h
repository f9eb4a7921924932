/* Selects the rows of a session to export or copy.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-export-file.h"
#include "export/ns-export-table.h"
#include "model/ns-session.h"

G_BEGIN_DECLS

/* A choice of rows of a table. */
typedef enum
{
  NS_SESSION_SELECTED_ROWS,
  NS_SESSION_FILTERED_ROWS, /* rows that pass the filter, in the order on the screen */
  NS_SESSION_ALL_ROWS,      /* all rows, in table order */
} NsSessionRows;

#define NS_SESSION_N_ROWS (NS_SESSION_ALL_ROWS + 1)

NsSessionRows ns_session_export_get_offered (NsSession *session, NsTableId table);
NsSessionRows ns_session_export_get_usual (NsSession *session, NsTableId table);
guint ns_session_export_count (NsSession *session, NsTableId table, NsSessionRows which);
void ns_session_export_append_rows (NsSession *session,
                                    NsTableId table,
                                    NsSessionRows which,
                                    GArray *rows);

G_END_DECLS
