/* Reads texts in payloads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-take-text.h"

#include <string.h>

/**
 * ns_take_text: (skip)
 * @strings: the texts of a trace
 * @cursor: positioned at a UTF-16 text, which ends with a NUL or with the payload
 *
 * Returns: the text; %NS_STRING_NONE if it is empty or blank
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
