/* A part of the engine: the providers it listens to, its tables, and its phases.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

typedef struct _NsBuilder NsBuilder;

typedef void (*NsEventFunc) (NsBuilder *builder, const NsRecord *record);

/* Prefetches for a record that comes soon. Called twice per record: first to prefetch the slots
 * of look-up tables, then (@is_near) the objects found there. Must not change state. */
typedef void (*NsAheadFunc) (const NsBuilder *builder, const NsRecord *record, gboolean is_near);

/* Parses a record's payload into @room (%NS_RECORD_TAP_BYTES bytes); returns the number of bytes
 * used, 0 if the record is not used. Must not read anything else, as it may be called on another
 * thread. */
typedef gsize (*NsReadFunc) (const NsRecord *record, gpointer room);

/* Returns whether the part asks for the stack of the record. */
typedef gboolean (*NsHasStackFunc) (const NsRecord *record);

/* Returns the note of a record, which is passed to the correlating thread. */
typedef guint32 (*NsPrepareFunc) (NsBuilder *builder,
                                  const NsRecord *record,
                                  guint32 event,
                                  gboolean has_stack);

/**
 * NsProviderOps:
 * @guid: the provider, event class or kernel group
 * @learn: (nullable): called in the first walk, in file order, for each of its records
 * @correlate: (nullable): called in the second walk, in time order
 * @ahead: (nullable): may be called some time before @correlate
 * @apart: (nullable): called in the first walk, before @learn and possibly on another thread; must
 *   not share state with any @learn
 * @read: (nullable): called before @correlate, possibly on another thread; its result, if any, is
 *   in the record that @correlate gets
 * @has_stack: (nullable): returns whether @correlate calls ns_stack_match_find() for a record; the
 *   stacks of other records are not available
 * @beside: (nullable): called in the second walk, before @correlate and possibly on another thread;
 *   must not share state with any @correlate, IDs of texts included
 *
 * One row of the dispatch table; several rows may name the same GUID and are called in table order.
 */
typedef struct
{
  NsGuid guid;
  NsEventFunc learn;
  NsEventFunc correlate;
  NsAheadFunc ahead;
  NsEventFunc apart;
  NsReadFunc read;
  NsHasStackFunc has_stack;
  NsEventFunc beside;
} NsProviderOps;

/**
 * NsPartTable:
 * @offset: offset of the table, a #GArray, in #NsTrace
 * @row_bytes: size of a row
 * @clear: (nullable): frees the data that a row owns
 *
 * A table of the trace. The builder creates it, empty, before the part starts.
 */
typedef struct
{
  gsize offset;
  gsize row_bytes;
  GDestroyNotify clear;
} NsPartTable;

#define NS_PART_TABLE(field, Type, clear)                                                          \
  {                                                                                                \
    G_STRUCT_OFFSET (NsTrace, field), sizeof (Type), clear                                         \
  }

/**
 * NsPart:
 * @name: its name, for debugging
 * @tables: (array length=n_tables) (nullable): the tables of the trace whose rows it writes
 * @n_tables: number of tables
 * @start: (nullable): creates the part's state in the builder
 * @apart: (nullable): called in the first walk for every record, on the reading thread; must not
 *   share state with any @learn
 * @learned: (nullable): called between the two walks
 * @prepare: (nullable): called in the second walk for every record, on the reading thread, with its
 *   row in the table of events (%G_MAXUINT32: none) and whether a listener may ask for the stack in
 *   it; returns the note of the record
 * @each: (nullable): called in the second walk for every record, after its listeners
 * @number: (nullable): called after the second walk: completes the part's records, updates those of
 *   other parts, and assigns row numbers
 * @write: (nullable): called after every @number: writes the rows, or sets references to other rows
 * @gather: (nullable): called after every @write: adds rows of the master table
 * @tie: (nullable): called after every @gather: for work that needs the complete master table
 * @list: (nullable): called last, when the table of events is in time order
 * @stop: (nullable): frees the part's state
 * @ops: (array length=n_ops): the providers it listens to
 * @n_ops: number of @ops
 *
 * A part of the engine, which listens to providers and writes tables.
 * engine/catalog/ns-catalog-lists.h lists all parts.
 */
typedef struct
{
  const char *name;
  const NsPartTable *tables;
  guint n_tables;
  void (*start) (NsBuilder *builder);
  NsEventFunc apart;
  void (*learned) (NsBuilder *builder);
  NsPrepareFunc prepare;
  NsEventFunc each;
  void (*number) (NsBuilder *builder);
  void (*write) (NsBuilder *builder);
  void (*gather) (NsBuilder *builder);
  void (*tie) (NsBuilder *builder);
  void (*list) (NsBuilder *builder);
  void (*stop) (NsBuilder *builder);
  const NsProviderOps *ops;
  guint n_ops;
} NsPart;

void ns_part_make_tables (const NsPart *self, NsTrace *trace);

#define DECLARE_PART(name, ...) extern const NsPart ns_##name##_part;
NS_PART_ROWS (DECLARE_PART, DECLARE_PART)
#undef DECLARE_PART

G_END_DECLS
