/* Plain LZ77 (MS-XCA 2.4), the compression of trace buffers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gboolean
ns_etl_lz77_expand (const guint8 *input, gsize input_size, guint8 *output, gsize output_size);
void ns_etl_lz77_compress (const guint8 *input, gsize input_size, GByteArray *output);

G_END_DECLS
