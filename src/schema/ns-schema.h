/* Layout of an event's payload: names, types, maps, and the source of the description.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"
#include "etl/ns-etl-file.h"
#include "etl/ns-etl-record.h"

G_BEGIN_DECLS

/* Source of a description, most trusted first. */
typedef enum
{
  NS_SCHEMA_EMBEDDED,     /* TRACE_EVENT_INFO that a merge wrote into the trace */
  NS_SCHEMA_TRACELOGGING, /* the event contains its own description */
  NS_SCHEMA_EVENTSOURCE,  /* a manifest that was sent as events */
  NS_SCHEMA_USER,         /* a file of the user (--manifests) */
  NS_SCHEMA_BUILTIN,      /* compact built-in schemas and classic layouts */
  NS_SCHEMA_WPP,          /* GUID and message number are known, arguments are not */
  NS_SCHEMA_NONE,
} NsSchemaSource;

/* In-types of TDH (etl-format 10.1), to which TraceLogging types are mapped. */
typedef enum
{
  NS_IN_NULL = 0,
  NS_IN_UNICODESTRING = 1,
  NS_IN_ANSISTRING = 2,
  NS_IN_INT8 = 3,
  NS_IN_UINT8 = 4,
  NS_IN_INT16 = 5,
  NS_IN_UINT16 = 6,
  NS_IN_INT32 = 7,
  NS_IN_UINT32 = 8,
  NS_IN_INT64 = 9,
  NS_IN_UINT64 = 10,
  NS_IN_FLOAT = 11,
  NS_IN_DOUBLE = 12,
  NS_IN_BOOLEAN = 13,
  NS_IN_BINARY = 14,
  NS_IN_GUID = 15,
  NS_IN_POINTER = 16,
  NS_IN_FILETIME = 17,
  NS_IN_SYSTEMTIME = 18,
  NS_IN_SID = 19,
  NS_IN_HEXINT32 = 20,
  NS_IN_HEXINT64 = 21,
  NS_IN_COUNTEDSTRING = 22,
  NS_IN_COUNTEDANSISTRING = 23,
  NS_IN_COUNTEDBINARY = 25,
  NS_IN_WBEM_COUNTEDSTRING = 300,
  NS_IN_WBEM_COUNTEDANSISTRING = 301,
  NS_IN_REVERSEDCOUNTEDSTRING = 302,
  NS_IN_REVERSEDCOUNTEDANSISTRING = 303,
  NS_IN_NONNULLTERMINATEDSTRING = 304,
  NS_IN_NONNULLTERMINATEDANSISTRING = 305,
  NS_IN_UNICODECHAR = 306,
  NS_IN_ANSICHAR = 307,
  NS_IN_SIZET = 308,
  NS_IN_HEXDUMP = 309,
  NS_IN_WBEMSID = 310,
  /* Additional types, for classic kernel layouts. */
  NS_IN_BOOL8 = 400,           /* one byte */
  NS_IN_POINTERS_TO_END = 401, /* pointers up to the end of the payload */
} NsInType;

typedef enum
{
  NS_OUT_NULL = 0,
  NS_OUT_STRING = 1,
  NS_OUT_DATETIME = 2,
  NS_OUT_BYTE = 3,
  NS_OUT_UNSIGNEDBYTE = 4,
  NS_OUT_SHORT = 5,
  NS_OUT_UNSIGNEDSHORT = 6,
  NS_OUT_INT = 7,
  NS_OUT_UNSIGNEDINT = 8,
  NS_OUT_LONG = 9,
  NS_OUT_UNSIGNEDLONG = 10,
  NS_OUT_FLOAT = 11,
  NS_OUT_DOUBLE = 12,
  NS_OUT_BOOLEAN = 13,
  NS_OUT_GUID = 14,
  NS_OUT_HEXBINARY = 15,
  NS_OUT_HEXINT8 = 16,
  NS_OUT_HEXINT16 = 17,
  NS_OUT_HEXINT32 = 18,
  NS_OUT_HEXINT64 = 19,
  NS_OUT_PID = 20,
  NS_OUT_TID = 21,
  NS_OUT_PORT = 22,
  NS_OUT_IPV4 = 23,
  NS_OUT_IPV6 = 24,
  NS_OUT_SOCKETADDRESS = 25,
  NS_OUT_CIMDATETIME = 26,
  NS_OUT_ETWTIME = 27,
  NS_OUT_XML = 28,
  NS_OUT_ERRORCODE = 29,
  NS_OUT_WIN32ERROR = 30,
  NS_OUT_NTSTATUS = 31,
  NS_OUT_HRESULT = 32,
  NS_OUT_CULTURE_DATETIME = 33,
  NS_OUT_JSON = 34,
  NS_OUT_UTF8 = 35,
  NS_OUT_PKCS7 = 36,
  NS_OUT_CODE_POINTER = 37,
  NS_OUT_DATETIME_UTC = 38,
} NsOutType;

