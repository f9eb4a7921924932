/* Error codes: look-up, description, search.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-tables.h"

G_BEGIN_DECLS

/* One known error code. */
typedef struct
{
  NsCodeFamily family; /* family of the row: DNS for a DNS number that was looked up as Win32 */
  gboolean is_normal;  /* does not report a failure, whatever the number looks like */
  gint64 value;        /* NTSTATUS and HRESULT as unsigned 32-bit numbers */
  const char *name;    /* "WSAECONNRESET" */
  const char *text;    /* what it means and what to look at next */
} NsCode;

/**
 * NsCodesFunc:
 * @code: a code
 * @user_data: the caller's
 */
typedef void (*NsCodesFunc) (const NsCode *code, gpointer user_data);

const NsCode *ns_codes_find (NsCodeFamily family, gint64 value);
char *ns_codes_describe (NsCodeFamily family, gint64 value);
gboolean ns_codes_is_error (NsCodeFamily family, gint64 value);
NsCodeFamily ns_codes_guess_family (gint64 value);

char *ns_codes_format_number (NsCodeFamily family, gint64 value);
const char *ns_codes_family_to_text (NsCodeFamily family);

void ns_codes_foreach (NsCodesFunc func, gpointer user_data);
guint ns_codes_foreach_value (gint64 value, NsCodesFunc func, gpointer user_data);
guint ns_codes_foreach_name (const char *name, NsCodesFunc func, gpointer user_data);

G_END_DECLS
