/* Methods that .NET and script engines compiled at run time, which are in no image.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-trace.h"

G_BEGIN_DECLS

/* A trace that tells of more is read up to there. */
#define NS_METHODS_MAX 8000000u

/**
 * NsMethodRow:
 * @start: address of its first byte
 * @size: bytes
 * @reach: highest end of a method of this process up to here; for the search
 * @module: assembly, or file name of the script
 * @name: function, with the type and namespace it belongs to
 * @source: (nullable): address of the script
 * @line: of the script; 0: unknown
 *
 * A method, and how long its code was there.
 */
typedef struct
{
  guint64 start;
  guint64 reach;
  gint64 load_ns;
  gint64 unload_ns;
  guint32 size;
  guint32 pid;
  NsString module;
  NsString name;
  NsString source;
  guint32 line;
  gboolean is_script;
} NsMethodRow;

const NsMethodRow *
ns_methods_find (const NsTrace *trace, guint32 pid, guint64 address, gint64 time_ns);
gboolean ns_methods_is_script (const NsTrace *trace, guint32 pid, guint64 address);
void ns_method_append_name (const NsMethodRow *method, const NsTrace *trace, GString *text);
void ns_method_append_text (const NsMethodRow *method,
                            const NsTrace *trace,
                            guint64 address,
                            GString *text);

/* For the part that reads them: sorts the rows, so that they can be found. */
void ns_methods_index (NsTrace *trace);

G_END_DECLS
