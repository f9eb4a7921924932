/* Confidence of the link between two rows (`correlation.md` 3.9).
 *
 * Each layer stores how it found the row below it. A master table row combines several such links;
 * a path over two links has the lower confidence of both.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/activities/ns-link.h"

#include "engine/app/bits/ns-bits.h"
#include "engine/app/capi2/ns-capi2.h"
#include "engine/app/quic/ns-quic.h"
#include "engine/app/rpc/ns-rpc.h"
#include "engine/app/smb/ns-smb.h"
#include "engine/app/wfp/ns-wfp.h"

/* Returns the element of a table by its row number; NULL: there is none. */
#define ROW(table, Type, row)                                                                      \
  ((row) >= 1 && (row) <= (table)->len ? &g_array_index ((table), Type, (row) -1) : NULL)

static int
webio_to_tcp (const NsTrace *trace, NsRow row, NsRow tcp)
{
  const NsWebioRow *request = ROW (trace->webio, NsWebioRow, row);
  guint i;

  for (i = 0; request != NULL && i < request->n_conns; i++)
    if (request->conns[i].tcp == tcp)
      return (int) request->conns[i].confidence;
  return NS_LINK_NOT_JUDGED;
}

/* Returns the common members of a layer's row, if the table is one of a layer. */
static const NsLayerRow *
get_layer_row (const NsTrace *trace, NsTableId table, NsRow row)
{
  const GArray *rows = NULL;
  gsize size = 0;

  switch (table)
    {
    case NS_TABLE_BITS:
      rows = trace->bits;
      size = sizeof (NsBitsRow);
      break;
    case NS_TABLE_CAPI2:
      rows = trace->capi2;
      size = sizeof (NsCapi2Row);
      break;
    case NS_TABLE_QUIC:
      rows = trace->quic;
      size = sizeof (NsQuicRow);
      break;
    case NS_TABLE_RPC:
      rows = trace->rpc;
      size = sizeof (NsRpcRow);
      break;
    case NS_TABLE_SMB:
      rows = trace->smb;
      size = sizeof (NsSmbRow);
      break;
    case NS_TABLE_WFP:
      rows = trace->wfp;
      size = sizeof (NsWfpRow);
      break;
    default:
      return NULL;
    }
  /* NsLayerRow is the first member of each row type. */
  return row >= 1 && row <= rows->len ? (const NsLayerRow *) (rows->data + (row - 1) * size) : NULL;
}

/* Returns the last evidence text: in an RPC call the text for its peer call follows that for its
 * connection; in a QUIC connection the text for its flow follows that for its identity. */
static const char *
get_last_evidence (const NsLayerRow *layer)
{
  guint n = NS_MAX_EVIDENCE;

  while (n > 0 && layer->evidence[n - 1] == NULL)
    n--;
  return n > 0 ? layer->evidence[n - 1] : NULL;
}

/* Returns the confidence of the link from a layer's row to its connection. */
static int
layer_to_tcp (const NsTrace *trace, NsTableId table, NsRow row, NsRow tcp)
{
  const NsWininetRow *wininet = ROW (trace->wininet, NsWininetRow, row);
  const NsWinsockRow *winsock = ROW (trace->winsock, NsWinsockRow, row);
  const NsChromiumRow *chromium = ROW (trace->chromium, NsChromiumRow, row);
  const NsLdapRow *ldap = ROW (trace->ldap, NsLdapRow, row);
  const NsDotnetRow *dotnet = ROW (trace->dotnet, NsDotnetRow, row);

  const NsWfpRow *drop = ROW (trace->wfp, NsWfpRow, row);
  const NsSmbRow *smb = ROW (trace->smb, NsSmbRow, row);
  const NsRpcRow *rpc = ROW (trace->rpc, NsRpcRow, row);
  const NsQuicRow *quic = ROW (trace->quic, NsQuicRow, row);

  if (table == NS_TABLE_QUIC && quic != NULL && quic->udp == tcp)
    return quic->layer.confidence;
  if (table == NS_TABLE_WFP && drop != NULL && drop->tcp == tcp)
    return drop->layer.confidence;
  if (table == NS_TABLE_SMB && smb != NULL && smb->tcp == tcp && smb->layer.confidence >= 0)
    return smb->layer.confidence;
  if (table == NS_TABLE_RPC && rpc != NULL && rpc->tcp == tcp && rpc->layer.confidence >= 0)
    return rpc->layer.confidence;
  if (table == NS_TABLE_WEBIO)
    return webio_to_tcp (trace, row, tcp);
  if (table == NS_TABLE_WININET && wininet != NULL && wininet->tcp == tcp)
    return (int) wininet->tcp_confidence;
  if (table == NS_TABLE_WINSOCK && winsock != NULL && winsock->tcp == tcp)
    return (int) winsock->tcp_confidence;
  if (table == NS_TABLE_CHROMIUM && chromium != NULL && chromium->tcp == tcp)
    return (int) chromium->confidence;
  if (table == NS_TABLE_LDAP && ldap != NULL && ldap->tcp == tcp)
    return (int) ldap->confidence;
  if (table == NS_TABLE_DOTNET && dotnet != NULL && dotnet->tcp == tcp && dotnet->confidence >= 0)
    return dotnet->confidence;
  /* Rows of these tables are linked by both endpoints and the time. */
  if (table == NS_TABLE_HTTP_SERVER || table == NS_TABLE_KERNEL_NETWORK ||
      table == NS_TABLE_PACKETS || table == NS_TABLE_FLOWS)
    return NS_CONFIDENCE_LIKELY;
  return NS_LINK_NOT_JUDGED;
}

