/* View presets: small text files with view settings that can be applied to any trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

#define NS_PRESET_MAX_BYTES (1 << 20)

/**
 * NsPresetTable:
 * @is_there: whether the preset has settings for the table
 * @columns: (element-type NsPresetColumn): shown columns, in order; empty to keep the current ones
 * @groups: (element-type NsField): the grouping, outermost first
 * @filter: (nullable): its filter
 * @sort: (nullable): its order, as a sort text
 *
 * Settings of one table.
 */
typedef struct
{
  gboolean is_there;
  GArray *columns;
  GPtrArray *groups;
  char *filter;
  char *sort;
} NsPresetTable;

typedef struct
{
  const NsField *field;
  int width; /* 0: default width of the field */
} NsPresetColumn;

/**
 * NsPreset:
 * @front: (nullable): name of the table in front
 * @lanes: (nullable): how the timeline is divided into lanes
 * @clock: (nullable): the clock for times
 * @tables: settings of each table
 *
 * Zoom, selection and bookmarks belong to one trace and are not part of it.
 */
typedef struct
{
  char *front;
  char *lanes;
  char *clock;
  NsPresetTable tables[NS_N_TABLES];
} NsPreset;

NsPreset *ns_preset_new (void);
void ns_preset_free (NsPreset *self);
NsPreset *ns_preset_parse (const char *text, GPtrArray *unknown, GError **error);
char *ns_preset_to_text (const NsPreset *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsPreset, ns_preset_free)

G_END_DECLS
