/* Building blocks of sentences.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "query/ns-field-text.h"
#include "query/ns-sentence-parts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static gboolean
get_value (const NsSentence *self, const char *id, NsFieldValue *value, const NsField **field)
{
  *field = ns_table_find_field (self->table, id);
  if (*field == NULL)
    return FALSE;
  ns_field_get (self->trace, *field, self->row, value);
  if (!value->is_null)
    return TRUE;
  ns_field_value_clear (value);
  return FALSE;
}

/**
 * ns_sentence_dup: (skip)
 * @self: a sentence
 * @id: a field
 *
 * Returns: (transfer full) (nullable): its value as shown in a cell; %NULL if unknown or empty
 */
char *
ns_sentence_dup (const NsSentence *self, const char *id)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const NsField *field;
  NsFieldValue value;

  if (!get_value (self, id, &value, &field))
    return NULL;
  ns_field_append_human (field, &value, text);
  ns_field_value_clear (&value);
  return text->len == 0 ? NULL : g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * ns_sentence_get_number: (skip)
 * @self: a sentence
 * @id: a numeric field
 * @number: (out): its value
 *
 * Returns: %TRUE if it is known
 */
gboolean
ns_sentence_get_number (const NsSentence *self, const char *id, gint64 *number)
{
  const NsField *field;
  NsFieldValue value;

  *number = 0;
  if (!get_value (self, id, &value, &field))
    return FALSE;
  *number = value.v.i;
  ns_field_value_clear (&value);
  return TRUE;
}

/**
 * ns_sentence_is_true: (skip)
 * @self: a sentence
 * @id: a boolean field
 *
 * Returns: %TRUE if it is known and true
 */
gboolean
ns_sentence_is_true (const NsSentence *self, const char *id)
{
  gint64 number;

  return ns_sentence_get_number (self, id, &number) && number != 0;
}

/* (transfer full): @number, which has a point, with the decimal mark of cells. */
static char *
set_point_mark (const char *number)
{
  g_auto (GStrv) parts = g_strsplit (number, ".", 2);

  return g_strjoinv (ns_field_get_point_mark (), parts);
}

/**
 * ns_sentence_dup_moment: (skip)
 * @self: a sentence
 * @id: a time field
 *
 * Returns: (transfer full) (nullable): the time in seconds, to the millisecond
 */
char *
ns_sentence_dup_moment (NsSentence *self, const char *id)
{
  g_autofree char *plain = NULL;
  g_autofree char *seconds = NULL;
  gint64 time_ns;

  if (!ns_sentence_get_number (self, id, &time_ns))
    return NULL;
  plain = ns_time_seconds_to_text (time_ns, 3);
  seconds = set_point_mark (plain);
  /* Translators: a time, in seconds since the start of the trace */
  return ns_sentence_mark (self, g_strdup_printf (_ ("%s s"), seconds), NS_SENTENCE_STRONG);
}

/* Formats three significant digits with a suitable unit; a lower bound is rounded down. */
static char *
span_to_text (gint64 span_ns, gboolean is_lower_bound)
{
  static const struct
  {
    gint64 unit_ns;
    const char *name;
  } units[] = { { NS_PER_SECOND, "s" }, { 1000000, "ms" }, { 1000, "µs" }, { 1, "ns" } };
  guint64 thousandths;
  guint64 step = 10; /* thousandths per unit of the last digit */
  guint i = 0;

  span_ns = MAX (span_ns, 0);
  while (span_ns < units[i].unit_ns && i + 1 < G_N_ELEMENTS (units))
    i++;
  if (units[i].unit_ns == 1)
    return g_strdup_printf ("%d ns", (int) span_ns);
  thousandths = (guint64) (span_ns / (units[i].unit_ns / 1000));
  /* Round before choosing the number of digits: 9.996 becomes 10.0, and 999.6 of one unit becomes
   * 1.00 of the next. */
  while (step < 1000 && thousandths + (is_lower_bound ? 0 : step / 2) >= 1000 * step)
    step *= 10;
  thousandths = (thousandths + (is_lower_bound ? 0 : step / 2)) / step * step;
  if (thousandths >= 1000000 && i > 0)
    return g_strdup_printf ("1%s00 %s", ns_field_get_point_mark (), units[i - 1].name);
  if (step == 1000)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " %s", thousandths / 1000, units[i].name);
  return g_strdup_printf ("%u%s%0*u %s",
                          (guint) (thousandths / 1000),
                          ns_field_get_point_mark (),
                          step == 100 ? 1 : 2,
                          (guint) (thousandths % 1000 / step),
                          units[i].name);
}

