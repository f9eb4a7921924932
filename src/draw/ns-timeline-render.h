/* Draws the timeline to a PNG, SVG or PDF file with the painter of the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"
#include "draw/ns-timeline-paint.h"

#include <cairo.h>
#include <pango/pango.h>

G_BEGIN_DECLS

/* Maximum width and height of a picture. */
#define NS_RENDER_MAX_PX 16384
/* Minimum width of a picture: the lane names and a small plot. */
#define NS_PICTURE_MIN_PX 334

typedef enum
{
  NS_RENDER_PNG,
  NS_RENDER_SVG,
  NS_RENDER_PDF,
} NsRenderFormat;

/**
 * NsRenderWriteFunc:
 * @data: (array length=n_bytes): the next bytes of the file
 * @n_bytes: number of bytes
 * @user_data: user data
 * @error: return location for an error
 *
 * Returns: %FALSE to cancel, with @error set
 */
typedef gboolean (*NsRenderWriteFunc) (const char *data,
                                       gsize n_bytes,
                                       gpointer user_data,
                                       GError **error);

/**
 * NsRenderOptions:
 * @format: file format
 * @width: px
 * @height: px; 0 for the height of all lanes, within the limit
 * @span: time to show; empty for the whole trace
 * @palette: the colours
 * @font: a Pango font description of the body text
 * @words: texts for the lanes
 * @n_lost: number of events that the session lost
 * @title: title of the overview
 * @corner: text left of the ruler
 *
 * Options of ns_timeline_render().
 */
typedef struct
{
  NsRenderFormat format;
  guint width;
  guint height;
  NsTimeSpan span;
  NsPaletteKind palette;
  const char *font;
  NsTimelineTexts words;
  guint32 n_lost;
  const char *title;
  const char *corner;
} NsRenderOptions;

/**
 * NsTimelinePicture:
 * @trace: an opened trace
 * @lanes: lanes of the rows to draw
 * @coverage: (nullable) (element-type NsCoverageLine): recording times
 * @overview: (nullable): the overview strip; %NULL to count all rows
 * @words: texts for lanes and bars
 * @span: time to show; empty for the whole trace
 * @selected: the selected span; empty for none
 * @palette: the colours
 * @font: a Pango font description of the body text
 * @width: px
 * @height: px; 0 for the height of all lanes, within the limit
 * @clock_base_ns: time from midnight to time 0 of the trace; below 0 for trace time
 * @n_lost: number of events that the session lost; used if @overview is %NULL
 * @title: title of the overview
 * @legend: texts of the legend, or %NULL; made from the strip if @overview is %NULL
 * @corner: text left of the ruler
 * @pill: (nullable): label of the selected span
 * @bookmarks: (array length=n_bookmarks): bookmarks
 * @losses: (array length=n_losses): times before which events were lost
 * @gaps: (array length=n_gaps): time spans with missing events
 * @holes: (array length=n_holes): times that no trace recorded
 *
 * A timeline like that of the window, to be drawn to a file or a page.
 */
typedef struct
{
  const NsTrace *trace;
  const NsTimelineLanes *lanes;
  const NsOverviewBins *overview;
  const GPtrArray *coverage;
  NsTimelineTexts words;
  NsTimeSpan span;
  NsTimeSpan selected;
  NsPaletteKind palette;
  const char *font;
  double width;
  double height;
  gint64 clock_base_ns;
  guint32 n_lost;
  const char *title;
  const char *legend[NS_TIMELINE_N_LEGENDS];
  const char *corner;
  const char *pill;
  const NsTimelineMark *bookmarks;
  guint n_bookmarks;
  const gint64 *losses;
  guint n_losses;
  const NsTimeSpan *gaps;
  guint n_gaps;
  const NsCoverageHole *holes;
  guint n_holes;
} NsTimelinePicture;

void ns_timeline_picture_init_metrics (const NsTimelinePicture *self, NsTimelineMetrics *metrics);
double ns_timeline_picture_get_height (const NsTimelinePicture *self);
PangoFontDescription *ns_timeline_picture_font (const NsTimelinePicture *self, double factor);
void ns_timeline_picture_paint (const NsTimelinePicture *self, cairo_t *cr);
gboolean ns_timeline_picture_write (const NsTimelinePicture *self,
                                    NsRenderFormat format,
                                    NsRenderWriteFunc write,
                                    gpointer write_data,
                                    GError **error);
gboolean ns_timeline_render (const NsTrace *trace,
                             const NsRenderOptions *options,
                             NsRenderWriteFunc write,
                             gpointer write_data,
                             GError **error);

G_END_DECLS
