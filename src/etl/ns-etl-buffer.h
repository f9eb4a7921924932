/* The header of a trace buffer (WMI_BUFFER_HEADER), and what may be trusted in it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-cursor.h"

G_BEGIN_DECLS

#define NS_ETL_BUFFER_HEADER_SIZE 0x48
/* Larger buffers are not believed. */
#define NS_ETL_MAX_BUFFER_SIZE (64u << 20)
/* Stands after the last record of a buffer when there is room. */
#define NS_ETL_END_MARKER 0xffffffffu

/* LogFileMode bits that change how a file is read. */
#define NS_ETL_MODE_COMPRESSED 0x04000000u
#define NS_ETL_MODE_NO_PER_PROCESSOR 0x10000000u

/* BufferFlag. */
enum
{
  NS_ETL_FLAG_FLUSH_MARKER = 1,
  NS_ETL_FLAG_EVENTS_LOST = 2,
  NS_ETL_FLAG_BUFFER_LOST = 4,
  NS_ETL_FLAG_PROC_INDEX = 0x20,
  NS_ETL_FLAG_COMPRESSED = 0x40,
};

/* BufferType. */
enum
{
  NS_ETL_BUFFER_GENERIC = 0,
  NS_ETL_BUFFER_HEADER = 4,
};

G_END_DECLS
