/* Reads texts in payloads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-take-text.h"

#include <string.h>

/**
 * ns_take_text: (skip)
 * @strings: the texts of a trace
 * @cursor: where a text in UTF-16 stands, up to its zero or the end of the payload
 *
 * Returns: the text; %NS_STRING_NONE for none, and for one of blanks, which says nothing
 */
NsString
ns_take_text (NsStrings *strings, NsCursor *cursor)
{
  gsize n;
  const guint8 *bytes = ns_cursor_wstr (cursor, &n);
  NsString text = n > 0 ? ns_strings_add_utf16 (strings, bytes, n) : NS_STRING_NONE;
  const char *chars = text != NS_STRING_NONE ? ns_strings_get (strings, text) : "";

  return chars[strspn (chars, " \t")] != '\0' ? text : NS_STRING_NONE;
}
