/* The timeline as a picture file: PNG, SVG or PDF, by the painter of the window.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"
#include "draw/ns-palette.h"
#include "draw/ns-timeline-lanes.h"

G_BEGIN_DECLS

/* Pictures larger than this in either direction are refused. */
#define NS_RENDER_MAX_PX 16384

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
  const char *title;
  const char *corner;
} NsRenderOptions;

gboolean ns_timeline_render (const NsTrace *trace,
                             const NsRenderOptions *options,
                             NsRenderWriteFunc write,
                             gpointer write_data,
                             GError **error);

G_END_DECLS
