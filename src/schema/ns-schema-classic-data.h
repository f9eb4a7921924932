/* Types of the tables of classic layouts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"

G_BEGIN_DECLS

typedef enum
{
  NS_CLASSIC_EVENT_TRACE,
  NS_CLASSIC_DISK_IO,
  NS_CLASSIC_PAGE_FAULT,
  NS_CLASSIC_PROCESS,
  NS_CLASSIC_FILE_IO,
  NS_CLASSIC_THREAD,
  NS_CLASSIC_TCP_IP,
  NS_CLASSIC_JOB,
  NS_CLASSIC_UDP_IP,
  NS_CLASSIC_REGISTRY,
  NS_CLASSIC_DBG_PRINT,
  NS_CLASSIC_SYSTEM_CONFIG,
  NS_CLASSIC_SPARE,
  NS_CLASSIC_WNF,
  NS_CLASSIC_POOL,
  NS_CLASSIC_PERF_INFO,
  NS_CLASSIC_HEAP,
  NS_CLASSIC_OBJECT,
  NS_CLASSIC_POWER,
  NS_CLASSIC_MOD_BOUND,
  NS_CLASSIC_IMAGE,
  NS_CLASSIC_DPC,
  NS_CLASSIC_GDI,
  NS_CLASSIC_CRIT_SEC,
  NS_CLASSIC_STACK_WALK,
  NS_CLASSIC_UMS,
  NS_CLASSIC_ALPC,
  NS_CLASSIC_SPLIT_IO,
  NS_CLASSIC_THREAD_POOL,
  NS_CLASSIC_HYPERVISOR,
  NS_CLASSIC_HYPERVISOR_X,
  NS_CLASSIC_LOST_EVENT,
  NS_CLASSIC_IMAGE_ID,
  NS_CLASSIC_SYSTEM_CONFIG_EX,
  NS_CLASSIC_WIN_SAT,
  NS_CLASSIC_EVENT_METADATA,
  NS_CLASSIC_TWAPI,
  NS_CLASSIC_N_CLASSES,
} NsClassicClass;

/* A layout, valid from its version up to that of the next row. @layout: see ns-schema-layout. */
typedef struct
{
  guint8 class_number;
  guint8 opcode;
  guint8 version;
  const char *name;
  const char *layout; /* %NULL: only the name is known */
} NsClassicRow;

extern const NsClassicRow ns_classic_kernel_rows[];
extern const guint ns_classic_n_kernel_rows;
extern const NsClassicRow ns_classic_network_rows[];
extern const guint ns_classic_n_network_rows;
extern const NsClassicRow ns_classic_merge_rows[];
extern const guint ns_classic_n_merge_rows;
extern const NsClassicRow ns_classic_app_rows[];
extern const guint ns_classic_n_app_rows;

G_END_DECLS
