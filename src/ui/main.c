/* `netstitch`: the window's main function.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-application.h"
#include "ui/ns-renderer.h"
#include "ui/ns-settings.h"

#include <glib/gi18n.h>
#include <locale.h>

int
main (int argc, char *argv[])
{
  g_autoptr (NsApplication) application = NULL;
  const char *locale_dir;

  setlocale (LC_ALL, "");
  ns_renderer_choose ();
  ns_settings_choose_backend ();
  /* Lets translations be tried before they are installed. */
  locale_dir = g_getenv ("NETSTITCH_LOCALE_DIR");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir != NULL ? locale_dir : LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  g_set_application_name ("Netstitch");
  application = ns_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
