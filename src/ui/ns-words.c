/* Texts of the user interface: errors with advice, counts, sizes, durations and names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-words.h"

#include "base/ns-lines.h"

#include "model/ns-session-moment.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <string.h>

#define TOOLTIP_CHARS 80u

/**
 * ns_words_get_error_title:
 * @error: why a trace could not be opened
 *
 * Returns: the error in one line
 */
const char *
ns_words_get_error_title (const GError *error)
{
  if (error->domain == G_IO_ERROR)
    return _ ("The file cannot be read");
  if (error->domain != NS_TRACE_ERROR)
    return _ ("The trace could not be opened");
  switch ((NsTraceError) error->code)
    {
    case NS_TRACE_ERROR_OPEN:
      return _ ("The file cannot be read");
    case NS_TRACE_ERROR_NOT_A_TRACE:
      return _ ("This is not a Windows event trace");
    case NS_TRACE_ERROR_TOO_OLD:
      return _ ("This trace is too old");
    case NS_TRACE_ERROR_TRUNCATED:
      return _ ("The file ends too early");
    case NS_TRACE_ERROR_ARCHIVE:
      return _ ("No trace was found inside this file");
    case NS_TRACE_ERROR_MEMBER:
      return _ ("This file contains several traces");
    case NS_TRACE_ERROR_LIMIT:
      return _ ("This file exceeds a size limit");
    case NS_TRACE_ERROR_CANCELLED:
    case NS_TRACE_ERROR_WRITE:
    case NS_TRACE_ERROR_QUERY:
    default:
      return _ ("The trace could not be opened");
    }
}

/**
 * ns_words_file:
 * @file: a file
 *
 * Returns: (transfer full): the base name for display; the URI if there is no base name, as for URI
 *   schemes that GIO does not support
 */
char *
ns_words_file (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  char *uri;

  if (name != NULL)
    return g_filename_display_name (name);
  uri = g_file_get_uri (file);
  return uri != NULL ? uri : g_strdup ("");
}

/**
 * ns_words_get_error_help:
 * @error: why a trace could not be opened
 *
 * Returns: advice on how to solve the problem
 */
const char *
ns_words_get_error_help (const GError *error)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    return _ ("No software on this computer can read such locations. For smb:, sftp:, dav: and "
              "similar locations, install GVfs with its backends (gvfs-backends), or copy the file "
              "to this computer.");
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
    return _ ("A file on a server is copied to the cache folder while it is read, and that folder "
              "is full. Free up space, or copy the file elsewhere manually and open the copy.");
  if (error->domain == G_IO_ERROR)
    return _ ("Check that the server can be reached, that the file is still there and that you may "
              "read it.");
  if (error->domain != NS_TRACE_ERROR)
    return _ ("Open another file, or try this one again.");
  switch ((NsTraceError) error->code)
    {
    case NS_TRACE_ERROR_OPEN:
      return _ ("Check that the file is still there and that you may read it.");
    case NS_TRACE_ERROR_NOT_A_TRACE:
      return _ ("“.etl” is also used for other file types, such as extract-transform-load scripts. "
                "If this file was sent by mail or through a ticket system, it may have been "
                "altered in transit: ask for it in a zip archive.");
    case NS_TRACE_ERROR_TOO_OLD:
      return _ ("It was recorded on Windows Server 2003 or earlier. Record a new one on Windows 7 "
                "or later.");
    case NS_TRACE_ERROR_TRUNCATED:
      return _ ("The copy may have been interrupted: copy it again and compare the sizes.");
    case NS_TRACE_ERROR_ARCHIVE:
      return _ ("Unpack it manually and look for a file with the extension .etl.");
    case NS_TRACE_ERROR_MEMBER:
      return _ ("Unpack it and open the traces one by one.");
    case NS_TRACE_ERROR_LIMIT:
      return _ ("The file is probably damaged: copy it again from the recording computer.");
    case NS_TRACE_ERROR_CANCELLED:
    case NS_TRACE_ERROR_WRITE:
    case NS_TRACE_ERROR_QUERY:
    default:
      return _ ("Open another file, or try this one again.");
    }
}

/**
 * ns_words_count:
 * @number: a number
 *
 * Returns: (transfer full): the number with thousands separators
 */
char *
ns_words_count (guint64 number)
{
  GString *text = g_string_new (NULL);

  ns_field_append_grouped (text, number);
  return g_string_free (text, FALSE);
}

