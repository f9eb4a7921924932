/* Recording times of the files of a case and of the logs beside it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/ns-log.h"
#include "etl/ns-etl-span.h"

G_BEGIN_DECLS

/**
 * NsCoverageSpan:
 * @span: from the first to the last record
 * @is_missing: nothing was recorded, since a part of the series is not there
 * @input: number of the file, or of that before what is missing
 * @next: number of the file behind what is missing
 * @file: (nullable): name of the file that is missing, or of the first and the last of several;
 *   %NULL: nothing is missing, or the names do not tell
 *
 * A stretch of time of one line.
 */
typedef struct
{
  NsTimeSpan span;
  gboolean is_missing;
  guint input;
  guint next;
  char *file;
} NsCoverageSpan;

/**
 * NsCoverageHole:
 * @span: from when to when
 * @file: (nullable): of #NsCoverageSpan, whose line owns it
 *
 * When nobody recorded.
 */
typedef struct
{
  NsTimeSpan span;
  const char *file;
} NsCoverageHole;

/**
 * NsCoverageLine:
 * @name: name of the file, of the first one of a series, or of a log
 * @spans: (element-type NsCoverageSpan): in the order of time
 * @n_parts: files of the series; 1: it is none
 * @n_lines: of a log: lines that were read
 * @is_log: it is a log
 *
 * What one session, or one log, recorded.
 */
typedef struct
{
  char *name;
  GArray *spans;
  guint n_parts;
  guint n_lines;
  gboolean is_log;
} NsCoverageLine;

GPtrArray *ns_coverage_list (const NsTrace *trace);
GArray *ns_coverage_list_holes (const GPtrArray *lines);
GArray *ns_coverage_list_gaps (const NsEtlFile *file);
char *ns_coverage_dup_missing_name (const char *before, const char *behind);

G_END_DECLS
