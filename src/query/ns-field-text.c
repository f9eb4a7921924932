/* Formats values of fields as text: raw for exports, as JSON, and for cells. Only words and the
 * two number marks in cells and sentences depend on the locale.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json.h"
#include "base/ns-text.h"
#include "engine/system/ns-sched.h"
#include "query/ns-field-text.h"
#include "query/ns-fields.h"

#include <glib/gi18n-lib.h>
#include <langinfo.h>
#include <string.h>

/* U+2009: groups the digits after the point (`12.104 377`). */
#define THIN_SPACE "\xe2\x80\x89"
#define AT_LEAST "\xe2\x89\xa5 "

/* Returns a mark of the locale, or @standard if the locale has none or no UTF-8. */
static const char *
get_mark (nl_item item, const char *standard)
{
  const char *mark = nl_langinfo (item);

  return *mark != '\0' && g_utf8_validate (mark, -1, NULL) ? mark : standard;
}

/**
 * ns_field_get_point_mark: (skip)
 *
 * Numbers for users have the marks of the locale (LC_NUMERIC), which the command line leaves at
 * "C".
 *
 * Returns: the decimal mark of the locale
 */
const char *
ns_field_get_point_mark (void)
{
  return get_mark (RADIXCHAR, ".");
}

/**
 * ns_field_append_signed: (skip)
 * @text: (inout): appended to
 * @number: a number
 *
 * Appends the number in decimal.
 */
void
ns_field_append_signed (GString *text, gint64 number)
{
  if (number < 0)
    g_string_append_c (text, '-');
  ns_text_append_unsigned (text, number < 0 ? -(guint64) number : (guint64) number);
}

static void
append_hex (GString *text, guint64 number)
{
  char digits[24];
  char *digit = digits + sizeof digits;

  do
    {
      *--digit = "0123456789abcdef"[number & 0xf];
      number >>= 4;
    }
  while (number != 0);
  *--digit = 'x';
  *--digit = '0';
  ns_text_append (text, digit, (gsize) (digits + sizeof digits - digit));
}

/**
 * ns_field_append_grouped: (skip)
 * @text: (inout): appended to
 * @number: a count
 *
 * Appends a count with thousands separators.
 */
void
ns_field_append_grouped (GString *text, guint64 number)
{
  const char *group_mark = get_mark (THOUSEP, ",");
  gsize begin = text->len;
  gsize n_digits;
  gsize i;

  ns_text_append_unsigned (text, number);
  n_digits = text->len - begin;
  for (i = 3; i < n_digits; i += 3)
    g_string_insert (text, (gssize) (begin + n_digits - i), group_mark);
}

static guint64
magnitude (gint64 number)
{
  return number < 0 ? -(guint64) number : (guint64) number;
}

/**
 * ns_field_append_seconds: (skip)
 * @text: (inout): appended to
 * @time_ns: a time
 *
 * Appends seconds with six decimals, grouped by a thin space.
 */
void
ns_field_append_seconds (GString *text, gint64 time_ns)
{
  guint64 value = magnitude (time_ns) / 1000;

  g_string_append_printf (text,
                          "%s%" G_GUINT64_FORMAT "%s%03u" THIN_SPACE "%03u",
                          time_ns < 0 ? NS_MINUS : "",
                          value / 1000000,
                          ns_field_get_point_mark (),
                          (guint) (value / 1000 % 1000),
                          (guint) (value % 1000));
}

/* Appends the seventh decimal, the resolution of Windows' event times: it shows the order of
 * records. */
static void
append_seventh (GString *text, gint64 time_ns)
{
  g_string_append_printf (text, THIN_SPACE "%u", (guint) (magnitude (time_ns) / 100 % 10));
}

/**
 * ns_field_append_milliseconds: (skip)
 * @text: (inout): appended to
 * @span_ns: a duration
 *
 * Appends milliseconds, rounded to three decimals, with thousands separators.
 */
void
ns_field_append_milliseconds (GString *text, gint64 span_ns)
{
  guint64 value = magnitude (span_ns) / 1000 + (magnitude (span_ns) % 1000 >= 500);

  if (span_ns < 0)
    g_string_append (text, NS_MINUS);
  ns_field_append_grouped (text, value / 1000);
  g_string_append_printf (text, "%s%03u", ns_field_get_point_mark (), (guint) (value % 1000));
}

