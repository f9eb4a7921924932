/* Transfers with their times, by the row that counts them.
 *
 * Rows have sums only. Who draws how much went over the network at which moment asks here, since a
 * connection that was open for a minute may have moved all in one second of it. Kept only where it
 * is wanted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-tables.h"

G_BEGIN_DECLS

/* Of a trace together; with more of them nobody knows when anything was moved. */
#define NS_MOVES_MAX (16u << 20)

/* In #NsMove.n_bytes: they were sent, not received. */
#define NS_MOVE_SENT (1u << 31)
#define NS_MOVE_MAX_BYTES (NS_MOVE_SENT - 1)

/**
 * NsMove:
 * @time_ns: when
 * @n_bytes: how many bytes, at most %NS_MOVE_MAX_BYTES, and %NS_MOVE_SENT
 * @row: the row that counts them
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
