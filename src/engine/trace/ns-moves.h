/* Transfers with their times, by the row that counts them.
 *
 * Rows only have totals. Throughput graphs need the times, since a connection that was open for a
 * minute may have transferred everything within one second. Collected only on request.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-tables.h"

G_BEGIN_DECLS

/* Maximum number of transfers of a trace; beyond that all are dropped. */
#define NS_MOVES_MAX (16u << 20)

/* Flag in #NsMove.n_bytes: sent, not received. */
#define NS_MOVE_SENT (1u << 31)
#define NS_MOVE_MAX_BYTES (NS_MOVE_SENT - 1)

/**
 * NsMove:
 * @time_ns: time of the transfer
 * @n_bytes: size in bytes, at most %NS_MOVE_MAX_BYTES, with the flag %NS_MOVE_SENT
 * @row: the row that counts it
 */
typedef struct
{
  gint64 time_ns;
  guint32 n_bytes;
  NsRow row;
} NsMove;

typedef struct _NsMoves NsMoves;

NsMoves *ns_moves_new (guint max);
void ns_moves_free (NsMoves *self);
void ns_moves_note (NsMoves *self,
                    NsTableId table,
                    guint32 number,
                    gint64 time_ns,
                    guint64 n_bytes,
                    gboolean is_sent);
void ns_moves_set_row (NsMoves *self, NsTableId table, guint32 number, NsRow row);
void ns_moves_settle (NsMoves *self);
const NsMove *ns_moves_get_all (const NsMoves *self, NsTableId table, guint *n_moves);
const NsMove *ns_moves_find (const NsMoves *self,
                             NsTableId table,
                             NsRow row,
                             gint64 begin_ns,
                             gint64 end_ns,
                             guint *n_moves);

G_END_DECLS
