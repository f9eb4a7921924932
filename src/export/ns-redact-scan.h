/* Finds names in a text: hosts, addresses, paths and users.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Kind of a span. */
typedef enum
{
  NS_REDACT_SERVER,
  NS_REDACT_ADDRESS,
  NS_REDACT_PATH,
  NS_REDACT_USER,
  NS_REDACT_TEXT, /* text replaced as a whole: program arguments, LDAP queries */
  NS_N_REDACT_KINDS,
  NS_REDACT_WORD = NS_N_REDACT_KINDS, /* a word that may be a name, if known from elsewhere */
} NsRedactKind;

/**
 * NsRedactSpan:
 * @kind: its kind
 * @begin: offset of its first byte
 * @end: offset after its last byte
 *
 * A part of a text. Spans are in order and do not overlap.
 */
typedef struct
{
  NsRedactKind kind;
  gsize begin;
  gsize end;
} NsRedactSpan;

gboolean ns_redact_is_word_char (char c);
void ns_redact_scan (const char *text, GArray *spans);
gboolean ns_redact_scan_url (const char *text, GArray *spans);
gsize ns_redact_find_folder_end (const char *path, gsize size);
gsize ns_redact_find_asked (const char *text, gsize at, gsize *end);

G_END_DECLS
