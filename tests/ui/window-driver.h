/* Starts a window on a virtual screen and a D-Bus of its own, and drives it by its actions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define DRIVER_APP_PATH "/org/netstitch/Netstitch"

/* Timeout of each wait on a slow machine. */
#define DRIVER_PATIENCE_US (30 * G_USEC_PER_SEC)

/* State reported by a window. */
typedef struct
{
  char *page;
  char *table;
  char *filter;
  guint n_rows;
  guint n_selected;
  gint64 begin_ns;
  gint64 end_ns;
} DriverState;

typedef gboolean (*DriverCondition) (const DriverState *state, gconstpointer data);

void driver_setenv (const char *name, const char *value);
int driver_run (const char *name, void (*add_tests) (void));
gboolean driver_start (const char *file);
GSubprocess *driver_start_program (const char *file);
void driver_stop (void);
const char *driver_get_folder (void);
const char *driver_get_display (void);
gint64 driver_get_start_us (void);
GVariant *driver_call (const char *path, const char *method, GVariant *parameters);
GVariant *driver_read_action (guint window, const char *action);
gboolean driver_read_state (guint window, DriverState *state);
void driver_state_clear (DriverState *state);
void driver_act (guint window, const char *action, GVariant *parameter);
void
driver_wait_for (guint window, DriverCondition condition, gconstpointer data, const char *what);

gboolean driver_page_is (const DriverState *state, gconstpointer page);
gboolean driver_rows_are (const DriverState *state, gconstpointer n_rows);
gboolean driver_selected_are (const DriverState *state, gconstpointer n_rows);

G_END_DECLS
