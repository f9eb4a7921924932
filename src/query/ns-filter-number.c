/* Parses numbers with units in filters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-filter-number.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define MAX_NUMBER_BYTES 64

typedef struct
{
  const char *name;
  double factor;
} Unit;

static const Unit time_units[] = {
  { "ns", 1 },  { "us", 1e3 }, { "\xc2\xb5s", 1e3 }, { "\xce\xbcs", 1e3 }, { "ms", 1e6 },
  { "s", 1e9 }, { "m", 60e9 }, { "min", 60e9 },      { "h", 3600e9 },
};

static const Unit size_units[] = {
  { "B", 1 },        { "k", 1e3 },          { "kB", 1e3 },        { "M", 1e6 },
  { "MB", 1e6 },     { "G", 1e9 },          { "GB", 1e9 },        { "T", 1e12 },
  { "TB", 1e12 },    { "KiB", 1024 },       { "Ki", 1024 },       { "MiB", 1048576 },
  { "Mi", 1048576 }, { "GiB", 1073741824 }, { "Gi", 1073741824 }, { "TiB", 1099511627776 },
};

/* Finds a unit by name. Only "m" is case-sensitive: a minute for times, and not a unit for
 * sizes. */
static const Unit *
find_unit (const Unit *units, guint n_units, const char *name, gboolean any_case)
{
  guint i;

  for (i = 0; i < n_units; i++)
    if (any_case ? g_ascii_strcasecmp (units[i].name, name) == 0
                 : strcmp (units[i].name, name) == 0)
      return &units[i];
  return NULL;
}

/**
 * ns_filter_number_is_signed: (skip)
 * @type: type of a field
 *
 * Returns: %TRUE if its numbers may be negative
 */
gboolean
ns_filter_number_is_signed (NsFieldType type)
{
  return type == NS_TYPE_INT || type == NS_TYPE_TIME || type == NS_TYPE_DURATION;
}

static gboolean
fail (GError **error, const char *message, const char *text)
{
  g_set_error (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY, "“%s”: %s", text, message);
  return FALSE;
}

/* Finds the factor of the unit after a number. */
static gboolean
find_factor (const NsField *field,
             const char *name,
             const char *letters,
             double *factor,
             GError **error)
{
  gboolean is_time = field->type == NS_TYPE_TIME || field->type == NS_TYPE_DURATION;
  const Unit *unit = NULL;

  *factor = 1;
  if (*letters == '\0')
    {
      /* Without a unit, a name with _ns means nanoseconds, and its short form the unit of the
       * column. */
      if (is_time && !g_str_has_suffix (name, "_ns"))
        {
          if (field->type == NS_TYPE_DURATION)
            return fail (error, _ ("a duration needs a unit: ns, us, ms, s, m or h"), name);
          *factor = 1e9;
        }
      return TRUE;
    }
  if (is_time)
    unit = find_unit (time_units, G_N_ELEMENTS (time_units), letters, FALSE);
  else if (field->type != NS_TYPE_BYTES)
    return fail (error, _ ("the number must not have a unit"), letters);
  else
    unit = find_unit (size_units, G_N_ELEMENTS (size_units), letters, TRUE);
  if (unit == NULL)
    return is_time ? fail (error, _ ("not a unit of time; use ns, us, ms, s, m or h"), letters)
                   : fail (error, _ ("not a unit of size; use k, M, G, KiB, MiB or GiB"), letters);
  *factor = unit->factor;
  return TRUE;
}

static gboolean
parse_whole (const char *text, guint64 *number, const char **end)
{
  gboolean is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  char *stop;

  if (!g_ascii_isdigit (*text))
    return FALSE;
  *number = g_ascii_strtoull (is_hex ? text + 2 : text, &stop, is_hex ? 16 : 10);
  *end = stop;
  return is_hex ? g_ascii_isxdigit (text[2]) : *stop != '.' && *stop != 'e' && *stop != 'E';
}

/* Multiplies a fraction by its unit, in floating point; whole numbers without a unit are parsed
 * as integers. */
static gboolean
scale (double value, gboolean is_signed, guint64 *number)
{
  value = rint (value);
  if (is_signed)
    *number = ns_filter_number_from_signed (value > 9.2e18    ? G_MAXINT64
                                            : value < -9.2e18 ? G_MININT64
                                                              : (gint64) value);
  else
    *number = value >= 1.8e19 ? G_MAXUINT64 : (guint64) value;
  return TRUE;
}

/**
 * ns_filter_number_parse: (skip)
 * @field: the field it is compared with
 * @name: name of the field in the filter
 * @text: the number, with its unit
 * @n_bytes: length of @text
 * @number: (out): a number in the order of the field's values
 * @error: %NS_TRACE_ERROR_QUERY
 *
 * Returns: %TRUE if it is valid
 */
gboolean
ns_filter_number_parse (const NsField *field,
                        const char *name,
                        const char *text,
                        gsize n_bytes,
                        guint64 *number,
                        GError **error)
{
  gboolean is_signed = ns_filter_number_is_signed (field->type);
  g_autofree char *copy = g_strndup (text, MIN (n_bytes, MAX_NUMBER_BYTES));
  const char *begin = copy;
  const char *end = copy;
  gsize n_sign = *begin == '-' ? 1 : g_str_has_prefix (begin, NS_MINUS) ? strlen (NS_MINUS) : 0;
  gboolean is_negative = n_sign > 0;
  double factor;
  double value;
  guint64 whole;

  if (is_negative && !is_signed)
    return fail (error, _ ("it cannot be negative"), copy);
  begin += n_sign;
  if (parse_whole (begin, &whole, &end) && *end == '\0' &&
      find_factor (field, name, end, &factor, NULL) && factor == 1 && whole <= G_MAXINT64)
    {
      gint64 exact = is_negative ? -(gint64) whole : (gint64) whole;

      *number = is_signed ? ns_filter_number_from_signed (exact) : whole;
      return TRUE;
    }
  if (!is_signed && parse_whole (begin, &whole, &end) && *end == '\0')
    {
      *number = whole;
      return TRUE;
    }
  value = g_ascii_strtod (begin, (char **) &end);
  if (end == begin || !isfinite (value) || !(g_ascii_isdigit (*begin) || *begin == '.'))
    return fail (error, _ ("not a number"), copy);
  if (!find_factor (field, name, end, &factor, error))
    return FALSE;
  return scale ((is_negative ? -value : value) * factor, is_signed, number);
}
