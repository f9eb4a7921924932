/* Drawing helpers that all painters share: colours, pixel-aligned boxes, text and marks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/ns-palette.h"

#include <cairo.h>
#include <pango/pangocairo.h>

G_BEGIN_DECLS

/* A cairo context with the palette, fonts and state of the drawing helpers. */
typedef struct
{
  cairo_t *cr;
  const NsPalette *palette;
  const PangoFontDescription *dense;
  const PangoFontDescription *caption;
  double scale;
  PangoLayout *layout;
  guint n_texts; /* texts drawn so far in this frame */
  /* width in px by which x is mirrored, for right-to-left layouts; 0: not mirrored */
  double mirror;
  /* (nullable) (element-type cairo_rectangle_t): receives the position of each text */
  GArray *boxes;
} NsPaint;

/* Maximum number of texts in one frame, which limits the time a frame takes. */
#define NS_PAINT_MAX_TEXTS 150

void ns_paint_color (NsPaint *self, NsColorRole role, double alpha);
void ns_paint_mix (NsPaint *self, NsColorRole over, NsColorRole under, double part);
double ns_paint_x (const NsPaint *self, double x);
void ns_paint_box (NsPaint *self, double x0, double y0, double x1, double y1);
void ns_paint_crop (NsPaint *self, double step, double *x0, double *x1);
void ns_paint_line (NsPaint *self, double x0, double y0, double x1, double y1);
void ns_paint_hatch (NsPaint *self,
                     double x0,
                     double y0,
                     double x1,
                     double y1,
                     double step,
                     gboolean is_crossed);
PangoEllipsizeMode ns_paint_get_ellipsis (const char *text);
double ns_paint_text (NsPaint *self,
                      const PangoFontDescription *font,
                      const char *text,
                      double x,
                      double middle_y,
                      double max_width);
double ns_paint_text_least_width (const PangoFontDescription *font, const char *text);
double ns_paint_text_width (NsPaint *self, const PangoFontDescription *font, const char *text);
void ns_paint_protocol_mark (NsPaint *self, guint32 protocol, double x, double y, double size);
void ns_paint_cross (NsPaint *self, double x, double y, double size);
void ns_paint_redirect (NsPaint *self, double x, double y);
void ns_paint_cancelled (NsPaint *self, double x, double y, double size);
void ns_paint_expander (NsPaint *self, double x, double y, gboolean is_open);

/* Mark of a finding by severity, or of a rule that found nothing or was not checked. */
typedef enum
{
  NS_SEVERITY_MARK_NONE,
  NS_SEVERITY_MARK_NOTE,
  NS_SEVERITY_MARK_WARNING,
  NS_SEVERITY_MARK_PROBLEM,
  NS_SEVERITY_MARK_UNJUDGED,
  NS_SEVERITY_MARK_FINE,
} NsSeverityMark;

void ns_paint_severity (NsPaint *self, NsSeverityMark mark, double x, double y);

G_END_DECLS
