/* String table: stores each text once, identified by a number.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Number of a text: 0 is no text, 1 is the empty text. */
typedef guint32 NsString;

#define NS_STRING_NONE 0
#define NS_STRING_EMPTY 1

typedef struct _NsStrings NsStrings;

NsStrings *ns_strings_new (void);
void ns_strings_free (NsStrings *self);
NsString ns_strings_add (NsStrings *self, const char *text);
NsString ns_strings_add_len (NsStrings *self, const char *text, gsize n_bytes);
NsString ns_strings_add_utf16 (NsStrings *self, const guint8 *bytes, gsize n_bytes);
NsString ns_strings_find (const NsStrings *self, const char *text);
const char *ns_strings_get (const NsStrings *self, NsString id);
gsize ns_strings_get_length (const NsStrings *self, NsString id);
guint ns_strings_get_size (const NsStrings *self);

char *ns_utf8_from_utf16 (const guint8 *bytes, gsize n_bytes);
char *ns_utf8_from_bytes (const char *bytes, gsize n_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsStrings, ns_strings_free)

G_END_DECLS
