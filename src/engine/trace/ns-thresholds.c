/* Thresholds of the rules of findings: a table read from a file, which the user may override line
 * by line. The default file, data/thresholds, is compiled in and parsed for each object.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-thresholds.h"

#include "base/ns-error.h"
#include "base/ns-nearest.h"
#include "base/ns-plain.h"
#include "base/ns-small-file.h"
#include "base/ns-time.h"
#include "engine/ns-thresholds-shipped.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_FILE (1 << 20)
/* Maximum number of malformed lines listed in an error message. */
#define MAX_REPORTED 10
#define MAX_KEY 40
#define MAX_NUMBER 15
#define MS (NS_PER_SECOND / 1000)
#define HOUR (3600 * NS_PER_SECOND)

typedef enum
{
  TIME,     /* in nanoseconds */
  COUNT,    /* counts and factors */
  BYTES,    /* a size */
  PERCENT,  /* whole percent */
  PERMILLE, /* per mille, written as percent with one decimal */
} Kind;

typedef struct
{
  const char *key;
  Kind kind;
  gint64 least;
  gint64 most;
  const char *words; /* description for users */
} Entry;

/* clang-format off */
static const Entry entries[NS_N_THRESHOLDS] = {
  [NS_THRESHOLD_D01_SLOW] = { "D01.slow", TIME, 1 * MS, 1 * HOUR, N_("slow from {value}") },
  [NS_THRESHOLD_D01_PROBLEM] = { "D01.problem", TIME, 1 * MS, 1 * HOUR, N_("problem from {value}") },
  [NS_THRESHOLD_D02_NEXT] = { "D02.next", TIME, 1 * MS, 1 * HOUR, N_("next server queried at least {value} later") },
  [NS_THRESHOLD_D02_PROBLEM] = { "D02.problem", TIME, 1 * MS, 1 * HOUR, N_("problem from {value}") },
  [NS_THRESHOLD_D02_CLOSED] = { "D02.closed", COUNT, 1, 1000000, N_("problem from {value} closed ports") },
  [NS_THRESHOLD_D04_TOGETHER] = { "D04.together", TIME, 1 * MS, 1 * HOUR, N_("queries within {value}") },
  [NS_THRESHOLD_D04_SUFFIXES] = { "D04.suffixes", COUNT, 1, 1000000, N_("{value} names that do not exist") },
  [NS_THRESHOLD_D04_COST] = { "D04.cost", TIME, 0, 1 * HOUR, N_("or fewer, and a delay of {value}") },
  [NS_THRESHOLD_D04_PROBLEM] = { "D04.problem", TIME, 1 * MS, 1 * HOUR, N_("problem from {value}") },
  [NS_THRESHOLD_D04_FAILING] = { "D04.failing", COUNT, 1, 1000000, N_("or {value} names of one process") },
  [NS_THRESHOLD_D04_FAILING_WITHIN] = { "D04.failing-within", TIME, 1 * MS, 1 * HOUR, N_("those within {value}") },
  [NS_THRESHOLD_D05_DELAY] = { "D05.delay", TIME, 1 * MS, 1 * HOUR, N_("{value} after the first good answer") },
  [NS_THRESHOLD_D05_PROBLEM] = { "D05.problem", TIME, 1 * MS, 1 * HOUR, N_("problem from {value}") },
  [NS_THRESHOLD_D06_TOGETHER] = { "D06.together", TIME, 1 * MS, 1 * HOUR, N_("both types queried within {value}") },
  [NS_THRESHOLD_D06_DELAY] = { "D06.delay", TIME, 1 * MS, 1 * HOUR, N_("one answer {value} later") },
  [NS_THRESHOLD_D06_FACTOR] = { "D06.factor", COUNT, 1, 1000, N_("and {value} times as long") },
  [NS_THRESHOLD_D06_PROBLEM] = { "D06.problem", TIME, 1 * MS, 1 * HOUR, N_("problem from {value}") },
  [NS_THRESHOLD_D07_QUESTIONS] = { "D07.questions", COUNT, 2, 1000000, N_("at least {value} queries") },
  [NS_THRESHOLD_D07_WITHIN] = { "D07.within", TIME, 1 * MS, 1 * HOUR, N_("within {value}") },
  [NS_THRESHOLD_D08_CONNECTS] = { "D08.connects", COUNT, 1, 1000000, N_("at least {value} connects") },
  [NS_THRESHOLD_D08_WITHIN] = { "D08.within", TIME, 1 * MS, 1 * HOUR, N_("within {value}") },
  [NS_THRESHOLD_D09_SILENT] = { "D09.silent", TIME, 1 * MS, 1 * HOUR, N_("if no end was recorded: no reply for {value}") },
  [NS_THRESHOLD_D10_PROBLEM] = { "D10.problem", COUNT, 1, 1000000, N_("problem from {value} connects") },
  [NS_THRESHOLD_D11_PROBLEM] = { "D11.problem", COUNT, 1, 1000000, N_("problem from {value} connects") },
  [NS_THRESHOLD_D16_AFTER] = { "D16.after", TIME, 1 * MS, 1 * HOUR, N_("within {value} after an interface went down") },
  [NS_THRESHOLD_D17_AGAIN] = { "D17.again", COUNT, 1, 1000000000, N_("at least {value} segments") },
  [NS_THRESHOLD_D17_SENT] = { "D17.sent", COUNT, 1, 1000000000, N_("of at least {value}") },
  [NS_THRESHOLD_D17_SHARE] = { "D17.share", PERMILLE, 1, 1000, N_("at least {value} of the sent segments") },
  [NS_THRESHOLD_D17_PROBLEM] = { "D17.problem", PERMILLE, 1, 1000, N_("problem from {value}") },
  [NS_THRESHOLD_D18_CLOSED] = { "D18.closed", TIME, 1 * MS, 1 * HOUR, N_("closed for {value}") },
  [NS_THRESHOLD_D19_SENT] = { "D19.sent", BYTES, 1, 1073741824, N_("of connections that sent {value}") },
  [NS_THRESHOLD_D19_SHARE] = { "D19.share", PERCENT, 1, 100, N_("for {value} of the time") },
  [NS_THRESHOLD_D21_DROPS] = { "D21.drops", COUNT, 1, 1000000000, N_("at least {value} drops; recorded sockets: from the first") },
  [NS_THRESHOLD_D22_BYTES] = { "D22.bytes", BYTES, 2, 1048576, N_("shorter than {value}") },
  [NS_THRESHOLD_D22_GAP] = { "D22.gap", TIME, 0, 1 * HOUR, N_("at most {value} apart") },
  [NS_THRESHOLD_D22_SENDS] = { "D22.sends", COUNT, 2, 1000000, N_("at least {value} sends") },
  [NS_THRESHOLD_D22_SHARE] = { "D22.share", PERCENT, 1, 100, N_("and {value} of all sends") },
  [NS_THRESHOLD_D23_WAITS] = { "D23.waits", COUNT, 1, 1000000, N_("at least {value} waits") },
  [NS_THRESHOLD_D23_ROUND_TRIPS] = { "D23.round-trips", COUNT, 0, 1000, N_("each longer than {value} round trips") },
  [NS_THRESHOLD_D23_SHORT_FROM] = { "D23.short-from", TIME, 1 * MS, 1 * HOUR, N_("and at least {value}") },
  [NS_THRESHOLD_D23_SHORT_TO] = { "D23.short-to", TIME, 1 * MS, 1 * HOUR, N_("up to {value}") },
  [NS_THRESHOLD_D23_LONG_FROM] = { "D23.long-from", TIME, 1 * MS, 1 * HOUR, N_("or at least {value}") },
  [NS_THRESHOLD_D23_LONG_TO] = { "D23.long-to", TIME, 1 * MS, 1 * HOUR, N_("up to {value}") },
  [NS_THRESHOLD_D24_ROUND_TRIPS] = { "D24.round-trips", COUNT, 1, 1000, N_("longer than {value} round trips") },
  [NS_THRESHOLD_D24_MARGIN] = { "D24.margin", TIME, 0, 1 * HOUR, N_("and {value}") },
  [NS_THRESHOLD_D24_PROBLEM] = { "D24.problem", TIME, 1 * MS, 1 * HOUR, N_("problem from {value}") },
  [NS_THRESHOLD_D25_SLOW] = { "D25.slow", TIME, 1 * MS, 1 * HOUR, N_("at least {value}") },
  [NS_THRESHOLD_D25_PROBLEM] = { "D25.problem", TIME, 1 * MS, 1 * HOUR, N_("problem from {value}") },
  [NS_THRESHOLD_D26_EXPIRES] = { "D26.expires", TIME, 0, 8760 * HOUR, N_("a certificate that expires within {value}") },
  [NS_THRESHOLD_D27_SLOW] = { "D27.slow", TIME, 1 * MS, 1 * HOUR, N_("at least {value}") },
  [NS_THRESHOLD_D27_PROBLEM] = { "D27.problem", TIME, 1 * MS, 1 * HOUR, N_("problem from {value}") },
  [NS_THRESHOLD_D28_ANSWERS] = { "D28.answers", COUNT, 1, 1000000, N_("at least {value} responses") },
  [NS_THRESHOLD_D28_SHARE] = { "D28.share", PERCENT, 0, 100, N_("and {value} of the requests") },
  [NS_THRESHOLD_D29_GAP] = { "D29.gap", TIME, 1 * MS, 1 * HOUR, N_("at least {value}") },
  [NS_THRESHOLD_D29_SHARE] = { "D29.share", PERCENT, 1, 100, N_("and {value} of the request") },
  [NS_THRESHOLD_D30_CLIENT_ERRORS] = { "D30.client-errors", COUNT, 1, 1000000, N_("at least {value} 4xx responses; 5xx: from the first") },
  [NS_THRESHOLD_D31_HOPS] = { "D31.hops", COUNT, 1, 1000, N_("at least {value} hops, or a loop") },
  [NS_THRESHOLD_D32_CONNECTIONS] = { "D32.connections", COUNT, 1, 1000000, N_("at least {value} connections") },
  [NS_THRESHOLD_D32_SHARE] = { "D32.share", PERCENT, 0, 100, N_("and {value} of the requests") },
  [NS_THRESHOLD_D33_OPEN] = { "D33.open", COUNT, 1, 1000000, N_("at least {value} open sockets") },
  [NS_THRESHOLD_D33_GROWING] = { "D33.growing", COUNT, 0, 10, N_("increase in at least {value} of ten parts of the trace") },
  [NS_THRESHOLD_D33_UNUSED] = { "D33.unused", COUNT, 1, 1000000, N_("at least {value} unused sockets") },
  [NS_THRESHOLD_D34_WAIT] = { "D34.wait", TIME, 1 * MS, 1 * HOUR, N_("at least {value}") },
  [NS_THRESHOLD_D35_DELAY] = { "D35.delay", TIME, 1 * MS, 1 * HOUR, N_("at least {value}") },
  [NS_THRESHOLD_D35_LONGEST] = { "D35.longest", TIME, 1 * MS, 1 * HOUR, N_("at most {value}") },
  [NS_THRESHOLD_D35_PROBLEM] = { "D35.problem", TIME, 1 * MS, 1 * HOUR, N_("problem from {value}") },
  [NS_THRESHOLD_D36_DELAY] = { "D36.delay", TIME, 1 * MS, 1 * HOUR, N_("at least {value}") },
  [NS_THRESHOLD_D37_WAIT] = { "D37.wait", TIME, 1 * MS, 1 * HOUR, N_("at least {value}") },
  [NS_THRESHOLD_D37_PROBLEM] = { "D37.problem", TIME, 1 * MS, 1 * HOUR, N_("problem from {value}") },
  [NS_THRESHOLD_D38_BLOCKED] = { "D38.blocked", TIME, 1 * MS, 1 * HOUR, N_("at least {value}") },
  [NS_THRESHOLD_D38_PROBLEM] = { "D38.problem", TIME, 1 * MS, 1 * HOUR, N_("problem from {value}") },
  [NS_THRESHOLD_D39_REPEATS] = { "D39.repeats", COUNT, 3, 1000000, N_("at least {value} requests") },
  [NS_THRESHOLD_D39_JITTER] = { "D39.jitter", PERCENT, 1, 100, N_("whose intervals differ by less than {value}") },
  [NS_THRESHOLD_D39_SHORTEST] = { "D39.shortest", TIME, 1 * MS, 1 * HOUR, N_("intervals of at least {value}") },
  [NS_THRESHOLD_D39_LONGEST] = { "D39.longest", TIME, 1 * MS, 1 * HOUR, N_("and at most {value}") },
  [NS_THRESHOLD_D39_FAILURES] = { "D39.failures", COUNT, 2, 1000000, N_("or {value} failures in a row") },
  [NS_THRESHOLD_D40_IDLE] = { "D40.idle", TIME, 10 * NS_PER_SECOND, 24 * HOUR, N_("idle for {value}") },
  [NS_THRESHOLD_D40_AGAIN] = { "D40.again", COUNT, 1, 1000, N_("and {value} segments retransmitted") },
  [NS_THRESHOLD_D41_PORTS] = { "D41.ports", COUNT, 100, 65536, N_("of {value} local ports") },
  [NS_THRESHOLD_D41_SHARE] = { "D41.share", PERCENT, 1, 100, N_("{value} to one endpoint") },
  [NS_THRESHOLD_D41_WITHIN] = { "D41.within", TIME, 1 * MS, 1 * HOUR, N_("within {value}") },
  [NS_THRESHOLD_D42_SLOW] = { "D42.slow", TIME, 1 * MS, 1 * HOUR, N_("at least {value}") },
  [NS_THRESHOLD_D42_PROBLEM] = { "D42.problem", TIME, 1 * MS, 1 * HOUR, N_("problem from {value}") },
  [NS_THRESHOLD_D43_WAIT] = { "D43.wait", TIME, 1 * MS, 1 * HOUR, N_("at least {value}") },
  [NS_THRESHOLD_D43_ROUND_TRIPS] = { "D43.round-trips", COUNT, 1, 1000000, N_("and longer than {value} round trips") },
  [NS_THRESHOLD_D43_PROBLEM] = { "D43.problem", TIME, 1 * MS, 1 * HOUR, N_("problem from {value}") },
  [NS_THRESHOLD_D43_HELD_BACK] = { "D43.held-back", TIME, 1 * MS, 24 * HOUR, N_("uncertain from {value}") },
  [NS_THRESHOLD_D44_PROBLEM] = { "D44.problem", PERCENT, 0, 100, N_("a problem above {value}") },
  [NS_THRESHOLD_D46_SILENCE] = { "D46.silence", TIME, 1 * NS_PER_SECOND, 24 * HOUR, N_("no record for {value}, in a trace with almost continuous records") },
  [NS_THRESHOLD_D46_LONG] = { "D46.long", TIME, 1 * NS_PER_SECOND, 24 * HOUR, N_("or for {value}, regardless of the number of records") },
  [NS_THRESHOLD_D46_AFTER] = { "D46.after", TIME, 0, 1 * HOUR, N_("connects within {value} after it") },
  [NS_THRESHOLD_D46_LOUD] = { "D46.loud", PERCENT, 1, 100, N_("where {value} of the other seconds have a record") },
  [NS_THRESHOLD_D47_REQUESTS] = { "D47.requests", COUNT, 1, 1000000, N_("{value} without an answer") },
  [NS_THRESHOLD_D47_SILENT] = { "D47.silent", TIME, 1 * MS, 1 * HOUR, N_("for {value} after the last one") },
};
/* clang-format on */