/**
 * ns_words_seconds:
 * @time_ns: a time or a duration
 *
 * Returns: (transfer full): seconds with the unit; three decimals below a second, otherwise two
 */
char *
ns_words_seconds (gint64 time_ns)
{
  double seconds = (double) time_ns / (double) NS_PER_SECOND;

  /* Translators: seconds. */
  return g_strdup_printf (_ ("%.*f s"), seconds < 1 ? 3 : 2, seconds);
}

/**
 * ns_words_span:
 * @length_ns: the length of a time range
 *
 * Returns: (transfer full): seconds with the unit, with as many decimals as the ruler shows for
 *   this range
 */
char *
ns_words_span (gint64 length_ns)
{
  int n_digits = (int) ns_words_count_digits (length_ns);

  /* Translators: seconds. */
  return g_strdup_printf (_ ("%.*f s"), n_digits, (double) length_ns / (double) NS_PER_SECOND);
}

/**
 * ns_words_count_digits:
 * @length_ns: the length of the visible time range
 *
 * Returns: the number of decimals of a second, 3 to 9, that resolves 1 % of the range
 */
guint
ns_words_count_digits (gint64 length_ns)
{
  guint n_digits = 3;
  gint64 unit_ns = NS_PER_SECOND / 1000;

  while (n_digits < 9 && length_ns < unit_ns * 100)
    {
      n_digits++;
      unit_ns /= 10;
    }
  return n_digits;
}

/**
 * ns_words_duration:
 * @span_ns: a duration
 *
 * Returns: (transfer full): milliseconds below ten seconds, otherwise seconds, with the unit
 */
char *
ns_words_duration (gint64 span_ns)
{
  double ms = (double) span_ns / 1e6;
  g_autoptr (GString) grouped = NULL;

  if (ms >= 10000)
    {
      guint64 hundredths = (guint64) span_ns / (NS_PER_SECOND / 100) +
                           (span_ns % (NS_PER_SECOND / 100) >= NS_PER_SECOND / 200);
      g_autofree char *part = g_strdup_printf ("%.2f", (double) (hundredths % 100) / 100);

      grouped = g_string_new (NULL);
      ns_field_append_grouped (grouped, hundredths / 100);
      /* Skip the leading zero of the part. */
      g_string_append (grouped, part + 1);
      /* Translators: seconds. */
      return g_strdup_printf (_ ("%s s"), grouped->str);
    }
  if (ms >= 999.5)
    {
      grouped = g_string_new (NULL);
      ns_field_append_grouped (grouped, (guint64) (ms + 0.5));
      /* Translators: milliseconds. */
      return g_strdup_printf (_ ("%s ms"), grouped->str);
    }
  /* Translators: milliseconds. */
  return g_strdup_printf (_ ("%.*f ms"), ms < 10 ? 3 : ms < 100 ? 1 : 0, ms);
}

/**
 * ns_words_milliseconds:
 * @span_ns: a duration; negative values count as 0
 *
 * Returns: (transfer full): milliseconds with one decimal, without the unit, for a column
 */
char *
ns_words_milliseconds (gint64 span_ns)
{
  guint64 tenths = (guint64) (MAX (span_ns, 0) + 50000) / 100000;
  g_autofree char *part = g_strdup_printf ("%.1f", (double) (tenths % 10) / 10);
  GString *text = g_string_new (NULL);

  ns_field_append_grouped (text, tenths / 10);
  /* Skip the leading zero of the part. */
  g_string_append (text, part + 1);
  return g_string_free (text, FALSE);
}

/**
 * ns_words_row:
 * @session: a session
 * @table: one of its tables
 * @row: a row of it
 *
 * Returns: (transfer full) (nullable): the sentence that describes the row, and below it its time
 *   by the wall clock if one is chosen; a row that has not ended at the playback position has a
 *   sentence that says so
 */
char *
ns_words_row (NsSession *session, NsTableId table, guint32 row)
{
  NsTrace *trace = ns_session_get_trace (session);
  g_autofree char *sentence = NULL;
  g_autofree char *stamp = NULL;
  NsTimeSpan span;

  if (!ns_session_has_ended (session, table, row))
    return g_strdup (_ ("It is still in progress at this playback position."));
  sentence = ns_sentence_new (trace, table, row);
  if (sentence != NULL && ns_session_get_row_span (session, table, row, &span))
    stamp = ns_wall_describe (ns_session_get_wall (session), trace, span.begin_ns);
  return stamp != NULL ? g_strdup_printf ("%s\n%s", sentence, stamp) : g_steal_pointer (&sentence);
}

