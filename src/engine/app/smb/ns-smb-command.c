/* Names of SMB2 commands and of file system requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/app/smb/ns-smb-private.h"

#include "wire/ns-wire-smb2.h"

#include <string.h>

#define MAX_LETTERS 32

/* Normalizes a name to lower-case letters and digits, without a leading `smb2`. */
static void
take_letters (const char *text, gsize n_bytes, char letters[MAX_LETTERS])
{
  guint n = 0;
  gsize i;

  for (i = 0; i < n_bytes && n + 1 < MAX_LETTERS; i++)
    if (g_ascii_isalnum (text[i]))
      letters[n++] = g_ascii_tolower (text[i]);
  letters[n] = '\0';
  if (g_str_has_prefix (letters, "smb2"))
    memmove (letters, letters + 4, strlen (letters) - 3);
}

/**
 * ns_smb_command_find: (skip)
 * @text: (array length=n_bytes): name in an event
 * @n_bytes: its length
 *
 * Returns: its command number, or %NS_SMB_NO_NUMBER
 */
guint16
ns_smb_command_find (const char *text, gsize n_bytes)
{
  char wanted[MAX_LETTERS];
  const char *name;
  guint16 i;

  take_letters (text, n_bytes, wanted);
  for (i = 0; (name = ns_wire_smb2_get_command_name (i)) != NULL; i++)
    {
      char letters[MAX_LETTERS];

      take_letters (name, strlen (name), letters);
      if (strcmp (letters, wanted) == 0)
        return i;
    }
  return NS_SMB_NO_NUMBER;
}

/**
 * ns_smb_command_of_irp: (skip)
 * @major: IRP_MJ_* of wdm.h
 * @minor: IRP_MN_*
 *
 * Returns: (nullable): name of such an operation, by the command that it is sent as
 */
const char *
ns_smb_command_of_irp (guint major, guint minor)
{
  static const char *const majors[] = {
    [0] = "Create",      [2] = "Close",
    [3] = "Read",        [4] = "Write",
    [5] = "Query info",  [6] = "Set info",
    [9] = "Flush",       [10] = "Query info",
    [11] = "Set info",   [12] = "Query directory",
    [13] = "Ioctl",      [14] = "Ioctl",
    [17] = "Lock",       [18] = "Cleanup",
    [20] = "Query info", [21] = "Set info",
  };

  if (major == 12 && minor == 2)
    return "Change notify";
  return major < G_N_ELEMENTS (majors) ? majors[major] : NULL;
}

/**
 * ns_smb_reason_to_text: (skip)
 * @reason: value of map Smb2DiagReasonMap of the manifest
 *
 * Returns: (nullable): its text
 */
const char *
ns_smb_reason_to_text (guint32 reason)
{
  static const struct
  {
    guint32 reason;
    const char *text;
  } texts[] = {
    { 1, "DNS" },
    { 2, "set socket security" },
    { 3, "IPsec" },
    { 4, "network connect" },
    { 5, "negotiate validation" },
    { 6, "exchange expiry" },
    { 7, "disconnect indication" },
    { 8, "negative cache" },
    { 9, "acquire credentials handle" },
    { 10, "initialize security context" },
    { 11, "session setup response" },
    { 12, "tree connect response" },
    { 13, "validate negotiate" },
    { 14, "handle reconnect" },
    { 15, "create response" },
    { 16, "exchange cancellation" },
    { 17, "object suspended" },
    { 18, "user disconnect" },
    { 19, "handle closed" },
    { 20, "internal error" },
    { 101, "consecutive session setup failures" },
    { 102, "QUIC server certificate error" },
    { 103, "QUIC server configuration failure" },
    { 104, "QUIC server certificate validation error" },
    { 301, "exchange without binding object" },
    { 302, "exchange send failure" },
    { 405, "endpoint torn down" },
    { 406, "message size receive error" },
    { 407, "message size too large" },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i].reason == reason)
      return texts[i].text;
  return NULL;
}