typedef enum
{
  NS_FIELD_STRUCT = 1 << 0, /* has members, no bytes of its own */
  NS_FIELD_LENGTH_REF =
      1 << 1,                  /* NsSchemaField.length is the number of the field with the length */
  NS_FIELD_COUNT_REF = 1 << 2, /* NsSchemaField.count is the number of the field with the count */
  NS_FIELD_FIXED_LENGTH = 1 << 3,
  NS_FIELD_FIXED_COUNT = 1 << 4,  /* an array even if it has one element */
  NS_FIELD_COUNT_PREFIX = 1 << 5, /* TraceLogging: a u16 count precedes the elements */
  NS_FIELD_OPTIONAL = 1 << 6,     /* written only by newer systems: may be missing at the end */
} NsFieldFlags;

/* Maximum number of fields: as many 24-byte properties as fit into the largest record. */
#define NS_SCHEMA_MAX_FIELDS 2730
/* Maximum nesting depth of structs. */
#define NS_SCHEMA_MAX_DEPTH 8

typedef struct
{
  gboolean is_bitmap;
  guint n_entries;
  const guint32 *values;
  const char *const *names; /* no entry is %NULL */
} NsSchemaMap;

typedef struct
{
  const char *name;
  const NsSchemaMap *map; /* %NULL: none */
  guint16 in_type;        /* #NsInType */
  guint16 out_type;       /* #NsOutType */
  guint16 flags;          /* #NsFieldFlags */
  guint16 count;
  guint16 length;
  guint16 first_member; /* structs: members are fields[first_member .. +n_members) */
  guint16 n_members;
} NsSchemaField;

/* The layout of one kind of event; immutable once returned. Names may be %NULL. */
typedef struct
{
  NsSchemaSource source;
  guint32 build;        /* Windows build of the manifest; 0: unknown */
  guint8 version;       /* event version of the layout; may differ from the record's */
  gboolean has_version; /* @version is known */
  const char *provider_name;
  const char *event_name;
  const char *task_name;
  const char *opcode_name;
  const char *level_name;
  const char *channel_name;
  const char *keyword_names;
  guint n_fields;
  guint n_top;
  const NsSchemaField *fields;
} NsSchema;

typedef struct _NsSchemaData NsSchemaData; /* ns-schema-data */
typedef struct _NsSchemas NsSchemas;

NsSchemas *ns_schemas_new (NsSchemaData *builtin);
const char *ns_schemas_get_keyword (const NsSchemas *self, const NsGuid *provider, guint64 bit);
void ns_schemas_free (NsSchemas *self);
gboolean ns_schemas_add_manifests (NsSchemas *self, const char *path, GError **error);
gboolean ns_schemas_learn (NsSchemas *self, const NsRecord *record);
const NsSchema *ns_schemas_find (NsSchemas *self, const NsRecord *record);
const NsSchema *ns_schemas_find_shared (NsSchemas *self, const NsRecord *record);
const char *ns_schemas_get_provider_name (NsSchemas *self, const NsGuid *guid);
guint64 ns_schemas_get_n_rejected (const NsSchemas *self);
void ns_schemas_report_refused (const NsSchemas *self, NsEtlFile *file);

/* Returns the name of a classic group or event class; %NULL: unknown. */
const char *ns_classic_class_name (const NsGuid *guid);

const char *ns_schema_source_to_text (NsSchemaSource source);
const char *ns_schema_level_name (guint level);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsSchemas, ns_schemas_free)

G_END_DECLS
