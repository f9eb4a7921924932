/* The forms of file that rows can be exported in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/ns-session-export.h"

G_BEGIN_DECLS

#define NS_EXPORT_FORMS_MAX 20

/**
 * NsExportForm:
 * @title: what it is called, marked for translation
 * @ending: of the names of its files
 * @table: the table it is of; NS_N_TABLES: of any table
 * @has_columns: columns can be chosen; else it has its own
 * @left_out: (nullable): says what is not in it when names are replaced, marked for translation
 *
 * A form of file.
 */
typedef struct
{
  const char *title;
  const char *ending;
  NsTableId table;
  gboolean has_columns;
  const char *left_out;
} NsExportForm;

guint ns_export_forms_list (NsTableId table, const NsExportForm *offered[NS_EXPORT_FORMS_MAX]);

G_END_DECLS
