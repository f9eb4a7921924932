/* The states of each TCP connection over time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "analysis/ns-state-marks.h"
#include "engine/trace/ns-event.h"

G_BEGIN_DECLS

/* Maximum number of connections with a lane of their own, those that changed first. */
#define NS_STATE_CONNECTIONS_MAX 2000

/* Stages of a connection, by which its states are drawn. */
typedef enum
{
  NS_TCP_STAGE_NONE, /* closed, or unknown */
  NS_TCP_STAGE_OPENING,
  NS_TCP_STAGE_OPEN,
  NS_TCP_STAGE_CLOSING,
} NsTcpStage;

typedef struct _NsStateTcp NsStateTcp;

NsStateTcp *ns_state_tcp_new (const NsTrace *trace);
void ns_state_tcp_free (NsStateTcp *self);
void ns_state_tcp_add (NsStateTcp *self, const NsEvent *event, guint32 row);
guint ns_state_tcp_finish (NsStateTcp *self, GArray *lanes, guint parent);

NsTcpStage ns_state_tcp_get_stage (guint8 state);
char *ns_state_tcp_dup_name (guint8 state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsStateTcp, ns_state_tcp_free)

G_END_DECLS