/* Position in the file, and errors so far. */
typedef struct
{
  const char *name;
  guint n_line;
  guint n_wrong;
  GString *wrong;
  gint64 values[NS_N_THRESHOLDS];
  gboolean is_set[NS_N_THRESHOLDS];
} Reader;

static void add_wrong (Reader *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add_wrong (Reader *self, const char *format, ...)
{
  va_list arguments;

  if (++self->n_wrong > MAX_REPORTED)
    return;
  g_string_append_printf (self->wrong,
                          "%s%s:%u: ",
                          self->wrong->len > 0 ? "\n" : "",
                          self->name,
                          self->n_line);
  va_start (arguments, format);
  g_string_append_vprintf (self->wrong, format, arguments);
  va_end (arguments);
}

/* Copies the user's text for display: (transfer full). */
static char *
dup_shown (const char *text)
{
  g_autofree char *start = g_strndup (text, MAX_KEY);
  char *shown = g_utf8_make_valid (start, -1);

  ns_plain_make (shown);
  return shown;
}

/* Formats a value as in a line of the file; (transfer full). */
static char *
dup_value (const Entry *entry, gint64 value)
{
  switch (entry->kind)
    {
    case TIME:
      if (value >= NS_PER_SECOND && value % NS_PER_SECOND == 0)
        return g_strdup_printf ("%" G_GINT64_FORMAT " s", value / NS_PER_SECOND);
      if (value % MS == 0)
        return g_strdup_printf ("%" G_GINT64_FORMAT " ms", value / MS);
      return g_strdup_printf ("%.6f ms", (double) value / MS);
    case BYTES:
      return g_strdup_printf ("%" G_GINT64_FORMAT " bytes", value);
    case PERCENT:
      return g_strdup_printf ("%" G_GINT64_FORMAT " %%", value);
    case PERMILLE:
      if (value % 10 == 0)
        return g_strdup_printf ("%" G_GINT64_FORMAT " %%", value / 10);
      return g_strdup_printf ("%" G_GINT64_FORMAT ".%" G_GINT64_FORMAT " %%",
                              value / 10,
                              value % 10);
    case COUNT:
    default:
      return g_strdup_printf ("%" G_GINT64_FORMAT " times", value);
    }
}

/* Formats a value for a sentence: counts have no unit; (transfer full). */
static char *
dup_spoken (const Entry *entry, gint64 value)
{
  if (entry->kind == COUNT)
    return g_strdup_printf ("%" G_GINT64_FORMAT, value);
  return dup_value (entry, value);
}

/* Returns the unit's factor; 0: not a unit of this kind. */
static gint64
get_unit (Kind kind, const char *unit)
{
  switch (kind)
    {
    case TIME:
      return strcmp (unit, "ms") == 0 ? MS : strcmp (unit, "s") == 0 ? NS_PER_SECOND : 0;
    case BYTES:
      return strcmp (unit, "bytes") == 0;
    case PERCENT:
      return strcmp (unit, "%") == 0;
    case PERMILLE:
      return strcmp (unit, "%") == 0 ? 10 : 0;
    case COUNT:
    default:
      return strcmp (unit, "times") == 0;
    }
}

/* Parses decimal digits with an optional fraction, and multiplies them by the unit; rejects
 * excess digits. */
static gboolean
scale_number (const char *digits, gsize n_digits, gint64 unit, gint64 *value)
{
  gsize i;

  *value = 0;
  for (i = 0; i < n_digits && digits[i] != '.'; i++)
    if (__builtin_mul_overflow (*value, 10, value) ||
        __builtin_add_overflow (*value, digits[i] - '0', value))
      return FALSE;
  if (__builtin_mul_overflow (*value, unit, value))
    return FALSE;
  if (i < n_digits && ++i == n_digits)
    return FALSE; /* no digits after the point */
  for (; i < n_digits; i++)
    {
      if (digits[i] == '.' || unit % 10 != 0)
        return FALSE;
      unit /= 10;
      if (__builtin_add_overflow (*value, (digits[i] - '0') * unit, value))
        return FALSE;
    }
  return TRUE;
}

static const char *
get_units (Kind kind)
{
  static const char *const units[] = { [TIME] = "ms, s",
                                       [COUNT] = "times",
                                       [BYTES] = "bytes",
                                       [PERCENT] = "%",
                                       [PERMILLE] = "%" };

  return units[kind];
}

/* Parses “NUMBER UNIT” of a line. */
static void
read_value (Reader *self, NsThreshold threshold, const char *text)
{
  const Entry *entry = &entries[threshold];
  gsize n_digits = strspn (text, "0123456789.");
  const char *rest = text + n_digits + strspn (text + n_digits, " \t");
  gint64 unit = get_unit (entry->kind, rest);
  g_autofree char *least = dup_value (entry, entry->least);
  g_autofree char *most = dup_value (entry, entry->most);
  gint64 value = 0;

  if (n_digits == 0 || n_digits > MAX_NUMBER || !g_ascii_isdigit (text[0]) || unit == 0 ||
      !scale_number (text, n_digits, unit, &value))
    {
      g_autofree char *shown = dup_shown (text);

      add_wrong (self,
                 /* Translators: the text of the user, a key, units such as ms, a value. */
                 _ ("“%s” is not a value of %s: write a number and its unit (%s), such as %s"),
                 shown,
                 entry->key,
                 get_units (entry->kind),
                 least);
    }
  else if (value < entry->least || value > entry->most)
    add_wrong (self,
               /* Translators: a key, and the least and the greatest value with their units. */
               _ ("the value of %s must be from %s to %s"),
               entry->key,
               least,
               most);
  else if (self->is_set[threshold])
    add_wrong (self, _ ("%s is specified twice in this file"), entry->key);
  else
    {
      self->values[threshold] = value;
      self->is_set[threshold] = TRUE;
    }
}

static void
report_unknown (Reader *self, const char *key)
{
  g_autofree char *shown = dup_shown (key);
  NsNearest nearest;
  guint i;

  ns_nearest_init (&nearest, shown);
  for (i = 0; i < NS_N_THRESHOLDS; i++)
    ns_nearest_offer (&nearest, entries[i].key);
  if (nearest.best != NULL)
    add_wrong (self, _ ("there is no threshold “%s”; did you mean %s?"), shown, nearest.best);
  else
    add_wrong (self, _ ("there is no threshold “%s”"), shown);
}

static void
read_line (Reader *self, char *line)
{
  char *equals;
  guint i;

  line[strcspn (line, "#")] = '\0';
  g_strstrip (line);
  if (*line == '\0')
    return;
  equals = strchr (line, '=');
  if (equals == NULL)
    {
      g_autofree char *shown = dup_shown (line);

      add_wrong (self, _ ("“%s” is not a threshold: write KEY = NUMBER UNIT"), shown);
      return;
    }
  *equals = '\0';
  g_strstrip (line);
  for (i = 0; i < NS_N_THRESHOLDS; i++)
    if (strcmp (entries[i].key, line) == 0)
      {
        read_value (self, i, g_strstrip (equals + 1));
        return;
      }
  report_unknown (self, line);
}

static void
read_text (Reader *self, const char *text, gsize n_bytes)
{
  g_autofree char *copy = g_strndup (text, n_bytes);
  char *line = copy;

  while (line != NULL)
    {
      char *end = strchr (line, '\n');

      if (end != NULL)
        *end++ = '\0';
      self->n_line++;
      read_line (self, line);
      line = end;
    }
}

/**
 * ns_thresholds_new:
 *
 * Returns: (transfer full): thresholds with the default values
 */
NsThresholds *
ns_thresholds_new (void)
{
  NsThresholds *self = g_new (NsThresholds, 1);
  g_autoptr (GString) wrong = g_string_new (NULL);
  Reader reader = { .name = "data/thresholds", .wrong = wrong };

  read_text (&reader, NS_THRESHOLDS_SHIPPED, strlen (NS_THRESHOLDS_SHIPPED));
  if (reader.n_wrong > 0)
    g_error ("%s", wrong->str); /* a bug: the default file is malformed */
  g_atomic_ref_count_init (&self->ref_count);
  memcpy (self->shipped, reader.values, sizeof self->shipped);
  memcpy (self->values, reader.values, sizeof self->values);
  return self;
}

/**
 * ns_thresholds_ref:
 * @self: (nullable): thresholds
 *
 * Returns: (transfer full) (nullable): @self
 */
NsThresholds *
ns_thresholds_ref (NsThresholds *self)
{
  if (self != NULL)
    g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * ns_thresholds_unref:
 * @self: (transfer full) (nullable): thresholds
 */
void
ns_thresholds_unref (NsThresholds *self)
{
  if (self != NULL && g_atomic_ref_count_dec (&self->ref_count))
    g_free (self);
}

/**
 * ns_threshold_get_key:
 * @threshold: a threshold
 *
 * Returns: its name in files
 */
const char *
ns_threshold_get_key (NsThreshold threshold)
{
  return entries[threshold].key;
}

/**
 * ns_thresholds_add:
 * @self: thresholds that are not shared yet
 * @name: name of @text in messages
 * @text: (array length=n_bytes): lines as in the default file
 * @n_bytes: its length
 * @error: %NS_TRACE_ERROR_QUERY with name and number of each malformed line
 *
 * Overrides values with those of a file. If a line is malformed, no value is changed.
 *
 * Returns: whether all lines were valid
 */
gboolean
ns_thresholds_add (NsThresholds *self,
                   const char *name,
                   const char *text,
                   gsize n_bytes,
                   GError **error)
{
  g_autoptr (GString) wrong = g_string_new (NULL);
  Reader reader = { .name = name, .wrong = wrong };
  guint i;

  read_text (&reader, text, n_bytes);
  if (reader.n_wrong > 0)
    {
      if (reader.n_wrong > MAX_REPORTED)
        g_string_append_printf (
            wrong,
            /* Translators: after a list of wrong lines: how many there are beside them. */
            ngettext ("\nand %u more line", "\nand %u more lines", reader.n_wrong - MAX_REPORTED),
            reader.n_wrong - MAX_REPORTED);
      g_set_error_literal (error, NS_TRACE_ERROR, NS_TRACE_ERROR_QUERY, wrong->str);
      return FALSE;
    }
  for (i = 0; i < NS_N_THRESHOLDS; i++)
    if (reader.is_set[i])
      self->values[i] = reader.values[i];
  return TRUE;
}

/**
 * ns_thresholds_add_file:
 * @self: thresholds that are not shared yet
 * @path: a file in the format of ns_thresholds_add()
 * @error: return location
 *
 * Returns: whether it was read
 */
gboolean
ns_thresholds_add_file (NsThresholds *self, const char *path, GError **error)
{
  gsize n_bytes = 0;
  g_autofree char *text = ns_small_file_read (path, MAX_FILE, &n_bytes, error);

  return text != NULL && ns_thresholds_add (self, path, text, n_bytes, error);
}

static gboolean
take_file_cb (const char *path, gpointer user_data, GError **error)
{
  return ns_thresholds_add_file (user_data, path, error);
}

/**
 * ns_thresholds_add_default_file:
 * @self: thresholds that are not shared yet
 * @error: return location; a missing file is not an error
 *
 * Reads `netstitch/thresholds` in the user's configuration directory.
 *
 * Returns: whether it was read, or does not exist
 */
gboolean
ns_thresholds_add_default_file (NsThresholds *self, GError **error)
{
  return ns_small_file_take_setting ("thresholds", take_file_cb, self, error);
}

static gboolean
is_of (const Entry *entry, const char *rule)
{
  gsize n_rule = strlen (rule);

  return strncmp (entry->key, rule, n_rule) == 0 && entry->key[n_rule] == '.';
}

/**
 * ns_thresholds_list:
 * @self: thresholds
 * @rule: number of a rule
 *
 * Returns: (transfer full) (element-type utf8): the thresholds of the rule, as lines of the file;
 *   empty if it has none
 */
GPtrArray *
ns_thresholds_list (const NsThresholds *self, const char *rule)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  guint i;

  for (i = 0; i < NS_N_THRESHOLDS; i++)
    if (is_of (&entries[i], rule))
      {
        g_autofree char *value = dup_value (&entries[i], self->values[i]);

        g_ptr_array_add (list, g_strdup_printf ("%s = %s", entries[i].key, value));
      }
  return list;
}

/**
 * ns_thresholds_describe:
 * @self: thresholds
 * @rule: number of a rule
 *
 * Returns: (transfer full) (nullable): the thresholds of the rule as a sentence; %NULL: it has none
 */
char *
ns_thresholds_describe (const NsThresholds *self, const char *rule)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint i;

  for (i = 0; i < NS_N_THRESHOLDS; i++)
    if (is_of (&entries[i], rule))
      {
        g_autofree char *value = dup_spoken (&entries[i], self->values[i]);

        if (text->len > 0)
          g_string_append (text, ", ");
        g_string_append (text, _ (entries[i].words));
        g_string_replace (text, "{value}", value, 0);
      }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/**
 * ns_thresholds_describe_changes:
 * @self: thresholds
 * @rule: number of a rule
 *
 * Returns: (transfer full) (nullable): a sentence about those of its thresholds that differ from
 *   the defaults; %NULL: none
 */
char *
ns_thresholds_describe_changes (const NsThresholds *self, const char *rule)
{
  g_autoptr (GString) list = g_string_new (NULL);
  guint i;

  for (i = 0; i < NS_N_THRESHOLDS; i++)
    if (is_of (&entries[i], rule) && self->values[i] != self->shipped[i])
      {
        g_autofree char *value = dup_value (&entries[i], self->values[i]);
        g_autofree char *before = dup_value (&entries[i], self->shipped[i]);

        g_string_append_printf (list,
                                /* Translators: a key, the value of the user, the usual one. */
                                _ ("%s%s = %s instead of %s"),
                                list->len > 0 ? ", " : "",
                                entries[i].key,
                                value,
                                before);
      }
  if (list->len == 0)
    return NULL;
  /* Translators: after what was found: what the user had changed. */
  return g_strdup_printf (_ ("Changed thresholds: %s."), list->str);
}
