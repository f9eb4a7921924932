/* Shared by the files of the kernel part: facts about processes, threads and images.
 *
 * Facts are collected in file order, sorted by time, and merged into rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/build/ns-builder.h"
#include "engine/system/ns-kernel-paths.h"

G_BEGIN_DECLS

/* Maximum time between two records of one event, in a file merged from two sessions. */
#define NS_KERNEL_DUPLICATE_NS (NS_PER_SECOND / 1000)

typedef enum
{
  NS_FACT_RUNDOWN,     /* existed when the session began */
  NS_FACT_START,       /* created, loaded */
  NS_FACT_END,         /* ended, unloaded */
  NS_FACT_RUNDOWN_END, /* still existed when the session ended */
  NS_FACT_DEFUNCT,     /* a process that ended but is still referenced */
  NS_FACT_NAME,        /* a thread was given a name */
  NS_FACT_ID,          /* image ID record added by a merge */
} NsFactKind;

/* Common initial members of the facts below. */
typedef struct
{
  gint64 time_ns;
  guint32 number; /* in file order */
  guint8 kind;    /* #NsFactKind */
} NsKernelFact;

typedef struct
{
  gint64 time_ns;
  guint32 number;   /* in file order, for equal times */
  guint8 kind;      /* #NsFactKind */
  gint64 create_ns; /* NS_TIME_NONE: unknown */
  gint64 exit_ns;
  gboolean has_exit_status;
  NsProcessRow row; /* with its times unset */
} NsProcessFact;

typedef struct
{
  gint64 time_ns;
  guint32 number;
  guint8 kind;
  NsThreadRow row;
} NsThreadFact;

typedef struct
{
  gint64 time_ns;
  guint32 number;
  guint8 kind;
  NsImageRow row;
} NsImageFact;

/* Debug ID of the image at that address of that process. */
typedef struct
{
  gint64 time_ns;
  guint64 base;
  guint32 pid;
  gboolean is_il; /* of a native image made from IL; used if there is no other */
  NsString pdb;
  NsGuid guid;
  guint32 age;
} NsDebugFact;

struct _NsKernel
{
  GArray *processes; /* element-type NsProcessFact */
  GArray *threads;   /* element-type NsThreadFact */
  GArray *images;    /* element-type NsImageFact */
  GArray *debug;     /* element-type NsDebugFact */
  NsKernelPaths *paths;
  NsString kernel_pdb;
  NsGuid kernel_guid;
  guint32 kernel_age;
  guint32 number;
};

/* ns-kernel-read.c: parses classic payloads. */
int ns_kernel_compare_facts (gconstpointer a, gconstpointer b);
void ns_kernel_read_process (NsBuilder *builder, const NsRecord *record);
void ns_kernel_read_thread (NsBuilder *builder, const NsRecord *record);
void ns_kernel_read_image (NsBuilder *builder, const NsRecord *record);
void ns_kernel_read_image_id (NsBuilder *builder, const NsRecord *record);
void ns_kernel_read_system_config (NsBuilder *builder, const NsRecord *record);
void ns_kernel_read_event_trace (NsBuilder *builder, const NsRecord *record);
NsString ns_kernel_read_wstr (NsBuilder *builder, NsCursor *cursor);
NsString ns_kernel_read_astr (NsBuilder *builder, NsCursor *cursor);
NsString ns_kernel_base_name (NsBuilder *builder, NsString path);
gint64 ns_kernel_filetime_to_ns (NsBuilder *builder, guint64 filetime);

/* ns-kernel-manifest.c: Microsoft-Windows-Kernel-Process. */
void ns_kernel_read_manifest (NsBuilder *builder, const NsRecord *record);

/* Merges the facts into rows, one function for each table. */
void ns_kernel_fold_processes (NsBuilder *builder);
void ns_kernel_fold_threads (NsBuilder *builder);
void ns_kernel_fold_images (NsBuilder *builder);
void ns_kernel_finish_processes (NsBuilder *builder);

G_END_DECLS