/* Returns the resolution with which ns_words_duration() shows a duration. */
static gint64
get_step (gint64 span_ns)
{
  if (span_ns < 10 * NS_PER_SECOND / 1000)
    return NS_PER_SECOND / 1000000;
  if (span_ns < 100 * NS_PER_SECOND / 1000)
    return NS_PER_SECOND / 10000;
  return span_ns < 10 * NS_PER_SECOND ? NS_PER_SECOND / 1000 : NS_PER_SECOND / 100;
}

/**
 * ns_words_duration_at_least:
 * @span_ns: a duration
 * @is_lower_bound: whether it may have been longer
 *
 * Returns: (transfer full): as ns_words_duration(); a lower bound is marked with “≥” and rounded
 *   down, since rounded up it might be false
 */
char *
ns_words_duration_at_least (gint64 span_ns, gboolean is_lower_bound)
{
  if (is_lower_bound && span_ns > 0)
    span_ns -= span_ns % get_step (span_ns);
  return ns_words_at_least (ns_words_duration (span_ns), is_lower_bound);
}

/**
 * ns_words_at_least:
 * @amount: (transfer full): a formatted number
 * @is_lower_bound: whether the number is a lower bound
 *
 * Returns: (transfer full): the number, with “≥” if it is a lower bound
 */
char *
ns_words_at_least (char *amount, gboolean is_lower_bound)
{
  char *text;

  if (!is_lower_bound)
    return amount;
  text = g_strconcat ("≥ ", amount, NULL);
  g_free (amount);
  return text;
}

/**
 * ns_words_byte:
 * @trace: a trace with a file
 * @offset: an offset in the trace, bytes
 *
 * Returns: (transfer full): the offset; in a trace of several files the offset in one of them, and
 *   its name
 */
char *
ns_words_byte (const NsTrace *trace, guint64 offset)
{
  guint input = ns_etl_file_find_input_of_byte (trace->file, &offset);
  g_autofree char *count = ns_words_count (offset);
  g_autofree char *name = NULL;

  if (ns_etl_file_get_n_inputs (trace->file) == 1)
    return g_steal_pointer (&count);
  name = ns_etl_file_dup_input_name (trace->file, input);
  /* Translators: the number of a byte, and the file that it is in. */
  return g_strdup_printf (_ ("%s of %s"), count, name);
}

/**
 * ns_words_values:
 * @field: a field
 * @n_values: the number of different values in the rows shown
 *
 * Returns: (transfer full): the count with a noun, such as `4 processes`
 */
char *
ns_words_values (const NsField *field, guint n_values)
{
  g_autofree char *count = ns_words_count (n_values);

  if (g_str_equal (field->id, "process") || g_str_equal (field->id, "process_pid"))
    return g_strdup_printf (ngettext ("%s process", "%s processes", n_values), count);
  if (g_str_equal (field->id, "server"))
    return g_strdup_printf (ngettext ("%s server", "%s servers", n_values), count);
  /* Translators: a count of values, and the title of their column: “12 × Method”. */
  return g_strdup_printf (_ ("%s × %s"), count, _ (field->title));
}

/**
 * ns_words_selected_in:
 * @n_rows: the number of selected rows
 * @title: the title of their table
 *
 * Returns: (transfer full): a text for the status bar while another table is in front
 */
char *
ns_words_selected_in (guint n_rows, const char *title)
{
  g_autofree char *count = ns_words_count (n_rows);

  /* Translators: a number of rows, the title of their table. */
  return g_strdup_printf (ngettext ("%s row selected in %s", "%s rows selected in %s", n_rows),
                          count,
                          title);
}

/**
 * ns_words_sums:
 * @sums: sums of the selected rows
 *
 * Returns: (transfer full): one line for the status bar
 */
