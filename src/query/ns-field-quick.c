/* Fast reading of plain members of rows, for exports of millions of cells.
 *
 * A table of some hundred thousand rows has ten million cells, most of which are a plain number in
 * the row, or unknown. For these, ns_field_get() and ns_field_append_raw(), which handle any
 * value, take several times as long.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-quick.h"

#include "base/ns-text.h"
#include "engine/trace/ns-view-context.h"
#include "query/ns-field-get.h"
#include "query/ns-field-text.h"
#include "query/ns-field-tls.h"

/* Getters of ns-field-get that only read a member. */
static const struct
{
  NsFieldGetFunc get;
  NsFieldQuickKind kind;
  gboolean has_unknown;
  guint64 unknown;
  NsFieldNameFunc to_text;
} readers[] = {
  { ns_get_u32, NS_FIELD_QUICK_U32, FALSE, 0, NULL },
  { ns_get_nonzero_u32, NS_FIELD_QUICK_U32, TRUE, 0, NULL },
  { ns_get_known_u32, NS_FIELD_QUICK_U32, TRUE, G_MAXUINT32, NULL },
  { ns_get_u64, NS_FIELD_QUICK_U64, FALSE, 0, NULL },
  { ns_get_nonzero_u64, NS_FIELD_QUICK_U64, TRUE, 0, NULL },
  { ns_get_bool, NS_FIELD_QUICK_BOOL, FALSE, 0, NULL },
  { ns_get_time, NS_FIELD_QUICK_TIME, FALSE, 0, NULL },
  { ns_get_string, NS_FIELD_QUICK_STRING, TRUE, NS_STRING_NONE, NULL },
  { ns_get_phase, NS_FIELD_QUICK_PHASE, FALSE, 0, NULL },
  { ns_get_layer, NS_FIELD_QUICK_LAYER, FALSE, 0, NULL },
  { ns_get_tcp_state, NS_FIELD_QUICK_NAME, FALSE, 0, ns_tcp_state_to_text },
  { ns_get_call_kind, NS_FIELD_QUICK_NAME, FALSE, 0, ns_call_kind_to_text },
  { ns_get_dns_source, NS_FIELD_QUICK_NAME, FALSE, 0, ns_dns_source_to_text },
};

/* Returns whether ns_field_append_raw() formats this type like this kind. */
static gboolean
is_written_so (NsFieldQuickKind kind, NsFieldType type)
{
  switch (kind)
    {
    case NS_FIELD_QUICK_U32:
    case NS_FIELD_QUICK_U64:
      return type == NS_TYPE_UINT || type == NS_TYPE_COUNT || type == NS_TYPE_BYTES ||
             type == NS_TYPE_PORT || type == NS_TYPE_ROW;
    case NS_FIELD_QUICK_BOOL:
      return type == NS_TYPE_BOOL;
    case NS_FIELD_QUICK_TIME:
      return type == NS_TYPE_TIME;
    case NS_FIELD_QUICK_PHASE:
      return type == NS_TYPE_DURATION;
    case NS_FIELD_QUICK_STRING:
    case NS_FIELD_QUICK_NAME:
    case NS_FIELD_QUICK_LAYER:
      return type == NS_TYPE_TEXT;
    case NS_FIELD_QUICK_UNKNOWN:
    case NS_FIELD_QUICK_NONE:
    default:
      return FALSE;
    }
}

/* Returns whether no row of the trace has a value, as what it is read from was not recorded or is
 * not installed. */
static gboolean
is_unknown (const NsTrace *trace, const NsField *field)
{
  g_autoptr (NsGeo) geo = NULL;

  if (field->get == ns_get_input)
    return trace->row_inputs == NULL;
  if (field->get == ns_get_tls_text || field->get == ns_get_tls_resumed ||
      field->get == ns_get_tls_alert_from || field->get == ns_get_tls_error ||
      field->get == ns_get_tls_cert)
    return trace->tls == NULL && trace->flows->len == 0;
  if (field->get != ns_get_geo_of)
    return ns_field_is_unknown_of_activity (trace, field);
  geo = ns_view_context_dup_geo (trace->view);
  return geo == NULL;
}