static void
append_list (GString *text, const GPtrArray *list, const char *separator)
{
  guint i;

  for (i = 0; i < list->len; i++)
    {
      if (i > 0)
        g_string_append (text, separator);
      g_string_append (text, g_ptr_array_index (list, i));
    }
}

/**
 * ns_field_append_raw:
 * @field: a field
 * @value: its value
 * @text: (inout): appended to
 *
 * Appends the value as exports write it: no unit, no grouping; for an unknown value nothing, or the
 * word with the reason.
 */
void
ns_field_append_raw (const NsField *field, const NsFieldValue *value, GString *text)
{
  char buffer[NS_IP_TEXT_SIZE];

  if (value->is_null)
    {
      if (value->instead != NULL)
        g_string_append (text, value->instead);
      return;
    }
  switch (value->type)
    {
    case NS_TYPE_UINT:
    case NS_TYPE_COUNT:
    case NS_TYPE_BYTES:
    case NS_TYPE_PORT:
    case NS_TYPE_ROW:
      ns_text_append_unsigned (text, value->v.u);
      break;
    case NS_TYPE_INT:
    case NS_TYPE_TIME:
    case NS_TYPE_DURATION:
      ns_field_append_signed (text, value->v.i);
      break;
    case NS_TYPE_HEX:
      append_hex (text, value->v.u);
      break;
    case NS_TYPE_BOOL:
      if (value->v.u)
        ns_text_append (text, "true", 4);
      else
        ns_text_append (text, "false", 5);
      break;
    case NS_TYPE_IP:
      ns_ip_to_text (&value->v.ip, buffer);
      ns_text_append (text, buffer, strlen (buffer));
      break;
    case NS_TYPE_LIST:
      append_list (text, value->list, ";");
      break;
    case NS_TYPE_TEXT:
    case NS_TYPE_GUID:
    case NS_TYPE_OBJECT:
    default:
      ns_text_append (text, value->v.text, strlen (value->v.text));
      break;
    }
}

/**
 * ns_field_dup_raw:
 * @trace: a trace
 * @field: a field
 * @row: row of its table, 0-based
 *
 * Returns: (transfer full) (nullable): the value as ns_field_append_raw() formats it; %NULL if
 *   unknown
 */
