/* Methods that .NET and script engines compiled at run time, which are in no image.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Maximum number of methods read from a trace. */
#define NS_METHODS_MAX 8000000u

/**
 * NsMethodRow:
 * @start: address of its first byte
 * @size: in bytes
 * @reach: highest end address of the methods of this process up to this row; for the search
 * @module: assembly, or file name of the script
 * @name: function, with namespace and type
 * @source: (nullable): URL of the script
 * @line: line in the script; 0: unknown
 *
 * A method and the lifetime of its code.
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

/* Sorts and indexes the rows; called by the part that reads them. */
void ns_methods_index (NsTrace *trace);

G_END_DECLS
