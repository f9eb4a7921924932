/* Work that another thread does meanwhile, where one can be had.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  GThreadFunc func; /* NULL when nothing is left to do */
  gpointer data;
  GThread *thread; /* NULL when none could be had */
} NsMeanwhile;

void ns_meanwhile_begin (NsMeanwhile *self, const char *name, GThreadFunc func, gpointer data);
void ns_meanwhile_end (NsMeanwhile *self);
void ns_meanwhile_leave (const char *name, GThreadFunc func, gpointer data);

G_END_DECLS
