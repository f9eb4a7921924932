/* Decodes one event record into fields, with the bytes of each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Maximum number of facts of a record; further array elements are omitted. */
#define NS_EVENT_MAX_FACTS 4096

typedef enum
{
  NS_EVENT_PART_HEADER,
  NS_EVENT_PART_ITEM, /* extended item */
  NS_EVENT_PART_FIELD,
} NsEventPart;

/**
 * NsEventFact:
 * @name: the field's name
 * @value: formatted value; empty for a struct or an array
 * @type: name of its type
 * @offset: first byte, from the start of the record
 * @size: number of bytes; 0 if it has none
 * @depth: nesting depth; 0 outside of structs and arrays
 * @part: the part of the record
 */
typedef struct
{
  char *name;
  char *value;
  const char *type;
  guint32 offset;
  guint32 size;
  guint8 depth;
  NsEventPart part;
} NsEventFact;

/**
 * NsEventFacts:
 * @row: the record, 0-based
 * @bytes: (array length=n_bytes): its bytes
 * @n_bytes: number of bytes
 * @payload_at: offset of its payload
 * @header_size: size of its header
 * @source: where the description of its fields comes from
 * @version: version of its layout
 * @build: Windows build of that manifest; 0 if not known
 * @is_classic: described by an event class instead of a manifest
 * @is_in_file: stored in the file unchanged
 * @file_offset: its offset in the file
 * @n_used: number of payload bytes that belong to fields, including string terminators
 * @is_exact: the fields cover the whole payload
 * @is_short: the payload ends before the last field
 * @is_bad: it contains an impossible length
 * @is_cut: it has more facts than are listed
 * @is_packet: it is a captured packet; @row is then a row of the table of packets
 * @wire_bytes: for a packet, its size before truncation
 * @facts: (element-type NsEventFact): facts in the order of their bytes
 * @known: (array length=n_bytes): 1 for each byte that belongs to a fact
 *
 * Owns its data; the trace may be freed before it.
 */
typedef struct
{
  guint32 row;
  guint8 *bytes;
  guint32 n_bytes;
  guint32 payload_at;
  guint32 header_size;
  NsSchemaSource source;
  guint16 version;
  guint32 build;
  gboolean is_classic;
  gboolean is_in_file;
  guint64 file_offset;
  guint32 n_used;
  gboolean is_exact;
  gboolean is_short;
  gboolean is_bad;
  gboolean is_cut;
  gboolean is_packet;
  guint32 wire_bytes;
  GArray *facts;
  guint8 *known;
} NsEventFacts;

NsEventFacts *ns_event_facts_new (const NsTrace *trace, guint32 row);
void ns_event_facts_free (NsEventFacts *self);
guint ns_event_facts_find (const NsEventFacts *self, guint32 byte);
guint ns_event_facts_step (const NsEventFacts *self, guint fact, gboolean is_forward);
char *ns_event_facts_to_filter (const NsEventFacts *self, guint fact);
char *ns_event_time_to_text (const NsTrace *trace, guint32 row);

/* No fact. */
#define NS_EVENT_FACT_NONE G_MAXUINT

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsEventFacts, ns_event_facts_free)

G_END_DECLS
