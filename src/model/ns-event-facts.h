/* One record taken apart: what each of its bytes is for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

/* Facts of one record; an array with more elements is shown up to here. */
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
 * @value: as people read it; empty for a struct or an array
 * @type: name of its type
 * @offset: first byte, counted from the begin of the record
 * @size: bytes of it; 0: none of its own
 * @depth: 0 outside of structs and arrays
 * @part: where it stands
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
 * @bytes: (array length=n_bytes): all its bytes
 * @n_bytes: how many
 * @payload_at: where its payload begins
 * @header_size: bytes of its header
 * @source: where the description of its fields comes from
 * @version: of its layout
 * @build: of the Windows whose manifest that is; 0: not known
 * @is_classic: it was described as an event class, not by a manifest
 * @is_in_file: it stands in the file as it is
 * @file_offset: where it begins there
 * @n_used: bytes of the payload that some field has, with what ends texts
 * @is_exact: its fields are all of its payload
 * @is_short: it ended before the last field
 * @is_bad: some length in it cannot be
 * @is_cut: it has more facts than are listed
 * @is_packet: it is a captured packet, and @row one of the table of packets
 * @wire_bytes: of a packet: how many it had before it was cut
 * @facts: (element-type NsEventFact): in the order of the bytes
 * @known: (array length=n_bytes): 1 for each byte that some fact has
 *
 * Owns all it needs: the trace may go away.
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
