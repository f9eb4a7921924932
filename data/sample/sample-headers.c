/* Level, opcode, task and keyword of the events of the sample, as in the manifests of their
 * providers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sample-headers.h"

static const struct
{
  guint16 id;
  guint8 level;
  guint8 opcode;
  guint16 task;
  guint64 keyword;
} headers[] = {
  { 17, 4, 0, 200, G_GUINT64_CONSTANT (0x4000000001) },
  { 30, 4, 2, 202, 0x1 },
  { 101, 4, 0, 400, G_GUINT64_CONSTANT (0x20200000000) },
  { 104, 4, 2, 410, 0 },
  { 200, 4, 1, 417, G_GUINT64_CONSTANT (0x400000000) },
  { 201, 4, 2, 417, G_GUINT64_CONSTANT (0x400000000) },
  { 202, 2, 2, 417, G_GUINT64_CONSTANT (0x400000000) },
  { 205, 4, 1, 435, 0 },
  { 206, 4, 2, 435, 0 },
  { 213, 4, 1, 421, G_GUINT64_CONSTANT (0x100000000) },
  { 214, 4, 2, 421, G_GUINT64_CONSTANT (0x100000000) },
  { 215, 4, 1, 423, G_GUINT64_CONSTANT (0x200000000) },
  { 216, 4, 2, 423, G_GUINT64_CONSTANT (0x200000000) },
  { 700, 4, 1, 425, G_GUINT64_CONSTANT (0x2000000000) },
  { 703, 4, 2, 425, G_GUINT64_CONSTANT (0x2000000000) },
  { 1000, 4, 10, 1000, 0x4 },
  { 1001, 4, 15, 1001, 0x4 },
  { 1002, 4, 0, 1002, G_GUINT64_CONSTANT (0x400000480) },
  { 1003, 4, 12, 1003, 0x4 },
  { 1004, 4, 12, 1004, 0x4 },
  { 1009, 4, 12, 1009, 0x4 },
  { 1013, 4, 12, 1013, 0x4 },
  { 1021, 4, 12, 1021, 0x4 },
  { 1030, 4, 12, 1030, 0x4 },
  { 1031, 4, 0, 1031, G_GUINT64_CONSTANT (0x400000484) },
  { 1033, 4, 0, 1033, G_GUINT64_CONSTANT (0x400000484) },
  { 1034, 4, 0, 1034, G_GUINT64_CONSTANT (0x400000484) },
  { 1038, 4, 0, 1038, G_GUINT64_CONSTANT (0x1000000404) },
  { 1044, 4, 0, 1044, G_GUINT64_CONSTANT (0x1000000484) },
  { 1074, 4, 0, 1074, G_GUINT64_CONSTANT (0x200000000) },
  { 1159, 4, 0, 1159, G_GUINT64_CONSTANT (0x100000000) },
  { 1169, 4, 0, 1169, G_GUINT64_CONSTANT (0x100000000) },
  { 1170, 4, 0, 1170, G_GUINT64_CONSTANT (0x200000000) },
  { 1332, 4, 0, 1073, G_GUINT64_CONSTANT (0x100000000) },
};

/**
 * sample_set_header:
 * @event: an event whose id is set
 *
 * Sets the level, opcode, task and keyword that Windows uses for the event.
 */
void
sample_set_header (NsEtlWriterEvent *event)
{
  guint i;

  event->level = 4;
  for (i = 0; i < G_N_ELEMENTS (headers); i++)
    if (headers[i].id == event->id)
      {
        event->level = headers[i].level;
        event->opcode = headers[i].opcode;
        event->task = headers[i].task;
        event->keyword = headers[i].keyword;
      }
}
