/* Preferences window: symbols, stacks, payloads, GeoIP database, and files stored for traces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define NS_TYPE_PREFERENCES (ns_preferences_get_type ())
G_DECLARE_FINAL_TYPE (NsPreferences, ns_preferences, NS, PREFERENCES, GtkWindow)

GtkWindow *ns_preferences_new (GtkWindow *parent);

G_END_DECLS
