/* The bytes of a packet in one record.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-record.h"

G_BEGIN_DECLS

/* Part of a frame in a record: a frame may be split over several consecutive records of one
 * thread and layer. */
typedef struct
{
  NsCursor bytes; /* bytes in the record */
  guint64 layer;
  guint link_type;
  gboolean is_begin;
  gboolean is_end;
} NsPacketFrame;

gboolean ns_packets_find_frame (const NsRecord *record, NsPacketFrame *frame);

G_END_DECLS
