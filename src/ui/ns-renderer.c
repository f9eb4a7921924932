/* Choice of the GSK renderer: OpenGL with a graphics card, otherwise cairo.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-renderer.h"

#include <gtk/gtk.h>

/* GTK 4.16 replaced the GDK_DEBUG values that end in -disable with GDK_DISABLE. */
#define GDK_DISABLE_MINOR 16

/* Device nodes of graphics cards that may have no DRM render node: NVIDIA's driver, and WSL. */
static const char *const other_cards[] = { "nvidiactl", "dxg", NULL };

/**
 * ns_renderer_has_card:
 * @dev: (type filename): the folder of device nodes, `/dev` except in tests
 *
 * Returns: whether there may be a graphics card; without one, OpenGL is rendered in software
 */
gboolean
ns_renderer_has_card (const char *dev)
{
  g_autofree char *dri = g_build_filename (dev, "dri", NULL);
  g_autoptr (GDir) folder = g_dir_open (dri, 0, NULL);
  const char *name;
  guint i;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_prefix (name, "renderD"))
      return TRUE;
  for (i = 0; other_cards[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (dev, other_cards[i], NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return TRUE;
    }
  return FALSE;
}

/**
 * ns_renderer_choose:
 *
 * Makes GTK use cairo if there is no graphics card, unless `GSK_RENDERER` is set. Software OpenGL
 * compiles its shaders at every start, which more than doubles the startup time and the memory.
 * With cairo the OpenGL libraries are not loaded either. Must be called before GTK is initialized
 * and before a second thread starts, since it changes the environment.
 */
void
ns_renderer_choose (void)
{
  const char *asked = g_getenv ("GSK_RENDERER");

  if (asked == NULL && ns_renderer_has_card ("/dev"))
    return;
  if (asked == NULL)
    g_setenv ("GSK_RENDERER", "cairo", TRUE);
  else if (g_strcmp0 (asked, "cairo") != 0)
    return;
  if (gtk_get_minor_version () >= GDK_DISABLE_MINOR)
    g_setenv ("GDK_DISABLE", "gl,vulkan", FALSE);
  else
    g_setenv ("GDK_DEBUG", "gl-disable", FALSE);
}