char *
ns_words_sums (const NsSessionSums *sums)
{
  GString *line;
  g_autofree char *n_rows = NULL;

  if (sums->n_rows == 0)
    return g_strdup (_ ("Nothing selected"));
  line = g_string_new (NULL);
  n_rows = ns_words_count (sums->n_rows);
  g_string_append_printf (line,
                          ngettext ("%s row selected", "%s rows selected", sums->n_rows),
                          n_rows);
  if (sums->has_bytes)
    {
      g_autofree char *sent = ns_words_at_least (ns_words_count (sums->sent), sums->is_partial);
      g_autofree char *received =
          ns_words_at_least (ns_words_count (sums->received), sums->is_partial);

      /* Translators: sums of bytes. */
      g_string_append_printf (line, _ ("   Σ sent %s B   Σ received %s B"), sent, received);
    }
  if (sums->has_duration)
    {
      gboolean is_least = sums->is_partial || sums->is_lower_bound;
      g_autofree char *duration = ns_words_duration_at_least (sums->duration_ns, is_least);
      g_autofree char *together = ns_words_duration_at_least (sums->union_ns, is_least);

      g_string_append_printf (line, _ ("   Σ duration %s   busy time %s"), duration, together);
    }
  return g_string_free (line, FALSE);
}

/**
 * ns_words_get_phase:
 * @phase: a phase
 *
 * Returns: its name
 */
const char *
ns_words_get_phase (NsPhase phase)
{
  static const char *const names[NS_N_PHASES] = {
    [NS_PHASE_POOL] = N_ ("Waited for a pool thread"),
    [NS_PHASE_QUEUE] = N_ ("Queued in the library"),
    [NS_PHASE_PROXY] = N_ ("Proxy"),
    [NS_PHASE_DNS] = N_ ("DNS"),
    [NS_PHASE_CONNECT] = N_ ("Connect"),
    [NS_PHASE_TLS] = N_ ("TLS"),
    [NS_PHASE_SEND] = N_ ("Send"),
    [NS_PHASE_WAIT] = N_ ("Wait for first byte"),
    [NS_PHASE_RECEIVE] = N_ ("Receive"),
    [NS_PHASE_OTHER] = N_ ("Not covered by the recorded events"),
  };

  g_return_val_if_fail (phase < NS_N_PHASES, NULL);

  return _ (names[phase]);
}

/* Names of phases in layers for which the HTTP name does not fit. */
static const struct
{
  guint32 layer;
  NsPhase phase;
  const char *name;
} layer_phases[] = {
  { NS_LAYER_DOTNET, NS_PHASE_QUEUE, N_ ("Waited for a connection") },
  { NS_LAYER_SMB, NS_PHASE_QUEUE, N_ ("Waited for credits") },
  { NS_LAYER_SMB, NS_PHASE_SEND, N_ ("Before the first command") },
  { NS_LAYER_SMB, NS_PHASE_WAIT, N_ ("Wait for the server") },
  { NS_LAYER_SMB, NS_PHASE_RECEIVE, N_ ("After the last response") },
  { NS_LAYER_RPC, NS_PHASE_WAIT, N_ ("Wait for the server") },
  { NS_LAYER_QUIC, NS_PHASE_CONNECT, N_ ("Handshake") },
};

/**
 * ns_words_get_layer_phase:
 * @layer: the prominent layer of an operation, a bit of #NsLayers
 * @phase: a phase
 *
 * Returns: the name of @phase in @layer
 */
const char *
ns_words_get_layer_phase (guint32 layer, NsPhase phase)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (layer_phases); i++)
    if ((layer_phases[i].layer & layer) != 0 && layer_phases[i].phase == phase)
      return _ (layer_phases[i].name);
  return ns_words_get_phase (phase);
}

/**
 * ns_words_get_task_kind:
 * @kind: the mechanism that dispatched a task
 *
 * Returns: its translated name
 */
const char *
ns_words_get_task_kind (NsTaskKind kind)
{
  switch (kind)
    {
    case NS_TASK_DISPATCH_QUEUE:
      return _ ("Office dispatch queue");
    case NS_TASK_OFFICE_POOL:
      return _ ("Office thread pool");
    case NS_TASK_IDLE:
      return _ ("Office idle queue");
    case NS_TASK_POOL:
      return _ ("Windows thread pool");
    case NS_TASK_TIMER:
      return _ ("Windows timer");
    case NS_TASK_WINHTTP:
      return _ ("WinHTTP action");
    case NS_TASK_THREAD:
      return _ ("new thread");
    case NS_TASK_DOTNET_TASK:
      return _ (".NET task");
    case NS_TASK_DOTNET_POOL:
      return _ (".NET thread pool");
    case NS_TASK_NONE:
    default:
      return _ ("unknown queue");
    }
}

