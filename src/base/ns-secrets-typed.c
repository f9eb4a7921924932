/* What somebody types: a terminal's keys, one by one, with a password among them that nothing but
 * its place tells from other words.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets.h"

/* RFC 854 */
enum
{
  TELNET_WILL = 251,
  TELNET_DONT = 254,
  TELNET_IAC = 255,
};

#define N_OPTION 3

/**
 * ns_secrets_mask_typed:
 * @self: (nullable): what is secret; %NULL: what is usual
 * @data: (array length=size): what was sent from a terminal
 * @size: its length
 *
 * Puts asterisks in the place of all that was typed. What both sides agree upon by Telnet stays,
 * but not what they tell each other of it, as names and tickets are told so, too. The other side
 * shows again what is no secret.
 */
void
ns_secrets_mask_typed (const NsSecrets *self, guint8 *data, gsize size)
{
  gsize at = 0;

  if (ns_secrets_are_shown (self))
    return;
  while (at < size)
    if (size - at >= N_OPTION && data[at] == TELNET_IAC && data[at + 1] >= TELNET_WILL &&
        data[at + 1] <= TELNET_DONT)
      at += N_OPTION;
    else
      data[at++] = NS_SECRETS_BYTE;
}
