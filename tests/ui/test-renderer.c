/* Tests the choice of GTK's renderer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-renderer.h"

#include <glib/gstdio.h>

static void
make_file (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
}

static void
test_card (void)
{
  g_autofree char *dev = g_dir_make_tmp ("netstitch-dev-XXXXXX", NULL);
  g_autofree char *dri = g_build_filename (dev, "dri", NULL);
  g_autofree char *card = g_build_filename (dri, "card0", NULL);
  g_autofree char *node = g_build_filename (dri, "renderD128", NULL);
  g_autofree char *other = g_build_filename (dev, "dxg", NULL);

  g_assert_false (ns_renderer_has_card (dev));
  g_assert_cmpint (g_mkdir (dri, 0700), ==, 0);
  /* A display device without a GPU. */
  make_file (dri, "card0");
  g_assert_false (ns_renderer_has_card (dev));
  make_file (dri, "renderD128");
  g_assert_true (ns_renderer_has_card (dev));
  g_assert_cmpint (g_unlink (node), ==, 0);
  make_file (dev, "dxg");
  g_assert_true (ns_renderer_has_card (dev));
  g_assert_cmpint (g_unlink (other), ==, 0);
  g_assert_false (ns_renderer_has_card (dev));
  g_assert_cmpint (g_unlink (card), ==, 0);
  g_assert_cmpint (g_rmdir (dri), ==, 0);
  g_assert_cmpint (g_rmdir (dev), ==, 0);
}

static gboolean
is_gl_off (void)
{
  return g_getenv ("GDK_DEBUG") != NULL || g_getenv ("GDK_DISABLE") != NULL;
}

static void
test_asked (void)
{
  g_unsetenv ("GDK_DEBUG");
  g_unsetenv ("GDK_DISABLE");
  g_setenv ("GSK_RENDERER", "ngl", TRUE);
  ns_renderer_choose ();
  g_assert_cmpstr (g_getenv ("GSK_RENDERER"), ==, "ngl");
  g_assert_false (is_gl_off ());

  g_setenv ("GSK_RENDERER", "cairo", TRUE);
  ns_renderer_choose ();
  g_assert_cmpstr (g_getenv ("GSK_RENDERER"), ==, "cairo");
  g_assert_true (is_gl_off ());
}

static void
test_own_choice (void)
{
  g_unsetenv ("GDK_DEBUG");
  g_unsetenv ("GDK_DISABLE");
  g_unsetenv ("GSK_RENDERER");
  ns_renderer_choose ();
  if (ns_renderer_has_card ("/dev"))
    g_assert_null (g_getenv ("GSK_RENDERER"));
  else
    g_assert_cmpstr (g_getenv ("GSK_RENDERER"), ==, "cairo");
  g_assert_cmpint (is_gl_off (), ==, !ns_renderer_has_card ("/dev"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/renderer/card", test_card);
  g_test_add_func ("/renderer/asked", test_asked);
  g_test_add_func ("/renderer/own-choice", test_own_choice);
  return g_test_run ();
}
