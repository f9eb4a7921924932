/* Getters of the table of fields: one for each kind of row member.
 *
 * A field's @extra has the location that its getter reads: the table, the offset of the member in
 * the row and, if needed, the offset of a second member.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/catalog/ns-catalog.h"
#include "engine/trace/ns-trace-lookup.h"
#include "query/ns-fields.h"

#include <stddef.h>

G_BEGIN_DECLS

#define NS_FIELD_OFFSET_BITS 12
#define NS_FIELD_OFFSET_MASK ((1u << NS_FIELD_OFFSET_BITS) - 1)

/* Offset of one member, or of two. */
#define NS_FIELD_AT(table, Type, member)                                                           \
  ((guint) (table) << (2 * NS_FIELD_OFFSET_BITS) | (guint) offsetof (Type, member))
#define NS_FIELD_AT2(table, Type, first, second)                                                   \
  (NS_FIELD_AT (table, Type, first) | (guint) offsetof (Type, second) << NS_FIELD_OFFSET_BITS)

/* Initializers of fields. @place: position among the default columns; 0: hidden. */
#define NS_FIELD(id, title, tooltip, type, width, place, get, extra)                               \
  {                                                                                                \
    id, title, tooltip, NS_TYPE_##type, width, (place) != 0, TRUE, get, extra, place, FALSE, NULL  \
  }
/* A text field with its own sort order. */
#define NS_RANKED(id, title, tooltip, width, place, get, extra, rank)                              \
  {                                                                                                \
    id, title, tooltip, NS_TYPE_TEXT, width, (place) != 0, TRUE, get, extra, place, FALSE, rank    \
  }
/* A field with a list of numbers. */
#define NS_NUMBERS(id, title, tooltip, width, place, get, extra)                                   \
  {                                                                                                \
    id, title, tooltip, NS_TYPE_LIST, width, (place) != 0, TRUE, get, extra, place, TRUE, NULL     \
  }
/* A field that is only a column, derived from other fields. */
#define NS_COLUMN(id, title, tooltip, type, width, place, get, extra)                              \
  {                                                                                                \
    id, title, tooltip, NS_TYPE_##type, width, (place) != 0, FALSE, get, extra, place, FALSE, NULL \
  }

/* The file of a case, for rows made from records. */
#define NS_INPUT_COLUMN(extra)                                                                     \
  NS_COLUMN ("input",                                                                              \
             N_ ("File"),                                                                          \
             N_ ("Name of its source file, if several files are read as one trace"),               \
             TEXT,                                                                                 \
             150,                                                                                  \
             0,                                                                                    \
             ns_get_input,                                                                         \
             extra)

/* The machine, for rows of all tables; @extra has the table. */
#define NS_MACHINE_COLUMN(extra)                                                                   \
  NS_COLUMN ("machine",                                                                            \
             N_ ("Machine"),                                                                       \
             N_ ("Name of the computer that recorded it"),                                         \
             TEXT,                                                                                 \
             130,                                                                                  \
             0,                                                                                    \
             ns_get_machine,                                                                       \
             extra)

#define NS_MAX_NEEDS 8

/* Maximum number of ancestors; a deeper tree is due to reused IDs or loops. */
#define NS_FIELD_MAX_TREE_DEPTH 16

/**
 * NsFieldTable:
 * @name: name on the command line, where it is also the verb that lists the rows
 * @title: its title, marked for translation
 * @about: (nullable): description of the rows, marked for translation; used in the command-line
 *   help unless cli/main.c has a line for the verb
 * @needs: providers, any of which can make its rows; none: any event can
 * @needs_else: (nullable): text that replaces their names
 * @fields: (array length=n_fields): its fields, in the order of their JSON keys
 * @n_fields: number of @fields
 * @brief: (nullable): formats the short title of a row; %NULL: ns-brief.c does
 * @add_sentence: (nullable): writes the sentence about a row; %NULL: ns-sentence.c does
 *
 * A table as users see it, defined in the file with its fields.
 */
typedef struct
{
  const char *name;
  const char *title;
  const char *about;
  NsProviderId needs[NS_MAX_NEEDS];
  const char *needs_else;
  const NsField *fields;
  guint n_fields;
  char *(*brief) (const NsSentence *self);
  void (*add_sentence) (NsSentence *self);
} NsFieldTable;