/**
 * ns_sentence_span_to_text: (skip)
 * @span_ns: a duration
 *
 * Returns: (transfer full): the duration, rounded to three significant digits, with a suitable unit
 */
char *
ns_sentence_span_to_text (gint64 span_ns)
{
  return span_to_text (span_ns, FALSE);
}

/**
 * ns_sentence_dup_span: (skip)
 * @self: a sentence
 * @id: a duration field
 *
 * Returns: (transfer full) (nullable): the duration with its unit; with "at least" if it has no
 *   recorded end
 */
char *
ns_sentence_dup_span (NsSentence *self, const char *id)
{
  g_autofree char *span = NULL;
  const NsField *field;
  NsFieldValue value;
  gboolean is_lower_bound;

  if (!get_value (self, id, &value, &field))
    return NULL;
  is_lower_bound = value.is_lower_bound;
  span = span_to_text (value.v.i, is_lower_bound);
  ns_field_value_clear (&value);
  /* Translators: a span of time whose end was not seen */
  return ns_sentence_mark (self,
                           is_lower_bound ? g_strdup_printf (_ ("at least %s"), span)
                                          : g_steal_pointer (&span),
                           NS_SENTENCE_STRONG);
}

/**
 * ns_sentence_add_end: (skip)
 * @self: a sentence
 * @span: duration of the row, from ns_sentence_dup_span()
 *
 * Describes the end of the row, unless it is a single moment, such as one datagram.
 */
void
ns_sentence_add_end (NsSentence *self, const char *span)
{
  gint64 duration_ns;

  if (ns_sentence_get_number (self, "duration_ns", &duration_ns) && duration_ns == 0)
    return;
  ns_sentence_add (self, _ ("ended after %s"), span);
}

/**
 * ns_sentence_dup_bytes: (skip)
 * @self: a sentence
 * @id: a byte count field
 *
 * Returns: (transfer full): the size with its unit, "0 B" if unknown
 */
char *
ns_sentence_dup_bytes (const NsSentence *self, const char *id)
{
  GString *text = g_string_new (NULL);
  gint64 bytes;

  ns_sentence_get_number (self, id, &bytes);
  ns_field_append_grouped (text, (guint64) bytes);
  g_string_append (text, " B");
  return g_string_free (text, FALSE);
}

/* Formats `OUTLOOK.EXE (4312)`, with the name emphasized. */
static char *
mark_name (NsSentence *self, const char *process)
{
  const char *number = g_strrstr (process, " (");
  g_autofree char *name = NULL;

  if (number == NULL)
    number = process + strlen (process);
  name =
      ns_sentence_mark (self, g_strndup (process, (gsize) (number - process)), NS_SENTENCE_STRONG);
  return g_strconcat (name, number, NULL);
}

/**
 * ns_sentence_dup_subject: (skip)
 * @self: a sentence
 *
 * Returns: (transfer full): the process, with its ID
 */
