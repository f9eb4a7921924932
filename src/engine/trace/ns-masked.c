/* Adds texts to a trace with secrets masked, unless the user wants to see them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-masked.h"

#include "base/ns-secrets.h"

static NsString
mask (const NsTrace *trace,
      NsString text,
      gboolean (*mask_in) (const NsSecrets *secrets, GString *text, gsize begin))
{
  g_autoptr (GString) masked = NULL;

  if (text == NS_STRING_NONE || ns_secrets_are_shown (trace->secrets))
    return text;
  masked = g_string_new (ns_trace_text (trace, text));
  return mask_in (trace->secrets, masked, 0)
             ? ns_strings_add_len (trace->strings, masked->str, masked->len)
             : text;
}

/**
 * ns_masked_text:
 * @trace: a trace
 * @text: one of its texts
 *
 * Returns: the text with secrets replaced by dots; @text itself if it has none
 */
NsString
ns_masked_text (const NsTrace *trace, NsString text)
{
  return mask (trace, text, ns_secrets_mask_tail);
}

/**
 * ns_masked_command:
 * @trace: a trace
 * @command: one of its texts, a command line
 *
 * Returns: the text with secrets replaced by dots; @command itself if it has none
 */
NsString
ns_masked_command (const NsTrace *trace, NsString command)
{
  return mask (trace, command, ns_secrets_mask_command);
}
