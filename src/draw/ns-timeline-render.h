/* The timeline as a picture file: PNG, SVG or PDF, by the painter of the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"
#include "draw/ns-timeline-paint.h"

#include <cairo.h>
#include <pango/pango.h>

G_BEGIN_DECLS

/* Pictures larger than this in either direction are refused. */
#define NS_RENDER_MAX_PX 16384
/* Lane names, and the least plot beside them. */
#define NS_PICTURE_MIN_PX 334

typedef enum
{
  NS_RENDER_PNG,
  NS_RENDER_SVG,
  NS_RENDER_PDF,
} NsRenderFormat;

/**
 * NsRenderWriteFunc:
 * @data: (array length=n_bytes): the next piece
 * @n_bytes: how many
 * @user_data: the caller's
 * @error: what went wrong
 *
 * Returns: %FALSE to stop, with @error set
 */
typedef gboolean (*NsRenderWriteFunc) (const char *data,
                                       gsize n_bytes,
                                       gpointer user_data,
                                       GError **error);

/**
 * NsRenderOptions:
 * @format: the form
 * @width: px
 * @height: px; 0 for as much as all lanes take, within the limit
 * @span: what to show; empty for the whole trace
 * @palette: which colours
 * @font: a Pango font description of the body text
 * @words: texts of lanes without a name
 * @n_lost: records that the session lost
 * @title: of the overview
 * @corner: left of the ruler
 *
 * What to draw.
 */
typedef struct
{
  NsRenderFormat format;
  guint width;
  guint height;
  NsTimeSpan span;
  NsPaletteKind palette;
  const char *font;
  NsTimelineWords words;
  guint32 n_lost;
  const char *title;
  const char *corner;
} NsRenderOptions;

/**
 * NsTimelinePicture:
 * @trace: an opened trace
 * @lanes: of the rows to draw
 * @coverage: (nullable) (element-type NsCoverageLine): who recorded when
 * @overview: (nullable): the strip; %NULL to make one of all rows
 * @words: texts in lanes and bars
 * @span: what to show; empty for the whole trace
 * @selected: the selected span; empty for none
 * @palette: which colours
 * @font: a Pango font description of the body text
 * @width: px
 * @height: px; 0 for as much as all lanes take, within the limit
 * @clock_base_ns: from midnight to the trace's zero; below 0 for trace time
 * @n_lost: records that the session lost, for a legend that is made here
 * @title: of the overview
 * @legend: below it; either may be %NULL; taken from the strip when that is made here
 * @corner: left of the ruler
 * @pill: (nullable): on the selected span
 * @bookmarks: (array length=n_bookmarks): marked moments
 * @losses: (array length=n_losses): where events were lost
 * @gaps: (array length=n_gaps): spans of which something is missing
 * @holes: (array length=n_holes): when nobody recorded
 *
 * A timeline as it stands in a window, to be drawn elsewhere.
 */
typedef struct
{
  const NsTrace *trace;
  const NsTimelineLanes *lanes;
  const NsOverviewBins *overview;
  const GPtrArray *coverage;
  NsTimelineWords words;
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
