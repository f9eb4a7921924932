/* A way to look at traces, as a small text file that opens on any of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-fields.h"

G_BEGIN_DECLS

#define NS_PRESET_MAX_BYTES (1 << 20)

/**
 * NsPresetTable:
 * @is_there: whether the preset says anything of the table
 * @columns: (element-type NsPresetColumn): those shown, from left to right; empty: as they are
 * @groups: (element-type NsField): what its rows are gathered by, the outermost first
 * @filter: (nullable): its filter
 * @sort: (nullable): its order, as a sort text
 *
 * How one table is looked at.
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
  int width; /* 0: that of the field */
} NsPresetColumn;

/**
 * NsPreset:
 * @front: (nullable): name of the table in front
 * @lanes: (nullable): how lanes are made
 * @clock: (nullable): by which clock moments are told
 * @tables: what is said of each table
 *
 * Zoom, selection and marks belong to one trace and are not part of it.
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
