/* The verb `render`: draws the timeline as the window does.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli/ns-cli-render.h"
#include "cli/ns-cli-time.h"
#include "draw/ns-timeline-render.h"
#include "engine/net/ns-missing.h"
#include "etl/ns-etl-file.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define DEFAULT_WIDTH 1400
/* Cantarell, the font of the design, if it is installed. */
#define FONT "Cantarell, sans-serif 11"

static gboolean
find_format (const char *name, NsRenderFormat *format, GError **error)
{
  if (name == NULL || strcmp (name, "png") == 0)
    *format = NS_RENDER_PNG;
  else if (strcmp (name, "svg") == 0)
    *format = NS_RENDER_SVG;
  else if (strcmp (name, "pdf") == 0)
    *format = NS_RENDER_PDF;
  else
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("--as needs png, svg or pdf, not “%s”"),
                   name);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_size (const NsCliOptions *options, GError **error)
{
  if (options->width == 0 || options->width > NS_RENDER_MAX_PX || options->height == 0 ||
      options->height > NS_RENDER_MAX_PX)
    {
      g_set_error (error,
                   NS_TRACE_ERROR,
                   NS_TRACE_ERROR_QUERY,
                   _ ("--width and --height need a number of pixels from 1 to %d"),
                   NS_RENDER_MAX_PX);
      return FALSE;
    }
  return TRUE;
}

/* Returns the name of a lane that several connections share; (transfer full). */
static char *
several_cb (NsConnectionKind end, guint n, guint32 lowest, guint32 highest)
{
  switch (end)
    {
    case NS_CONNECTION_KIND_CONNECTION:
      /* Translators: how many, then the lowest and the highest of their numbers. */
      return g_strdup_printf (ngettext ("%u connection: %u – %u", "%u connections: %u – %u", n),
                              n,
                              lowest,
                              highest);
    case NS_CONNECTION_KIND_SOCKET:
      /* Translators: how many, then the lowest and the highest of their numbers. */
      return g_strdup_printf (ngettext ("%u socket: %u – %u", "%u sockets: %u – %u", n),
                              n,
                              lowest,
                              highest);
    case NS_CONNECTION_KIND_FLOW:
      /* Translators: how many, then the lowest and the highest of their numbers. */
      return g_strdup_printf (ngettext ("%u flow: %u – %u", "%u flows: %u – %u", n),
                              n,
                              lowest,
                              highest);
    case NS_CONNECTION_KIND_NONE:
    default:
      return g_strdup_printf (ngettext ("%u connection", "%u connections", n), n);
    }
}

/**
 * ns_cli_render_get_words:
 *
 * Returns: the texts of lanes and bars
 */
NsTimelineTexts
ns_cli_render_get_words (void)
{
  return (NsTimelineTexts){ .connection = _ ("connection"),
                            .socket = _ ("socket"),
                            .flow = _ ("flow"),
                            .within = _ ("within connection"),
                            .unknown = _ ("connection not known"),
                            .several = several_cb,
                            .no_server = _ ("no server known"),
                            .no_process = _ ("process unknown"),
                            .cache = _ ("cache") };
}

/**
 * ns_cli_render:
 * @cli: the parsed command line
 * @error: return location
 *
 * Draws the timeline. Without --height, the picture is as high as all its lanes.
 *
 * Returns: %FALSE with @error set if it failed
 */
gboolean
ns_cli_render (NsCli *cli, GError **error)
{
  g_autoptr (NsTrace) trace = NULL;
  NsRenderOptions options = {
    .palette = NS_PALETTE_LIGHT,
    .font = FONT,
    .words = ns_cli_render_get_words (),
    .title = _ ("Overview"),
    .corner = _ ("process › server › connection"),
  };
  NsMissing missing;

  if (!find_format (cli->options.as, &options.format, error) || !check_size (&cli->options, error))
    return FALSE;
  options.width = cli->options.width > 0 ? (guint) cli->options.width : DEFAULT_WIDTH;
  options.height = cli->options.height > 0 ? (guint) cli->options.height : 0;
  if (options.format != NS_RENDER_SVG && ns_cli_is_terminal (cli))
    {
      g_set_error_literal (error,
                           NS_TRACE_ERROR,
                           NS_TRACE_ERROR_QUERY,
                           _ ("an image cannot be written to a terminal: specify a file with -o"));
      return FALSE;
    }
  trace = ns_cli_open_trace_to_draw (cli, error);
  if (trace == NULL || !ns_cli_time_parse_span (&cli->options, trace->file, &options.span, error))
    return FALSE;
  ns_missing_count (trace, &missing);
  options.n_lost = (guint32) MIN (missing.n_events, G_MAXUINT32);
  options.span.begin_ns = MAX (options.span.begin_ns, 0);
  options.span.end_ns = MIN (options.span.end_ns, MAX (trace->end_ns, 1));
  return ns_timeline_render (trace, &options, ns_cli_write, cli, error);
}
