/* Packets of a .pcap or .pcapng file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-source.h"

G_BEGIN_DECLS

typedef struct _NsCaptureFile NsCaptureFile;

/**
 * NsCapturedPacket:
 * @time_ns: since 1970, UTC
 * @interface: number of the interface, counted over all sections of the file
 * @link_type: LINKTYPE_ number of its bytes
 * @direction: 1 received, -1 sent, 0 not told
 * @length: of the packet when it was captured, bytes
 * @data: (array length=size): what there is of it, until the next packet is asked for
 */
typedef struct
{
  gint64 time_ns;
  guint interface;
  guint16 link_type;
  gint8 direction;
  guint32 length;
  const guint8 *data;
  gsize size;
} NsCapturedPacket;

/**
 * NsCaptureInterface:
 * @name: (nullable): as the capturing program called it
 * @description: (nullable): in words
 */
typedef struct
{
  guint16 link_type;
  gint64 units_per_s; /* of its times; 0: a power of two, see @shift */
  guint shift;
  gint64 offset_s;
  char *name;
  char *description;
} NsCaptureInterface;

gboolean ns_capture_file_is_one (const NsEtlSource *source);
NsCaptureFile *ns_capture_file_new (const NsEtlSource *source);
void ns_capture_file_free (NsCaptureFile *self);
gboolean ns_capture_file_is_pcapng (const NsCaptureFile *self);
gboolean ns_capture_file_next (NsCaptureFile *self, NsCapturedPacket *packet, GError **error);
guint ns_capture_file_get_n_interfaces (const NsCaptureFile *self);
const NsCaptureInterface *
ns_capture_file_get_interface (const NsCaptureFile *self, guint interface);
guint64 ns_capture_file_get_n_untimed (const NsCaptureFile *self);
const char *ns_capture_file_get_damage (const NsCaptureFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsCaptureFile, ns_capture_file_free)

G_END_DECLS
