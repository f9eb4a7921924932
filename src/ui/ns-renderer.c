/* How the window is drawn: with OpenGL where there is a graphics card, else with cairo.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-renderer.h"

#include <gtk/gtk.h>

/* The first GTK with GDK_DISABLE instead of the values of GDK_DEBUG that end in -disable. */
#define GDK_DISABLE_MINOR 16

/* Device nodes of graphics cards that OpenGL can use: of the kernel's DRM, NVIDIA's own, and WSL.
 */
static const char *const other_cards[] = { "nvidiactl", "dxg", NULL };

/**
 * ns_renderer_has_card:
 * @dev: (type filename): the folder of device nodes, `/dev` but in tests
 *
 * Returns: whether a graphics card may draw; without one, OpenGL is made by the processor
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
 * Has GTK draw with cairo where no graphics card draws, unless `GSK_RENDERER` says what to take.
 * OpenGL by the processor compiles its shaders at every start, and more than doubles the start and
 * the memory. With cairo the libraries of OpenGL are not loaded either. Call it before GTK is
 * initialized and before there is a second thread.
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
