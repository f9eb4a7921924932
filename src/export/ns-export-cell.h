/* Quoting of cells for each export format.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void ns_export_cell_append_csv (GString *text, const char *cell);
void ns_export_cell_append_plain (GString *text, const char *cell);
void ns_export_cell_append_csv_text (GString *text, const char *cell, gboolean is_guarded);
void ns_export_cell_append_tsv_text (GString *text, const char *cell, gboolean is_guarded);
void ns_export_cell_append_html_text (GString *text, const char *cell, gboolean is_guarded);
void ns_export_cell_append_html (GString *text, const char *cell);
void ns_export_cell_append_html_lines (GString *text, const char *lines);
void ns_export_cell_append_markdown (GString *text, const char *cell);
void ns_export_cell_append_aligned (GString *text,
                                    const char *cell,
                                    guint width,
                                    gboolean is_right,
                                    gboolean is_last);
void ns_export_cell_append_exact_ms (GString *text, gint64 span_ns);
guint ns_export_cell_get_width (const char *cell);
gboolean ns_export_cell_is_long (const char *cell);

G_END_DECLS