static int
activity_to_winsock (const NsTrace *trace, const NsActivityRow *row)
{
  const NsWinsockRow *socket = ROW (trace->winsock, NsWinsockRow, row->winsock);
  const NsChromiumRow *chromium =
      ROW (trace->chromium, NsChromiumRow, ns_activity_row_get_source (row, NS_TABLE_CHROMIUM));
  const NsDotnetRow *dotnet =
      ROW (trace->dotnet, NsDotnetRow, ns_activity_row_get_source (row, NS_TABLE_DOTNET));
  int to_tcp;

  if (row->source_table == NS_TABLE_CHROMIUM && chromium != NULL)
    return (int) chromium->confidence;
  if (row->source_table == NS_TABLE_WEBIO)
    return NS_CONFIDENCE_LIKELY;
  if (dotnet != NULL && dotnet->winsock == row->winsock && dotnet->confidence >= 0)
    return dotnet->confidence;
  /* Request and socket are linked by their common connection. */
  to_tcp = layer_to_tcp (trace, (NsTableId) row->source_table, row->source_row, row->tcp);
  if (to_tcp == NS_LINK_NOT_JUDGED || socket == NULL || socket->tcp != row->tcp)
    return row->confidence;
  return MIN (to_tcp, (int) socket->tcp_confidence);
}

static int
activity_to_tcp (const NsTrace *trace, const NsActivityRow *row, NsRow tcp)
{
  const NsWinsockRow *socket = ROW (trace->winsock, NsWinsockRow, row->winsock);
  int direct = layer_to_tcp (trace, (NsTableId) row->source_table, row->source_row, tcp);

  if (direct != NS_LINK_NOT_JUDGED)
    return direct;
  if (socket != NULL && socket->tcp == tcp)
    return MIN (activity_to_winsock (trace, row), (int) socket->tcp_confidence);
  return row->confidence;
}

/* Returns the confidence of the link to a query: it is higher if the response of the query was
 * used than if a query merely returned the address. */
static int
activity_to_dns (const NsTrace *trace, const NsActivityRow *row, NsRow dns)
{
  const NsDnsRow *question = ROW (trace->dns, NsDnsRow, dns);

  if (question == NULL || row->name_inferred || row->server == NS_STRING_NONE ||
      row->server != question->query)
    return NS_CONFIDENCE_NAME;
  return question->pid == row->pid ? NS_CONFIDENCE_LIKELY : NS_CONFIDENCE_INFERRED;
}

static int
activity_to_parent (const NsTrace *trace, const NsActivityRow *row)
{
  const NsLdapRow *ldap = ROW (trace->ldap, NsLdapRow, row->source_row);

  switch ((NsTableId) row->source_table)
    {
    case NS_TABLE_LDAP:
      return ldap != NULL ? (int) ldap->confidence : NS_LINK_NOT_JUDGED;
    case NS_TABLE_WEBIO: /* a BITS transfer, matched by its URL; a QUIC connection, by its
                          * endpoints */
      return ROW (trace->activities, NsActivityRow, row->parent) != NULL &&
                     ROW (trace->activities, NsActivityRow, row->parent)->source_table ==
                         NS_TABLE_QUIC
                 ? NS_CONFIDENCE_INFERRED
                 : NS_CONFIDENCE_LIKELY;
    case NS_TABLE_WININET: /* attempts of one request are linked */
      return NS_CONFIDENCE_CERTAIN;
    case NS_TABLE_HTTP_SERVER:
    case NS_TABLE_FLOWS:
      return NS_CONFIDENCE_LIKELY;
    case NS_TABLE_WINSOCK: /* the second socket of a download */
      return NS_CONFIDENCE_INFERRED;
    default:
      return row->confidence;
    }
}

