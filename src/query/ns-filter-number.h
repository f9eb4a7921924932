/* Parses numbers in filters, with units.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

/* Maps signed values to unsigned numbers of the same order. */
static inline guint64
ns_filter_number_from_signed (gint64 value)
{
  return (guint64) value ^ G_GUINT64_CONSTANT (1) << 63;
}

gboolean ns_filter_number_is_signed (NsFieldType type);
gboolean ns_filter_number_parse (const NsField *field,
                                 const char *name,
                                 const char *text,
                                 gsize n_bytes,
                                 guint64 *number,
                                 GError **error);

G_END_DECLS
