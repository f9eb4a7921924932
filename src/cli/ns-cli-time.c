/* Parses --from and --to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-time.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MAX_SECONDS (G_MAXINT64 / NS_PER_SECOND / 2)

static gboolean
parse_moment (const char *text, const NsEtlFile *file, gint64 *time_ns, GError **error)
{
  char *end;
  double seconds;
  guint64 filetime;

  if (text == NULL)
    return TRUE;

  seconds = g_ascii_strtod (text, &end);
  if (end != text && *end == '\0' && fabs (seconds) < (double) MAX_SECONDS)
    {
      *time_ns = (gint64) llround (seconds * NS_PER_SECOND);
      return TRUE;
    }
  if (ns_time_filetime_from_iso (text, &filetime))
    {
      gint64 ticks = (gint64) (filetime - ns_etl_file_ns_to_filetime (file, 0));

      *time_ns = CLAMP (ticks, -MAX_SECONDS, MAX_SECONDS) * 100;
      if (ticks > -MAX_SECONDS * NS_TICKS_PER_SECOND && ticks < MAX_SECONDS * NS_TICKS_PER_SECOND)
        *time_ns = ticks * 100;
      return TRUE;
    }
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               _ ("“%s” is not a time: write seconds since the start of the trace, or an ISO 8601 "
                  "time stamp"),
               text);
  return FALSE;
}

/**
 * ns_cli_time_check_span:
 * @span: a time span
 * @from: (nullable): its begin as the user wrote it
 * @to: (nullable): its end as the user wrote it
 * @error: %NS_TRACE_ERROR_QUERY: wrong usage
 *
 * Returns: %FALSE with @error set if the span ends before it begins
 */
gboolean
ns_cli_time_check_span (const NsTimeSpan *span, const char *from, const char *to, GError **error)
{
  if (from == NULL || to == NULL || span->begin_ns <= span->end_ns)
    return TRUE;
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               _ ("the span ends before it begins: --from %s is later than --to %s"),
               from,
               to);
  return FALSE;
}

/**
 * ns_cli_time_parse_span:
 * @options: the options
 * @file: a trace
 * @span: (out): the time span; all times if the user gave none
 * @error: %NS_TRACE_ERROR_QUERY: wrong usage
 *
 * Returns: %FALSE with @error set if a time is invalid, or the span ends before it begins
 */
gboolean
ns_cli_time_parse_span (const NsCliOptions *options,
                        const NsEtlFile *file,
                        NsTimeSpan *span,
                        GError **error)
{
  span->begin_ns = G_MININT64;
  span->end_ns = G_MAXINT64;
  return parse_moment (options->from, file, &span->begin_ns, error) &&
         parse_moment (options->to, file, &span->end_ns, error) &&
         ns_cli_time_check_span (span, options->from, options->to, error);
}
