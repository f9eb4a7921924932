/* The application: a single instance with one window per trace.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * NS_APPLICATION_NO_DISPLAY:
 *
 * Exit status of the program when no display can be reached (EX_UNAVAILABLE of sysexits.h).
 */
#define NS_APPLICATION_NO_DISPLAY 69

#define NS_TYPE_APPLICATION (ns_application_get_type ())
G_DECLARE_FINAL_TYPE (NsApplication, ns_application, NS, APPLICATION, GtkApplication)

NsApplication *ns_application_new (void);
const char *ns_application_get_config_problems (NsApplication *self);

G_END_DECLS
