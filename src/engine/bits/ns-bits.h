/* Transfers of the Background Intelligent Transfer Service.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-layer-row.h"

G_BEGIN_DECLS

/* A count of bytes that is not known; the service writes the same. */
#define NS_BITS_UNKNOWN G_MAXUINT64

/* One transfer of a file, from its start to its stop (`providers.md` 6 B1). */
typedef struct
{
  NsLayerRow layer; /* the status is an HRESULT */
  NsGuid transfer;
  NsGuid job;
  NsString title;
  NsString url; /* without secrets */
  NsString server;
  NsString peer;
  NsString proxy;
  NsString job_path;   /* image of the program that made the job */
  guint64 bytes_total; /* NS_BITS_UNKNOWN */
  guint64 begun_at;    /* what earlier transfers of the file had brought; NS_BITS_UNKNOWN */
  guint64 transferred; /* NS_BITS_UNKNOWN */
  guint64 from_peer;   /* NS_BITS_UNKNOWN */
  guint32 job_pid;     /* NS_PID_UNKNOWN */
  guint32 attempt;     /* from 1 */
  GArray *requests;    /* (element-type NsRow) (nullable): of WinHTTP */
} NsBitsRow;

G_END_DECLS