char *
ns_field_dup_raw (const NsTrace *trace, const NsField *field, guint32 row)
{
  g_autoptr (GString) text = g_string_new (NULL);
  NsFieldValue value;
  gboolean is_known;

  ns_field_get (trace, field, row, &value);
  is_known = !value.is_null;
  if (is_known)
    ns_field_append_raw (field, &value, text);
  ns_field_value_clear (&value);
  return is_known ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* Formats `{"queue_ns":300000,"tls_ns":null}` as “queue 0.300 ms”; unknown phases are left out. */
static void
append_phases (GString *text, const char *json)
{
  const char *separator = "";
  const char *at = json;

  while ((at = strchr (at, '"')) != NULL)
    {
      const char *name = at + 1;
      const char *end = strstr (name, "_ns\":");

      if (end == NULL)
        return;
      at = end + strlen ("_ns\":");
      if (!g_ascii_isdigit (*at))
        continue;
      g_string_append_printf (text, "%s%.*s ", separator, (int) (end - name), name);
      ns_field_append_milliseconds (text, g_ascii_strtoll (at, NULL, 10));
      g_string_append (text, " ms");
      separator = ", ";
    }
}

/* Appends the number, which filters and scripts use, and its meaning. */
static void
append_confidence (GString *text, guint64 confidence)
{
  static const char *const words[] = {
    [NS_CONFIDENCE_NAME] = N_ ("by name only"),
    [NS_CONFIDENCE_INFERRED] = N_ ("inferred"),
    [NS_CONFIDENCE_LIKELY] = N_ ("likely"),
    [NS_CONFIDENCE_CERTAIN] = N_ ("certain"),
  };

  ns_text_append_unsigned (text, confidence);
  if (confidence < G_N_ELEMENTS (words))
    g_string_append_printf (text, " · %s", _ (words[confidence]));
}

/**
 * ns_method_to_text:
 * @method: (nullable): the method of a row
 *
 * Rejects names that describe how a connection was found: they are not methods, but other tools and
 * machine-readable exports list them as such.
 *
 * Returns: the method shown to users, empty if there is none
 */
const char *
ns_method_to_text (const char *method)
{
  return method != NULL && strcmp (method, NS_METHOD_RUNDOWN) != 0 ? method : "";
}

static gboolean
is_no_method (const NsField *field, const char *text)
{
  return strcmp (field->id, "method") == 0 && *ns_method_to_text (text) == '\0';
}

static void
append_grouped_signed (GString *text, gint64 number)
{
  if (number < 0)
    g_string_append (text, NS_MINUS);
  ns_field_append_grouped (text, magnitude (number));
}

/* Appends the parameters; the length at their end is grouped as in its own column. */
static void
append_params (GString *text, const char *params)
{
  gsize end = strlen (params);
  gsize begin;

  if (!g_str_has_suffix (params, " B"))
    {
      g_string_append (text, params);
      return;
    }
  end -= strlen (" B");
  for (begin = end; begin > 0 && g_ascii_isdigit (params[begin - 1]); begin--)
    ;
  g_string_append_len (text, params, (gssize) begin);
  if (begin < end)
    ns_field_append_grouped (text, g_ascii_strtoull (params + begin, NULL, 10));
  g_string_append (text, " B");
}

/**
 * ns_field_append_human:
 * @field: a field
 * @value: its value
 * @text: (inout): appended to
 *
 * Appends the value as shown in a cell; the unit is in the title.
 */
void
ns_field_append_human (const NsField *field, const NsFieldValue *value, GString *text)
{
  if (value->is_null)
    {
      ns_field_append_raw (field, value, text);
      return;
    }
  if (value->is_lower_bound)
    g_string_append (text, AT_LEAST);
  switch (value->type)
    {
    case NS_TYPE_COUNT:
    case NS_TYPE_BYTES:
      ns_field_append_grouped (text, value->v.u);
      break;
    case NS_TYPE_TIME:
      ns_field_append_seconds (text, value->v.i);
      if (strcmp (field->id, "time_ns") == 0)
        append_seventh (text, value->v.i);
      break;
    case NS_TYPE_DURATION:
      /* Round a lower bound down. */
      ns_field_append_milliseconds (text,
                                    value->is_lower_bound ? value->v.i - value->v.i % 1000
                                                          : value->v.i);
      break;
    case NS_TYPE_LIST:
      append_list (text, value->list, ", ");
      break;
    case NS_TYPE_BOOL:
      if (value->v.u)
        g_string_append (text, "\xe2\x9c\x93");
      break;
    case NS_TYPE_TEXT:
      /* The raw value is a word of the command line that users would not understand. */
      if (strcmp (field->id, "schema") == 0 && strcmp (value->v.text, "none") == 0)
        g_string_append (text, _ ("no schema"));
      else if (strcmp (field->id, "params") == 0)
        append_params (text, value->v.text);
      else if (!is_no_method (field, value->v.text))
        ns_field_append_raw (field, value, text);
      break;
    case NS_TYPE_UINT:
      if (strcmp (field->id, "confidence") == 0)
        append_confidence (text, value->v.u);
      else
        ns_field_append_raw (field, value, text);
      break;
    case NS_TYPE_OBJECT:
      if (strcmp (field->id, "phases") == 0)
        append_phases (text, value->v.text);
      else
        ns_field_append_raw (field, value, text);
      break;
    case NS_TYPE_INT:
      append_grouped_signed (text, value->v.i);
      break;
    case NS_TYPE_HEX:
    case NS_TYPE_IP:
    case NS_TYPE_PORT:
    case NS_TYPE_GUID:
    case NS_TYPE_ROW:
    default:
      ns_field_append_raw (field, value, text);
      break;
    }
}

/**
 * ns_field_append_json:
 * @field: a field
 * @value: its value
 * @text: (inout): appended to
 *
 * Appends the value as JSON: `null` if it is unknown.
 */
void
ns_field_append_json (const NsField *field, const NsFieldValue *value, GString *text)
{
  char buffer[NS_IP_TEXT_SIZE];
  guint i;

  if (value->is_null)
    {
      g_string_append (text, "null");
      return;
    }
  switch (value->type)
    {
    case NS_TYPE_TEXT:
    case NS_TYPE_GUID:
      ns_json_append_string (text, value->v.text);
      break;
    case NS_TYPE_IP:
      ns_json_append_string (text, ns_ip_to_text (&value->v.ip, buffer));
      break;
    case NS_TYPE_HEX:
      g_string_append_c (text, '"');
      append_hex (text, value->v.u);
      g_string_append_c (text, '"');
      break;
    case NS_TYPE_LIST:
      g_string_append_c (text, '[');
      for (i = 0; i < value->list->len; i++)
        {
          if (i > 0)
            g_string_append_c (text, ',');
          if (field->of_numbers)
            g_string_append (text, g_ptr_array_index (value->list, i));
          else
            ns_json_append_string (text, g_ptr_array_index (value->list, i));
        }
      g_string_append_c (text, ']');
      break;
    case NS_TYPE_UINT:
    case NS_TYPE_COUNT:
    case NS_TYPE_INT:
    case NS_TYPE_BYTES:
    case NS_TYPE_TIME:
    case NS_TYPE_DURATION:
    case NS_TYPE_BOOL:
    case NS_TYPE_PORT:
    case NS_TYPE_ROW:
    case NS_TYPE_OBJECT:
    default:
      ns_field_append_raw (field, value, text);
      break;
    }
}

static int
compare_texts (const char *a, const char *b)
{
  int result = g_ascii_strcasecmp (a, b);

  return result != 0 ? result : strcmp (a, b);
}

static int
compare_lists (const GPtrArray *a, const GPtrArray *b)
{
  guint i;

  for (i = 0; i < a->len && i < b->len; i++)
    {
      int result = compare_texts (g_ptr_array_index (a, i), g_ptr_array_index (b, i));

      if (result != 0)
        return result;
    }
  return (a->len > b->len) - (a->len < b->len);
}

/**
 * ns_field_value_compare:
 * @a: a value
 * @b: another of the same field
 *
 * Unknown values come last; texts are compared case-insensitively (ASCII) first.
 *
 * Returns: less than, equal to or greater than 0
 */
int
ns_field_value_compare (const NsFieldValue *a, const NsFieldValue *b)
{
  if (a->is_null || b->is_null)
    return (a->is_null != 0) - (b->is_null != 0);
  /* Some fields with pointers have texts in rows of other layers. */
  if (a->type != b->type)
    return a->type == NS_TYPE_TEXT ? 1 : -1;
  switch (a->type)
    {
    case NS_TYPE_INT:
    case NS_TYPE_TIME:
    case NS_TYPE_DURATION:
      return (a->v.i > b->v.i) - (a->v.i < b->v.i);
    case NS_TYPE_IP:
      if (a->v.ip.family != b->v.ip.family)
        return a->v.ip.family < b->v.ip.family ? -1 : 1;
      return memcmp (a->v.ip.bytes, b->v.ip.bytes, sizeof a->v.ip.bytes);
    case NS_TYPE_LIST:
      return compare_lists (a->list, b->list);
    case NS_TYPE_TEXT:
    case NS_TYPE_GUID:
    case NS_TYPE_OBJECT:
      return compare_texts (a->v.text, b->v.text);
    case NS_TYPE_UINT:
    case NS_TYPE_COUNT:
    case NS_TYPE_BYTES:
    case NS_TYPE_HEX:
    case NS_TYPE_BOOL:
    case NS_TYPE_PORT:
    case NS_TYPE_ROW:
    default:
      return (a->v.u > b->v.u) - (a->v.u < b->v.u);
    }
}

/**
 * ns_field_get_unknown:
 * @trace: a trace
 * @field: a field of one of its tables
 *
 * Some fields need events that few recordings have; an empty column would suggest that nothing
 * happened.
 *
 * Returns: (nullable): the text to show in place of an unknown value, marked for translation;
 *   %NULL: none
 */
const char *
ns_field_get_unknown (const NsTrace *trace, const NsField *field)
{
  static const char *const states[] = { "thread_running_ns",
                                        "thread_ready_ns",
                                        "thread_waiting_ns",
                                        "readied_by",
                                        NULL };
  gboolean is_traced = TRUE;

  if (strcmp (field->id, "cpu_percent") == 0)
    is_traced = ns_sched_has_samples (trace);
  else if (g_strv_contains (states, field->id))
    is_traced = ns_sched_has_states (trace);
  return is_traced ? NULL : N_ ("not traced");
}