#define NS_DECLARE_FIELDS(id, member, type) extern const NsFieldTable ns_fields_##member;
NS_TABLE_ROWS (NS_DECLARE_FIELDS)
#undef NS_DECLARE_FIELDS
extern const NsFieldTable ns_fields_findings;

const NsFieldTable *ns_table_get (NsTableId table);
GArray *ns_field_get_table (const NsTrace *trace, NsTableId table);
gconstpointer ns_field_get_row (const NsTrace *trace, guint row, const NsField *field);
void ns_field_take_text (NsFieldValue *value, char *text);
void ns_field_set_chars (NsFieldValue *value, const char *text);
void ns_field_set_time (NsFieldValue *value, gint64 time_ns);
void ns_field_set_span (NsFieldValue *value, const NsTrace *trace, gint64 open_ns, gint64 close_ns);
const char *ns_field_layer_to_text (guint32 layers);
char *ns_field_dotnet_dup_request (const NsTrace *trace, guint row);
gboolean ns_field_may_share (const NsField *field);
gboolean ns_field_is_lasting_of_activity (const NsField *field);
gboolean ns_field_is_unknown_of_activity (const NsTrace *trace, const NsField *field);
guint32 ns_field_get_layers (const NsTrace *trace, guint row, const NsField *field);
gboolean ns_field_is_of_process_of_activity (const NsField *field);
NsRow
ns_field_get_process (const NsTrace *trace, guint row, const NsField *field, NsTraceRecent *recent);
gboolean ns_field_is_of_endpoint (const NsField *field);
const NsEndpoint *ns_field_peek_endpoint (const NsTrace *trace, guint row, const NsField *field);
void ns_field_fetch (const NsTrace *trace, guint row, const NsField *field);
NsString ns_field_get_string_id (const NsTrace *trace, guint row, const NsField *field);

/* Size of the buffer for a text that an #NsFieldWriteFunc writes. */
#define NS_FIELD_WRITTEN_BYTES 320

/* Writes a text to a buffer, without allocation; returns its length; 0: unknown. */
typedef gsize (*NsFieldWriteFunc) (const NsTrace *trace,
                                   guint row,
                                   const NsField *field,
                                   char text[NS_FIELD_WRITTEN_BYTES]);

NsFieldWriteFunc ns_field_get_writer (const NsField *field);
NsFieldWriteFunc ns_field_get_writer_of_connection (const NsField *field);
gsize ns_field_write_guid (const NsTrace *trace,
                           guint row,
                           const NsField *field,
                           char text[NS_FIELD_WRITTEN_BYTES]);

/* Declares an #NsFieldGetFunc; the comment on each has the members that it reads. */
#define NS_DECLARE_GETTER(name)                                                                    \
  void name (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)

