/* Masks terminal input, in which a password is sent key by key and cannot be told from other words.
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
 * @self: (nullable): the masking settings; %NULL for the defaults
 * @data: (array length=size): data sent by a terminal
 * @size: its length
 *
 * Replaces all typed characters by asterisks. Telnet negotiations (WILL, WONT, DO, DONT) are kept;
 * subnegotiations are masked, because they may carry names and tickets. The echo of the other side
 * shows what is not secret.
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