static int
judge_activity (const NsTrace *trace, const NsActivityRow *row, NsTableId target, NsRow linked)
{
  const NsLayerRow *layer = get_layer_row (trace, target, linked);
  const NsUrlmonRow *urlmon = ROW (trace->urlmon, NsUrlmonRow, linked);
  const NsLdapRow *ldap = ROW (trace->ldap, NsLdapRow, linked);

  /* The operation's row was made from this row. */
  if (row->source_table == target && row->source_row == linked)
    return NS_CONFIDENCE_CERTAIN;
  if (layer != NULL)
    return layer->confidence;
  switch (target)
    {
    case NS_TABLE_TCP:
      return activity_to_tcp (trace, row, linked);
    case NS_TABLE_WINSOCK:
      return activity_to_winsock (trace, row);
    case NS_TABLE_DNS:
      return activity_to_dns (trace, row, linked);
    case NS_TABLE_URLMON:
      return urlmon != NULL ? (int) urlmon->confidence : NS_LINK_NOT_JUDGED;
    case NS_TABLE_LDAP:
      return ldap != NULL ? (int) ldap->confidence : NS_LINK_NOT_JUDGED;
    case NS_TABLE_KERNEL_NETWORK:
    case NS_TABLE_HTTP_SERVER:
      return NS_CONFIDENCE_LIKELY;
    case NS_TABLE_ACTIVITIES:
      return activity_to_parent (trace, row);
    default:
      return row->confidence;
    }
}

/**
 * ns_link_get_confidence:
 * @trace: an opened trace
 * @table: a table
 * @row: a row of it, 1 for the first
 * @target: the table of the linked row
 * @linked: row of that table
 *
 * Rates how certain it is that two rows belong together.
 *
 * Returns: an #NsConfidence, or %NS_LINK_NOT_JUDGED
 */
int
ns_link_get_confidence (const NsTrace *trace,
                        NsTableId table,
                        NsRow row,
                        NsTableId target,
                        NsRow linked)
{
  const NsActivityRow *activity;
  const NsDotnetRow *dotnet;
  const NsLayerRow *layer;

  g_return_val_if_fail (trace != NULL, NS_LINK_NOT_JUDGED);

  if (table == NS_TABLE_ACTIVITIES)
    {
      activity = ROW (trace->activities, NsActivityRow, row);
      return activity != NULL ? judge_activity (trace, activity, target, linked)
                              : NS_LINK_NOT_JUDGED;
    }
  if (target == NS_TABLE_ACTIVITIES)
    {
      activity = ROW (trace->activities, NsActivityRow, linked);
      return activity != NULL ? judge_activity (trace, activity, table, row) : NS_LINK_NOT_JUDGED;
    }
  if (target == NS_TABLE_TCP)
    return layer_to_tcp (trace, table, row, linked);
  if (table == NS_TABLE_DOTNET && target == NS_TABLE_WINSOCK &&
      (dotnet = ROW (trace->dotnet, NsDotnetRow, row)) != NULL && dotnet->winsock == linked)
    return dotnet->confidence;
  /* Rows of one table are linked by keys; all others have the confidence that the layer set. */
  if ((layer = get_layer_row (trace, table, row)) != NULL &&
      (target != table || table == NS_TABLE_RPC))
    return layer->confidence;
  return NS_LINK_NOT_JUDGED;
}

/**
 * ns_link_get_evidence:
 * @trace: an opened trace
 * @table: a table
 * @row: a row of it, 1 for the first
 * @target: the table of the linked row
 * @linked: row of that table
 *
 * Gets the evidence by which the layer of one of two rows found the other.
 *
 * Returns: (nullable) (transfer none): an evidence text of the rows; %NULL if the layer has none,
 *   or if one row was made from the other
 */
const char *
ns_link_get_evidence (const NsTrace *trace,
                      NsTableId table,
                      NsRow row,
                      NsTableId target,
                      NsRow linked)
{
  const NsLayerRow *layer = get_layer_row (trace, table, row);
  const NsSmbRow *command;

  g_return_val_if_fail (trace != NULL, NULL);

  if (table == NS_TABLE_ACTIVITIES || target == NS_TABLE_ACTIVITIES)
    {
      NsRow number = table == NS_TABLE_ACTIVITIES ? row : linked;
      NsTableId other = table == NS_TABLE_ACTIVITIES ? target : table;
      const NsActivityRow *activity = ROW (trace->activities, NsActivityRow, number);

      linked = table == NS_TABLE_ACTIVITIES ? linked : row;
      layer = get_layer_row (trace, other, linked);
      if (activity == NULL || (activity->source_table == other && activity->source_row == linked))
        return NULL;
      /* A command belongs to the activity of its parent operation. */
      if (other == NS_TABLE_SMB && layer != NULL)
        return ROW (trace->smb, NsSmbRow, linked)->parent != 0 ? layer->evidence[0] : NULL;
    }
  else if (table == target && table == NS_TABLE_SMB)
    {
      /* The first text is the evidence for the operation of a command, the second that for its
       * connection. */
      command = ROW (trace->smb, NsSmbRow, MAX (row, linked));
      return command != NULL && command->parent != 0 ? command->layer.evidence[0] : NULL;
    }
  else if (table == target && table != NS_TABLE_RPC)
    return NULL;
  if (layer == NULL || layer->confidence < 0)
    return NULL;
  if ((table == NS_TABLE_RPC && target == table) || table == NS_TABLE_QUIC)
    return get_last_evidence (layer);
  if (table == NS_TABLE_SMB && (command = ROW (trace->smb, NsSmbRow, row)) != NULL &&
      command->parent != 0 && layer->evidence[1] != NULL)
    return layer->evidence[1];
  return layer->evidence[0];
}
