/* Converts bytes to text: a hex dump, and formats for the clipboard.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define NS_BYTE_TEXT_BYTES_PER_LINE 8

/**
 * NsByteForm:
 * @NS_BYTE_FORM_HEX: two digits per byte, separated by spaces
 * @NS_BYTE_FORM_C: an array in C
 * @NS_BYTE_FORM_BASE64: Base64 (RFC 4648) on one line
 */
typedef enum
{
  NS_BYTE_FORM_HEX,
  NS_BYTE_FORM_C,
  NS_BYTE_FORM_BASE64,
} NsByteForm;

char *ns_byte_text_dump (const guint8 *data, gsize n_bytes);
gsize ns_byte_text_find (gsize n_bytes, gsize begin, gsize end, gsize *n_found);
char *ns_byte_text_format (const guint8 *data, gsize n_bytes, NsByteForm form);

G_END_DECLS
