/* Reader of .pcap and .pcapng files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-source.h"

G_BEGIN_DECLS

typedef struct _NsCaptureFile NsCaptureFile;

/**
 * NsCapturedPacket:
 * @time_ns: nanoseconds since 1970, UTC
 * @interface: number of the interface, counted over all sections of the file
 * @link_type: LINKTYPE_ number of @data
 * @direction: 1 received, -1 sent, 0 not recorded
 * @length: original length of the packet, in bytes
 * @data: (array length=size): the captured bytes, valid until the next packet is read
 * @size: number of captured bytes
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
 * @link_type: LINKTYPE_ number
 * @units_per_s: resolution of times; 0: a power of two, see @shift
 * @shift: exponent of the resolution if it is a power of two
 * @offset_s: seconds to add to times
 * @name: (nullable): the name of the interface in the capturing program
 * @description: (nullable): its description
 */
typedef struct
{
  guint16 link_type;
  gint64 units_per_s; /* resolution of times; 0: a power of two, see @shift */
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
