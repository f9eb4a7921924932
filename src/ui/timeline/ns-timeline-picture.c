/* Exports the timeline as it is shown to printed pages and picture files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "model/ns-session-export.h"
#include "ui/timeline/ns-timeline-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* Cantarell if it is installed; printed pages have no theme font. */
#define FONT "Cantarell, sans-serif 11"

/**
 * ns_timeline_fill_picture:
 * @self: a timeline
 * @picture: (out caller-allocates): contents of the timeline; valid until @self changes
 *
 * Returns: %FALSE if it shows no trace
 */
gboolean
ns_timeline_fill_picture (NsTimeline *self, NsTimelinePicture *picture)
{
  NsTrace *trace;
  guint i;

  memset (picture, 0, sizeof *picture);
  if (self->session == NULL || self->lanes == NULL)
    return FALSE;
  trace = ns_session_get_trace (self->session);
  picture->trace = trace;
  picture->lanes = self->lanes;
  picture->overview = &self->overview;
  picture->coverage = self->coverage;
  picture->words = ns_timeline_get_words ();
  picture->span = (NsTimeSpan){ self->layout.begin_ns, self->layout.end_ns };
  picture->selected = ns_session_get_span (self->session);
  picture->font = FONT;
  picture->width = MAX (gtk_widget_get_width (GTK_WIDGET (self)), NS_PICTURE_MIN_PX);
  picture->clock_base_ns = ns_wall_get_base_ns (ns_session_get_wall (self->session), trace);
  picture->title = _ ("Overview");
  for (i = 0; i < NS_TIMELINE_N_LEGENDS; i++)
    picture->legend[i] = self->legend[i];
  picture->corner = ns_timeline_get_corner (self);
  picture->pill = self->pill;
  picture->bookmarks = (const NsTimelineMark *) (gpointer) self->bookmarks->data;
  picture->n_bookmarks = self->bookmarks->len;
  picture->gaps = (const NsTimeSpan *) (gpointer) ns_session_get_damage (self->session)->gaps->data;
  picture->n_gaps = ns_session_get_damage (self->session)->gaps->len;
  if (self->holes != NULL)
    {
      picture->holes = (const NsCoverageHole *) (gpointer) self->holes->data;
      picture->n_holes = self->holes->len;
    }
  if (self->losses != NULL)
    {
      picture->losses = (const gint64 *) (gpointer) self->losses->data;
      picture->n_losses = self->losses->len;
    }
  return TRUE;
}

static NsRenderFormat
format_of (const char *path)
{
  const char *suffix = strrchr (path, '.');

  if (suffix != NULL && g_ascii_strcasecmp (suffix, ".svg") == 0)
    return NS_RENDER_SVG;
  if (suffix != NULL && g_ascii_strcasecmp (suffix, ".pdf") == 0)
    return NS_RENDER_PDF;
  return NS_RENDER_PNG;
}

/**
 * ns_timeline_save_picture:
 * @self: a timeline
 * @path: a file name; the extension selects SVG or PDF, otherwise the format is PNG
 * @error: return location for an error
 *
 * Draws the visible time of all lanes that are not hidden or folded away.
 *
 * Returns: %TRUE if the file was written, or there was nothing to draw
 */
gboolean
ns_timeline_save_picture (NsTimeline *self, const char *path, GError **error)
{
  g_autoptr (NsExportFile) file = NULL;
  NsTimelinePicture picture;

  g_return_val_if_fail (NS_IS_TIMELINE (self), FALSE);

  if (!ns_timeline_fill_picture (self, &picture))
    return TRUE;
  file = ns_export_file_new (path, error);
  if (file == NULL)
    return FALSE;
  picture.palette = self->look.kind;
  return ns_timeline_picture_write (&picture,
                                    format_of (path),
                                    ns_export_file_write,
                                    file,
                                    error) &&
         ns_export_file_commit (file, error);
}

static gboolean
collect (const char *data, gsize n_bytes, gpointer user_data, GError **error)
{
  g_string_append_len (user_data, data, (gssize) n_bytes);
  return TRUE;
}

/**
 * ns_timeline_dup_svg:
 * @self: a timeline
 *
 * Returns: (transfer full) (nullable): the visible time in light colours, as SVG; %NULL if there is
 *   nothing to draw or the size is out of range
 */
char *
ns_timeline_dup_svg (NsTimeline *self)
{
  NsTimelinePicture picture;
  GString *svg;

  g_return_val_if_fail (NS_IS_TIMELINE (self), NULL);

  if (!ns_timeline_fill_picture (self, &picture))
    return NULL;
  svg = g_string_new (NULL);
  picture.palette = NS_PALETTE_LIGHT;
  if (ns_timeline_picture_write (&picture, NS_RENDER_SVG, collect, svg, NULL))
    return g_string_free (svg, FALSE);
  g_string_free (svg, TRUE);
  return NULL;
}