/**
 * ns_words_get_missing_stack:
 * @missing: why there is no stack
 *
 * Returns: the reason as a sentence
 */
const char *
ns_words_get_missing_stack (NsStackMissing missing)
{
  switch (missing)
    {
    case NS_STACK_NOT_ENABLED:
      return _ ("The recording has no stacks at all.");
    case NS_STACK_LOST:
      return _ ("Similar events have one, but events were lost while recording.");
    case NS_STACK_NOT_STACK_ENABLED:
      return _ ("This kind of event was recorded without stacks.");
    case NS_STACK_PRESENT:
    case NS_STACK_UNKNOWN:
    default:
      return _ ("Similar events may have one; no losses are known.");
    }
}

/**
 * ns_words_get_missing_reason:
 * @missing: why there is no stack
 *
 * Returns: the reason in a few words
 */
const char *
ns_words_get_missing_reason (NsStackMissing missing)
{
  switch (missing)
    {
    case NS_STACK_NOT_ENABLED:
      return _ ("not enabled");
    case NS_STACK_LOST:
      return _ ("lost");
    case NS_STACK_NOT_STACK_ENABLED:
      return _ ("not stack-enabled");
    case NS_STACK_PRESENT:
    case NS_STACK_UNKNOWN:
    default:
      return _ ("no reason found");
    }
}

/**
 * ns_words_get_confidence:
 * @confidence: the #NsConfidence of a link between layers; -1: there is no link
 *
 * Returns: its translated name
 */
const char *
ns_words_get_confidence (int confidence)
{
  switch (confidence)
    {
    case NS_CONFIDENCE_CERTAIN:
      return _ ("certain");
    case NS_CONFIDENCE_LIKELY:
      return _ ("likely");
    case NS_CONFIDENCE_INFERRED:
      return _ ("inferred");
    case NS_CONFIDENCE_NAME:
      return _ ("by name only");
    default:
      return _ ("no linked layers");
    }
}

/* Returns the length in bytes of the unit at the start of a text; 0: there is none. */
static gsize
count_unit (const char *text)
{
  static const char *const units[] = { "%", "s", "ms", "µs", "B", "kB", "MB", "GB" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (units); i++)
    {
      gsize n_bytes = strlen (units[i]);

      if (strncmp (text, units[i], n_bytes) == 0 && !g_ascii_isalnum (text[n_bytes]))
        return n_bytes;
    }
  return 0;
}

/**
 * ns_words_keep_units:
 * @text: a sentence
 *
 * Returns: (transfer full): @text with no-break spaces between numbers and units
 */
char *
ns_words_keep_units (const char *text)
{
  GString *kept = g_string_sized_new (strlen (text) + 16);
  const char *here;

  for (here = text; *here != '\0'; here++)
    if (*here == ' ' && here > text && g_ascii_isdigit (here[-1]) && count_unit (here + 1) > 0)
      g_string_append (kept, "\xc2\xa0");
    else
      g_string_append_c (kept, *here);
  return g_string_free (kept, FALSE);
}

/**
 * ns_words_frame:
 * @name: `module.dll!function` or `module.dll+0x1f`, possibly followed by other text
 *
 * Shortens a frame for display. Tooltips and copied text keep the file name extension.
 *
 * Returns: (transfer full): @name without the file name extension of a Windows module
 */
char *
ns_words_frame (const char *name)
{
  static const char *const endings[] = { ".dll", ".exe", ".sys", ".ocx", ".drv", ".cpl" };
  const char *end = strchr (name, '!');
  guint i;

  if (end == NULL)
    end = g_strrstr (name, "+0x");
  for (i = 0; end != NULL && i < G_N_ELEMENTS (endings); i++)
    {
      gsize length = strlen (endings[i]);

      if ((gsize) (end - name) > length &&
          g_ascii_strncasecmp (end - length, endings[i], length) == 0)
        return g_strdup_printf ("%.*s%s", (int) (end - name - length), name, end);
    }
  return g_strdup (name);
}

/**
 * ns_words_tooltip:
 * @text: a text
 *
 * Wraps a text for a tooltip: a GTK tooltip is as wide as its longest line, even if that is a URL
 * of 2000 characters.
 *
 * Returns: (transfer full): @text in lines of at most TOOLTIP_CHARS characters
 */
char *
ns_words_tooltip (const char *text)
{
  return ns_lines_wrap (text, TOOLTIP_CHARS);
}
