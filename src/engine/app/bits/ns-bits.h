/* Transfers of the Background Intelligent Transfer Service.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-layer-row.h"

G_BEGIN_DECLS

/* An unknown byte count; the same value as in the service's events. */
#define NS_BITS_UNKNOWN G_MAXUINT64

/* A file transfer, from its start to its stop (`providers.md` 6 B1). */
typedef struct
{
  NsLayerRow layer; /* the status is an HRESULT */
  NsGuid transfer;
  NsGuid job;
  NsString title;
  NsString url; /* secrets masked */
  NsString server;
  NsString peer;
  NsString proxy;
  NsString job_path;   /* image of the program that created the job */
  guint64 bytes_total; /* NS_BITS_UNKNOWN: not recorded */
  guint64 begun_at;    /* bytes transferred before the start; NS_BITS_UNKNOWN: not recorded */
  guint64 transferred; /* NS_BITS_UNKNOWN: not recorded */
  guint64 from_peer;   /* NS_BITS_UNKNOWN: not recorded */
  guint32 job_pid;     /* NS_PID_UNKNOWN: not recorded */
  guint32 attempt;     /* from 1 */
  GArray *requests;    /* (element-type NsRow) (nullable): rows of WinHTTP requests */
} NsBitsRow;

G_END_DECLS
