/* The table of fields: one row has the column, filter name, sort order, export key, unit and
 * tooltip of a field.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/trace/ns-trace.h"

G_BEGIN_DECLS

typedef enum
{
  NS_TYPE_TEXT,
  NS_TYPE_UINT,  /* an identifier, base 10 */
  NS_TYPE_COUNT, /* a count, shown with thousands separators */
  NS_TYPE_INT,
  NS_TYPE_BYTES,    /* a number of bytes */
  NS_TYPE_HEX,      /* a pointer or handle: "0x…" */
  NS_TYPE_TIME,     /* ns since the trace header; the id ends in _ns */
  NS_TYPE_DURATION, /* ns; the id ends in _ns */
  NS_TYPE_BOOL,
  NS_TYPE_IP,
  NS_TYPE_PORT,
  NS_TYPE_GUID,
  NS_TYPE_ROW,    /* id of a row of another table */
  NS_TYPE_LIST,   /* texts */
  NS_TYPE_OBJECT, /* named numbers (phases, IDs) or JSON of an event's fields */
} NsFieldType;

/* The value of one field of one row. It is freed with ns_field_value_clear() only. */
typedef struct
{
  NsFieldType type;
  gboolean is_null;
  union
  {
    guint64 u;        /* UINT, COUNT, BYTES, HEX, PORT, ROW, BOOL */
    gint64 i;         /* INT, TIME, DURATION */
    const char *text; /* TEXT, GUID; OBJECT: its JSON */
    NsIp ip;          /* IP */
  } v;
  GPtrArray *list;         /* LIST: (element-type utf8) */
  char *owned;             /* owner of v.text if it was allocated */
  gboolean is_lower_bound; /* DURATION, not ended yet: a lower bound */
  const char *instead;     /* for a null value: a word with the reason; NULL: none */
} NsFieldValue;

typedef struct _NsField NsField;
typedef struct _NsSentence NsSentence; /* ns-sentence-parts.h */
typedef void (*NsFieldGetFunc) (const NsTrace *trace,
                                guint row,
                                const NsField *field,
                                NsFieldValue *value);
typedef guint (*NsFieldRankFunc) (const NsTrace *trace, guint row);

/**
 * NsField:
 * @id: stable name (`cli.md` part 3), also used in filters and exports
 * @title: column title, marked for translation
 * @tooltip: (nullable): meaning of the field, marked for translation
 * @type: type of its values
 * @width: default width in px at the normal font size
 * @is_shown: whether it is a default column
 * @in_json: whether it is part of the JSON object; %FALSE for fields that are only columns
 * @get: reads its value; the row is 0-based
 * @extra: for @get
 * @place: position among the default columns, from 1; 0: hidden
 * @of_numbers: whether it is a list of numbers, which are written as numbers in JSON
 * @rank: (nullable): for a text with its own sort order: returns the rank of a value
 */
struct _NsField
{
  const char *id;
  const char *title;
  const char *tooltip;
  NsFieldType type;
  guint16 width;
  guint is_shown : 1;
  guint in_json : 1;
  NsFieldGetFunc get;
  guint extra;
  guint8 place;
  gboolean of_numbers;
  NsFieldRankFunc rank;
};

const char *ns_table_get_name (NsTableId table);  /* its name: "activities", "tcp" … */
const char *ns_table_get_title (NsTableId table); /* marked for translation: "Activity", "TCP" … */
const char *ns_table_get_about (NsTableId table);
char *ns_table_get_needs (NsTableId table); /* providers that a trace must have for it */
char *ns_table_describe_empty (const NsTrace *trace, NsTableId table, gboolean *is_recorded);
gboolean ns_table_from_name (const char *name, NsTableId *table);
guint ns_table_get_n_rows (const NsTrace *trace, NsTableId table);
const NsField *ns_table_get_fields (NsTableId table, guint *n_fields);
const NsField *ns_table_find_field (NsTableId table, const char *id);
void ns_table_find_times (NsTableId table, const NsField **begin, const NsField **end);
/* ns-field-unknown.c */
const char *ns_table_find_nearest_field (NsTableId table, const char *id);
gboolean ns_table_refuse_field (NsTableId table, const char *id, GError **error);
const NsField *ns_field_get_stand_in (const NsField *field);
/* Returns the default columns in order: (element-type NsField) (transfer container). */
GPtrArray *ns_table_list_columns (NsTableId table);
char *ns_fields_to_text (const GPtrArray *fields);

const char *ns_field_get_unknown (const NsTrace *trace, const NsField *field);
gboolean ns_field_type_is_number (NsFieldType type);
const NsField *
ns_field_get_shown (const NsTrace *trace, const NsField *field, guint row, NsFieldValue *value);
void ns_field_get (const NsTrace *trace, const NsField *field, guint row, NsFieldValue *value);
void ns_field_value_clear (NsFieldValue *value);
int ns_field_value_compare (const NsFieldValue *a, const NsFieldValue *b);

/* Raw values are formatted for exports (no units, no grouping), human-readable ones for cells
 * (`design.md` 1, rule 4); these have the marks of the locale (LC_NUMERIC). */

/* Minus sign in numbers shown to users: U+2212. */
#define NS_MINUS "\xe2\x88\x92"

void ns_field_append_grouped (GString *text, guint64 number);
void ns_field_append_raw (const NsField *field, const NsFieldValue *value, GString *text);
char *ns_field_dup_raw (const NsTrace *trace, const NsField *field, guint32 row);
void ns_field_append_human (const NsField *field, const NsFieldValue *value, GString *text);
void ns_field_append_json (const NsField *field, const NsFieldValue *value, GString *text);

/* The sentence about a row (`design.md` 1, rule 5), for tooltips, summaries and screen readers. */
char *ns_sentence_new (const NsTrace *trace, NsTableId table, guint row);
char *ns_brief_new (const NsTrace *trace, NsTableId table, guint row);

/* Kind of a part of a sentence. */
typedef enum
{
  NS_SENTENCE_STRONG,  /* emphasized */
  NS_SENTENCE_FAILURE, /* an error */
  NS_SENTENCE_ROW,     /* a row of another table */
  NS_SENTENCE_FRAME,   /* a frame of the row's stack */
} NsSentencePartKind;

/**
 * NsSentencePart:
 * @kind: kind of the part
 * @begin: offset of its first byte
 * @end: offset after its last byte
 * @table: for a row: its table
 * @row: for a row: its number, 0-based
 * @address: for a frame
 *
 * A part of a sentence with a meaning. Parts do not overlap.
 */
typedef struct
{
  NsSentencePartKind kind;
  guint begin;
  guint end;
  NsTableId table;
  guint row;
  guint64 address;
} NsSentencePart;

char *ns_sentence_new_parts (const NsTrace *trace, NsTableId table, guint row, GArray **parts);

G_END_DECLS
