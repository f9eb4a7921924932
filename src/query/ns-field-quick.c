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
  { ns_get_id, NS_FIELD_QUICK_ID, FALSE, 0, NULL },
  { ns_get_u32, NS_FIELD_QUICK_U32, FALSE, 0, NULL },
  { ns_get_nonzero_u32, NS_FIELD_QUICK_U32, TRUE, 0, NULL },
  { ns_get_known_u32, NS_FIELD_QUICK_U32, TRUE, G_MAXUINT32, NULL },
  { ns_get_u64, NS_FIELD_QUICK_U64, FALSE, 0, NULL },
  { ns_get_nonzero_u64, NS_FIELD_QUICK_U64, TRUE, 0, NULL },
  { ns_get_bool, NS_FIELD_QUICK_BOOL, FALSE, 0, NULL },
  { ns_get_time, NS_FIELD_QUICK_TIME, FALSE, 0, NULL },
  { ns_get_duration, NS_FIELD_QUICK_SPAN, FALSE, 0, NULL },
  { ns_get_still_open, NS_FIELD_QUICK_STILL_OPEN, FALSE, 0, NULL },
  { ns_get_port_of, NS_FIELD_QUICK_PORT, FALSE, 0, NULL },
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
    case NS_FIELD_QUICK_ID:
      return type == NS_TYPE_UINT;
    case NS_FIELD_QUICK_PORT:
      return type == NS_TYPE_PORT;
    case NS_FIELD_QUICK_BOOL:
    case NS_FIELD_QUICK_STILL_OPEN:
      return type == NS_TYPE_BOOL;
    case NS_FIELD_QUICK_TIME:
      return type == NS_TYPE_TIME;
    case NS_FIELD_QUICK_SPAN:
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
  self->second = (gssize) (field->extra >> NS_FIELD_OFFSET_BITS & NS_FIELD_OFFSET_MASK) -
                 (gssize) (field->extra & NS_FIELD_OFFSET_MASK);
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

static const NsEndpoint *
get_end (gconstpointer member)
{
  const NsEndpoint *end = *(const NsEndpoint *const *) member;

  return end != NULL ? end : &ns_endpoint_pool_none;
}

/* Reads the ports of endpoints, which are anywhere in memory. */
static void
read_ports (const NsFieldQuick *self,
            const guint32 *rows,
            guint n_rows,
            guint8 *is_known,
            gint64 *numbers)
{
  guint i;

  for (i = 0; i < n_rows; i++)
    __builtin_prefetch (get_end (self->first + rows[i] * self->row_bytes));
  for (i = 0; i < n_rows; i++)
    {
      numbers[i] = get_end (self->first + rows[i] * self->row_bytes)->port;
      is_known[i] = numbers[i] != 0;
    }
}

/* Reads durations like ns_field_set_span(). */
static void
read_spans (const NsFieldQuick *self,
            const guint32 *rows,
            guint n_rows,
            guint8 *is_known,
            gint64 *numbers)
{
  guint i;

  for (i = 0; i < n_rows; i++)
    {
      const guint8 *member = self->first + rows[i] * self->row_bytes;
      gint64 open_ns = *(const gint64 *) (gconstpointer) member;
      gint64 close_ns = *(const gint64 *) (gconstpointer) (member + self->second);

      is_known[i] = ns_time_is_set (open_ns) && close_ns != NS_TIME_NONE;
      if (close_ns == NS_TIME_OPEN)
        close_ns = self->trace->end_ns;
      numbers[i] = is_known[i] ? MAX (close_ns - open_ns, 0) : 0;
    }
}

/**
 * ns_field_quick_read_numbers: (skip)
 * @self: location of numbers
 * @rows: (array length=n_rows): rows of the table, 0-based
 * @n_rows: number of @rows
 * @is_known: (out caller-allocates) (array length=n_rows): 1 if the number is known, else 0
 * @numbers: (out caller-allocates) (array length=n_rows): the numbers; larger ones are limited to
 *   the type
 */
void
ns_field_quick_read_numbers (const NsFieldQuick *self,
                             const guint32 *rows,
                             guint n_rows,
                             guint8 *is_known,
                             gint64 *numbers)
{
  guint i;

#define MEMBER(type) (*(const type *) (gconstpointer) (self->first + rows[i] * self->row_bytes))
#define READ(type)                                                                                 \
  for (i = 0; i < n_rows; i++)                                                                     \
    {                                                                                              \
      guint64 value = MEMBER (type);                                                               \
                                                                                                   \
      is_known[i] = !self->has_unknown || value != self->unknown;                                  \
      numbers[i] = (gint64) MIN (value, G_MAXINT64);                                               \
    }
  switch (self->kind)
    {
    case NS_FIELD_QUICK_ID:
      for (i = 0; i < n_rows; i++)
        {
          numbers[i] = (gint64) rows[i] + 1;
          is_known[i] = TRUE;
        }
      break;
    case NS_FIELD_QUICK_U32:
      READ (guint32);
      break;
    case NS_FIELD_QUICK_U64:
      READ (guint64);
      break;
    case NS_FIELD_QUICK_BOOL:
      READ (NsBool);
      break;
    case NS_FIELD_QUICK_TIME:
      for (i = 0; i < n_rows; i++)
        {
          numbers[i] = MEMBER (gint64);
          is_known[i] = ns_time_is_set (numbers[i]);
        }
      break;
    case NS_FIELD_QUICK_SPAN:
      read_spans (self, rows, n_rows, is_known, numbers);
      break;
    case NS_FIELD_QUICK_STILL_OPEN:
      for (i = 0; i < n_rows; i++)
        {
          numbers[i] = MEMBER (gint64) == NS_TIME_OPEN;
          is_known[i] = TRUE;
        }
      break;
    case NS_FIELD_QUICK_PORT:
      read_ports (self, rows, n_rows, is_known, numbers);
      break;
    case NS_FIELD_QUICK_PHASE:
      for (i = 0; i < n_rows; i++)
        {
          numbers[i] = ns_activity_row_get_phase (&MEMBER (NsActivityRow), (guint) self->unknown);
          is_known[i] = numbers[i] != NS_UNKNOWN;
        }
      break;
    case NS_FIELD_QUICK_STRING:
    case NS_FIELD_QUICK_NAME:
    case NS_FIELD_QUICK_LAYER:
    case NS_FIELD_QUICK_UNKNOWN:
    case NS_FIELD_QUICK_NONE:
    default:
      g_return_if_reached ();
    }
#undef READ
#undef MEMBER
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
  guint64 large;
  guint8 is_known;
  gint64 number;

  if (self->kind == NS_FIELD_QUICK_UNKNOWN || self->kind == NS_FIELD_QUICK_NONE)
    return;
  if (self->kind == NS_FIELD_QUICK_U64)
    {
      large = *(const guint64 *) (gconstpointer) (self->first + row * self->row_bytes);
      if (!self->has_unknown || large != self->unknown)
        ns_text_append_unsigned (text, large);
      return;
    }
  ns_field_quick_read_numbers (self, &row, 1, &is_known, &number);
  if (!is_known)
    return;
  if (self->kind != NS_FIELD_QUICK_BOOL && self->kind != NS_FIELD_QUICK_STILL_OPEN)
    ns_field_append_signed (text, number);
  else if (number != 0)
    ns_text_append (text, "true", 4);
  else
    ns_text_append (text, "false", 5);
}
