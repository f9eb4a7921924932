/* The shape of the generated table of built-in schemas; texts are offsets in the pool, 0 is none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"

G_BEGIN_DECLS

typedef struct
{
  NsGuid guid; /* the rows are sorted by its bytes */
  guint32 name;
  guint32 first_event;
  guint32 n_events;
} NsBuiltinProvider;

typedef struct
{
  guint16 id;
  guint8 version; /* within a provider the rows are sorted by id, version */
  guint8 level;   /* 255: not told */
  guint16 layout;
  guint32 task;
  guint32 opcode;
  guint32 keywords;
  guint32 name;
  guint32 channel;
} NsBuiltinEvent;

typedef struct
{
  guint16 first; /* in the layout fields */
  guint16 n_fields;
  guint16 n_top;
} NsBuiltinLayout;

typedef struct
{
  guint32 name;
  guint16 map; /* 1-based; 0: none */
  guint16 in_type;
  guint8 out_type;
  guint8 flags;
  guint16 count;
  guint16 length;
  guint8 first_member;
  guint8 n_members;
} NsBuiltinField;

typedef struct
{
  guint8 is_bitmap;
  guint16 first; /* in the entries */
  guint16 n_entries;
} NsBuiltinMap;

typedef struct
{
  guint32 value;
  guint32 name;
} NsBuiltinEntry;

extern const char ns_builtin_pool[];
extern const NsBuiltinProvider ns_builtin_providers[];
extern const unsigned ns_builtin_n_providers;
extern const NsBuiltinEvent ns_builtin_events[];
extern const unsigned ns_builtin_n_events;
extern const NsBuiltinLayout ns_builtin_layouts[];
extern const unsigned ns_builtin_n_layouts;
extern const guint16 ns_builtin_layout_fields[];
extern const unsigned ns_builtin_n_layout_fields;
extern const NsBuiltinField ns_builtin_fields[];
extern const unsigned ns_builtin_n_fields;
extern const NsBuiltinMap ns_builtin_maps[];
extern const unsigned ns_builtin_n_maps;
extern const NsBuiltinEntry ns_builtin_entries[];
extern const unsigned ns_builtin_n_entries;

G_END_DECLS