/**
 * ns_field_quick_init: (skip)
 * @self: (out caller-allocates): location of the values
 * @trace: a trace
 * @field: any field
 */
void
ns_field_quick_init (NsFieldQuick *self, const NsTrace *trace, const NsField *field)
{
  NsTableId table = field->extra >> (2 * NS_FIELD_OFFSET_BITS);
  GArray *rows;
  guint i;

  *self = (NsFieldQuick){ .trace = trace };
  if (is_unknown (trace, field))
    {
      self->kind = NS_FIELD_QUICK_UNKNOWN;
      return;
    }
  for (i = 0; i < G_N_ELEMENTS (readers) && readers[i].get != field->get; i++)
    ;
  if (i == G_N_ELEMENTS (readers) || !is_written_so (readers[i].kind, field->type))
    return;
  rows = ns_field_get_table (trace, table);
  if (rows == NULL || rows->len == 0)
    return;
  self->kind = readers[i].kind;
  self->has_unknown = readers[i].has_unknown;
  self->unknown = readers[i].unknown;
  self->to_text = readers[i].to_text;
  self->first = (const guint8 *) rows->data + (field->extra & NS_FIELD_OFFSET_MASK);
  self->row_bytes = g_array_get_element_size (rows);
  if (self->kind == NS_FIELD_QUICK_PHASE)
    {
      self->unknown = field->extra & NS_FIELD_OFFSET_MASK;
      self->first = (const guint8 *) rows->data;
    }
}

/**
 * ns_field_quick_get_text: (skip)
 * @self: location of texts
 * @row: 0-based
 *
 * Returns: (nullable): the text, valid as long as the trace
 */
const char *
ns_field_quick_get_text (const NsFieldQuick *self, guint row)
{
  gconstpointer member = self->first + row * self->row_bytes;
  NsString id;

  if (self->kind == NS_FIELD_QUICK_NAME)
    return self->to_text (*(const guint8 *) member);
  if (self->kind == NS_FIELD_QUICK_LAYER)
    return ns_field_layer_to_text (*(const NsLayerSet *) member);
  id = *(const NsString *) member;
  return id == self->unknown ? NULL : ns_trace_text (self->trace, id);
}

/**
 * ns_field_quick_append: (skip)
 * @self: location of values other than texts
 * @row: 0-based
 * @text: (inout): appended to
 *
 * Appends the value like ns_field_append_raw().
 */
void
ns_field_quick_append (const NsFieldQuick *self, guint row, GString *text)
{
  gconstpointer member = self->first + row * self->row_bytes;
  gint64 phase_ns;
  guint64 number;

  switch (self->kind)
    {
    case NS_FIELD_QUICK_U32:
      number = *(const guint32 *) member;
      break;
    case NS_FIELD_QUICK_U64:
      number = *(const guint64 *) member;
      break;
    case NS_FIELD_QUICK_BOOL:
      if (*(const NsBool *) member)
        ns_text_append (text, "true", 4);
      else
        ns_text_append (text, "false", 5);
      return;
    case NS_FIELD_QUICK_TIME:
      if (ns_time_is_set (*(const gint64 *) member))
        ns_field_append_signed (text, *(const gint64 *) member);
      return;
    case NS_FIELD_QUICK_PHASE:
      phase_ns = ns_activity_row_get_phase (member, (guint) self->unknown);
      if (phase_ns != NS_UNKNOWN)
        ns_field_append_signed (text, phase_ns);
      return;
    case NS_FIELD_QUICK_STRING:
    case NS_FIELD_QUICK_NAME:
    case NS_FIELD_QUICK_LAYER:
    case NS_FIELD_QUICK_UNKNOWN:
    case NS_FIELD_QUICK_NONE:
    default:
      return;
    }
  if (!self->has_unknown || number != self->unknown)
    ns_text_append_unsigned (text, number);
}
