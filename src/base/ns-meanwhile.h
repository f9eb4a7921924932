/* Work that another thread does meanwhile, where one can be had.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a thread adds to the nice value of the program that gives way to others of it: where both
 * want the same processor, they get three quarters of it. */
#define NS_MEANWHILE_BEHIND 5

typedef struct
{
  GThreadFunc func; /* NULL when nothing is left to do */
  gpointer data;
  GThread *thread; /* NULL when none could be had */
} NsMeanwhile;

void ns_meanwhile_begin (NsMeanwhile *self, const char *name, GThreadFunc func, gpointer data);
void ns_meanwhile_end (NsMeanwhile *self);
void ns_meanwhile_do_behind (const char *name, GThreadFunc func, gpointer data);
void ns_meanwhile_leave (const char *name, GThreadFunc func, gpointer data);

G_END_DECLS
