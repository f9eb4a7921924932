/* Texts of a trace as rows may hold them: what is secret is not in them, unless the user wants to
 * see it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/ns-masked.h"

#include "base/ns-secrets.h"

static NsString
mask (NsStrings *strings, NsString text, gboolean (*mask_in) (GString *text, gsize begin))
{
  g_autoptr (GString) masked = NULL;

  if (text == NS_STRING_NONE || ns_secrets_are_shown ())
    return text;
  masked = g_string_new (ns_strings_get (strings, text));
  return mask_in (masked, 0) ? ns_strings_add_len (strings, masked->str, masked->len) : text;
}

/**
 * ns_masked_text:
 * @strings: texts
 * @text: one of them
 *
 * Returns: the text with dots in the place of what is secret, @text itself when nothing is
 */
NsString
ns_masked_text (NsStrings *strings, NsString text)
{
  return mask (strings, text, ns_secrets_mask_tail);
}

/**
 * ns_masked_command:
 * @strings: texts
 * @command: one of them, how a program was started
 *
 * Returns: the text with dots in the place of what is secret, @command itself when nothing is
 */
NsString
ns_masked_command (NsStrings *strings, NsString command)
{
  return mask (strings, command, ns_secrets_mask_command);
}