char *
ns_sentence_dup_subject (NsSentence *self)
{
  g_autofree char *process = ns_sentence_dup (self, "process_pid");
  g_autofree char *name = process == NULL ? ns_sentence_dup (self, "process") : NULL;
  gboolean has_pid;
  gint64 pid;

  if (process != NULL && *process != '(')
    return mark_name (self, process);
  has_pid = ns_sentence_get_number (self, "pid", &pid);
  /* Some tables have name and ID in separate columns. */
  if (name != NULL && has_pid)
    {
      g_autofree char *both = g_strdup_printf ("%s (%u)", name, (guint) pid);

      return mark_name (self, both);
    }
  if (has_pid)
    return g_strdup_printf (_ ("Process %u"), (guint) pid);
  return g_strdup (_ ("A process"));
}

/**
 * ns_sentence_dup_peer: (skip)
 * @self: a sentence
 *
 * Returns: (transfer full): the server by its best known name
 */
char *
ns_sentence_dup_peer (const NsSentence *self)
{
  char *peer = ns_sentence_dup (self, "server");

  if (peer == NULL)
    peer = ns_sentence_dup (self, "ip_port");
  if (peer == NULL)
    peer = ns_sentence_dup (self, "ip");
  return peer != NULL ? peer : g_strdup (_ ("an unknown server"));
}

/**
 * ns_sentence_add: (skip)
 * @self: a sentence
 * @format: translated format of a clause
 * @...: arguments of @format
 *
 * Appends a clause.
 */
void
ns_sentence_add (NsSentence *self, const char *format, ...)
{
  va_list arguments;

  if (self->n_clauses++ > 0)
    /* Translators: between the clauses of a sentence */
    g_string_append (self->text, _ (", "));
  va_start (arguments, format);
  g_string_append_vprintf (self->text, format, arguments);
  va_end (arguments);
}

/**
 * ns_sentence_add_close: (skip)
 * @self: a sentence about a row with a duration
 *
 * Adds the duration, or that the row was still open.
 */
void
ns_sentence_add_close (NsSentence *self)
{
  g_autofree char *span = ns_sentence_dup_span (self, "duration_ns");

  if (span == NULL)
    return;
  if (ns_sentence_is_true (self, "still_open"))
    ns_sentence_add (self, _ ("was still open when the trace ended, after %s"), span);
  else
    ns_sentence_add_end (self, span);
}

/**
 * ns_sentence_dup_when: (skip)
 * @self: a sentence
 * @id: field with a moment
 *
 * Returns: (transfer full): “at 1.204 s”, or that the moment is unknown
 */
char *
ns_sentence_dup_when (NsSentence *self, const char *id)
{
  g_autofree char *moment = ns_sentence_dup_moment (self, id);

  if (moment == NULL)
    return g_strdup (_ ("at an unknown time"));
  /* Translators: a time */
  return g_strdup_printf (_ ("at %s"), moment);
}

/**
 * ns_brief_join: (skip)
 * @separator: text between the two
 * @first: (transfer full) (nullable): a text; %NULL: left out
 * @second: (transfer full) (nullable): likewise
 *
 * Returns: (transfer full) (nullable): both texts; %NULL if there is none
 */
char *
ns_brief_join (const char *separator, char *first, char *second)
{
  g_autofree char *left = first;
  g_autofree char *right = second;

  if (left == NULL || right == NULL)
    return left == NULL ? g_steal_pointer (&right) : g_steal_pointer (&left);
  return g_strconcat (left, separator, right, NULL);
}

/**
 * ns_brief_dup_path: (skip)
 * @self: a sentence about a row with a URL
 *
 * The server is left out, as the row already shows it.
 *
 * Returns: (transfer full) (nullable): the path of the URL; the URL, if it has none
 */
char *
ns_brief_dup_path (const NsSentence *self)
{
  g_autofree char *url = ns_sentence_dup (self, "url");
  const char *path = url != NULL ? strstr (url, "://") : NULL;

  path = path != NULL ? strchr (path + strlen ("://"), '/') : NULL;
  return path != NULL ? g_strdup (path) : g_steal_pointer (&url);
}