NS_DECLARE_GETTER (ns_get_id);               /* no member: the row's number, from 1 */
NS_DECLARE_GETTER (ns_get_string);           /* NsString */
NS_DECLARE_GETTER (ns_get_chars);            /* const char* */
NS_DECLARE_GETTER (ns_get_tcp_state);        /* guint8, an NsTcpState */
NS_DECLARE_GETTER (ns_get_call_kind);        /* guint8, an NsCallKind */
NS_DECLARE_GETTER (ns_get_dns_source);       /* guint8, an NsDnsSource */
NS_DECLARE_GETTER (ns_get_phase);            /* the number of a phase; the table of activities */
NS_DECLARE_GETTER (ns_get_u8);               /* guint8 */
NS_DECLARE_GETTER (ns_get_u16);              /* guint16 */
NS_DECLARE_GETTER (ns_get_u32);              /* guint32 or NsRow */
NS_DECLARE_GETTER (ns_get_u64);              /* guint64 */
NS_DECLARE_GETTER (ns_get_i32);              /* gint32, NS_UNKNOWN */
NS_DECLARE_GETTER (ns_get_i64);              /* gint64, NS_UNKNOWN */
NS_DECLARE_GETTER (ns_get_nonzero_u8);       /* guint8, 0 is unknown */
NS_DECLARE_GETTER (ns_get_nonzero_u16);      /* guint16, 0 is unknown */
NS_DECLARE_GETTER (ns_get_nonzero_u32);      /* guint32, NsRow: 0 is unknown */
NS_DECLARE_GETTER (ns_get_nonzero_i32);      /* gint32, 0 is none */
NS_DECLARE_GETTER (ns_get_nonzero_u64);      /* guint64, 0 is unknown */
NS_DECLARE_GETTER (ns_get_known_u32);        /* guint32, G_MAXUINT32 is unknown */
NS_DECLARE_GETTER (ns_get_bool);             /* gboolean */
NS_DECLARE_GETTER (ns_get_time);             /* gint64, NS_TIME_NONE, NS_TIME_OPEN */
NS_DECLARE_GETTER (ns_get_duration);         /* open, close */
NS_DECLARE_GETTER (ns_get_still_open);       /* close */
NS_DECLARE_GETTER (ns_get_process);          /* pid, time: the image's name */
NS_DECLARE_GETTER (ns_get_process_with_pid); /* pid, time: "image.exe (pid)" */
NS_DECLARE_GETTER (ns_get_process_tree);     /* pid, time: "image.exe (pid) ← parent.exe (pid)" */
NS_DECLARE_GETTER (ns_get_ip);               /* NsEndpoint */
NS_DECLARE_GETTER (ns_get_ip_of);            /* const NsEndpoint * */
NS_DECLARE_GETTER (ns_get_port);             /* NsEndpoint */
NS_DECLARE_GETTER (ns_get_port_of);          /* const NsEndpoint * */
NS_DECLARE_GETTER (ns_get_ip_port);          /* NsEndpoint: "address:port", or no port */
NS_DECLARE_GETTER (ns_get_packet_end); /* endpoint of a packet, formatted like ns_get_ip_port() */
NS_DECLARE_GETTER (ns_get_ip_port_of); /* const NsEndpoint * */
NS_DECLARE_GETTER (ns_get_geo_of);     /* const NsEndpoint * */
NS_DECLARE_GETTER (ns_get_guid);       /* NsGuid, zero is unknown */
NS_DECLARE_GETTER (ns_get_guid_of);    /* const NsGuid *, NULL is unknown */
NS_DECLARE_GETTER (ns_get_machine);    /* any member */
NS_DECLARE_GETTER (ns_get_input);      /* open, close: the file of a case */
NS_DECLARE_GETTER (ns_get_layer);      /* guint32 of NsLayers: the main layer */
NS_DECLARE_GETTER (ns_get_layers);     /* guint32 of NsLayers: all layers */
NS_DECLARE_GETTER (ns_get_tcp_or_udp); /* gboolean is_udp */
NS_DECLARE_GETTER (ns_get_part_of_stack);    /* #NsChainColumn: the frames of one column */
NS_DECLARE_GETTER (ns_get_first_thread);     /* none: first thread of an activity's chain */
NS_DECLARE_GETTER (ns_get_full_stack);       /* none: all frames of an activity's chain */
NS_DECLARE_GETTER (ns_get_stack_path);       /* none: its path in a call tree, as in a filter */
NS_DECLARE_GETTER (ns_get_layer_status);     /* gint64 of #NsLayerRow, NS_UNKNOWN */
NS_DECLARE_GETTER (ns_get_layer_confidence); /* gint8 of #NsLayerRow; negative: none */
NS_DECLARE_GETTER (ns_get_evidence);         /* NS_MAX_EVIDENCE members of type const char * */
NS_DECLARE_GETTER (ns_get_ntstatus);         /* gint64 of #NsLayerRow: the error */
NS_DECLARE_GETTER (ns_get_win32);            /* gint64 of #NsLayerRow: the error */
NS_DECLARE_GETTER (ns_get_hresult);          /* gint64 of #NsLayerRow: the error */
NS_DECLARE_GETTER (ns_get_string_list);      /* GArray of NsString */
NS_DECLARE_GETTER (ns_get_ip_list);          /* GArray of NsIp */

const NsGuid *ns_field_peek_guid (const NsTrace *trace, guint row, const NsField *field);

G_END_DECLS
