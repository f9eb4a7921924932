/* Getters for the results of TLS handshakes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-tls.h"

#include "query/ns-field-code.h"

static gboolean
get_facts (const NsTrace *trace, guint row, const NsField *field, NsTlsFacts *facts)
{
  return ns_tls_get_facts (trace, field->extra >> (2 * NS_FIELD_OFFSET_BITS), row + 1, facts);
}

static void
set_string (const NsTrace *trace, NsString text, NsFieldValue *value)
{
  ns_field_set_chars (value, text != NS_STRING_NONE ? ns_trace_text (trace, text) : NULL);
}

void
ns_get_tls_text (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  guint offset = field->extra >> NS_FIELD_OFFSET_BITS & NS_FIELD_OFFSET_MASK;
  NsTlsFacts facts;
  gboolean is_known = get_facts (trace, row, field, &facts);

  set_string (trace,
              is_known ? *(const NsString *) (gconstpointer) ((const char *) &facts + offset)
                       : NS_STRING_NONE,
              value);
}

void
ns_get_tls_resumed (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsTlsFacts facts;

  get_facts (trace, row, field, &facts);
  value->is_null = facts.resumed < 0;
  value->v.u = facts.resumed > 0;
}

void
ns_get_tls_alert_from (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsTlsFacts facts;

  get_facts (trace, row, field, &facts);
  if (facts.alert_from == NS_TLS_FROM_NOBODY)
    ns_field_set_chars (value, NULL);
  else
    ns_field_set_chars (value, facts.alert_from == NS_TLS_FROM_SERVER ? "server" : "client");
}

void
ns_get_tls_error (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsTlsFacts facts;

  get_facts (trace, row, field, &facts);
  if (facts.error_family != NS_CODE_NONE)
    ns_field_take_text (value, ns_field_code_to_text (facts.error_family, facts.error));
  else
    set_string (trace, facts.error_text, value);
}

void
ns_get_tls_source (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsTlsFacts facts;
  guint i;

  get_facts (trace, row, field, &facts);
  value->list = g_ptr_array_new ();
  for (i = 0; i < NS_N_TLS_SOURCES; i++)
    if ((facts.sources & 1 << i) != 0)
      g_ptr_array_add (value->list, (gpointer) ns_tls_source_to_text (i));
}

void
ns_get_tls_cert (const NsTrace *trace, guint row, const NsField *field, NsFieldValue *value)
{
  NsTlsFacts facts;

  get_facts (trace, row, field, &facts);
  value->is_null = facts.cert_ns == NS_UNKNOWN;
  value->v.i = value->is_null ? 0 : facts.cert_ns;
}
