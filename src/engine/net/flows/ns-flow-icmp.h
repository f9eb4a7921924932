/* Assigns ICMP errors to the conversations that they quote.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "wire/ns-wire-frame.h"

G_BEGIN_DECLS

/* Meaning of an ICMP message for a conversation. */
typedef enum
{
  NS_FLOW_ICMP_OTHER,
  NS_FLOW_ICMP_ECHO,
  NS_FLOW_ICMP_ECHO_REPLY,
  NS_FLOW_ICMP_ERROR,
  NS_FLOW_ICMP_SOLICITATION,
  NS_FLOW_ICMP_ADVERTISEMENT,
} NsFlowIcmp;

NsFlowIcmp ns_flow_icmp_get_kind (const NsWireFrame *frame);
guint32 ns_flow_icmp_get_mtu (const NsWireFrame *frame);
char *ns_flow_icmp_error_to_text (const NsWireFrame *frame);

G_END_DECLS
