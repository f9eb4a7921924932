/* Recording times of the files of a case, and of the logs beside it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/open/ns-log.h"
#include "etl/ns-etl-span.h"

G_BEGIN_DECLS

/**
 * NsCoverageSpan:
 * @span: from the first to the last record
 * @is_missing: data is missing: a file of the series is absent
 * @input: number of the file, or of the file before the missing data
 * @next: number of the file after the missing data
 * @file: (nullable): name of the missing file, or of the first and last of several; %NULL: nothing
 *   is missing, or its name is unknown
 *
 * A time span of one line.
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
 * @span: begin and end
 * @file: (nullable): the missing file, see #NsCoverageSpan, whose line owns it
 *
 * A time span that no trace recorded.
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
 * @n_parts: number of files of the series; 1: a single file
 * @n_lines: number of lines read, for a log
 * @is_log: whether it is a log
 *
 * The recording times of one session or one log.
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
