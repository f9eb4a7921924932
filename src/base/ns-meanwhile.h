/* Work in another thread, with a fallback to the calling thread.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Added to the nice value of low-priority threads: other threads of the program then get three
 * quarters of a shared processor. */
#define NS_MEANWHILE_BEHIND 5

typedef struct
{
  GThreadFunc func; /* NULL when the work is done */
  gpointer data;
  GThread *thread; /* NULL if no thread could be created */
} NsMeanwhile;

void ns_meanwhile_begin (NsMeanwhile *self, const char *name, GThreadFunc func, gpointer data);
void ns_meanwhile_end (NsMeanwhile *self);
void ns_meanwhile_do_behind (const char *name, GThreadFunc func, gpointer data);
void ns_meanwhile_leave (const char *name, GThreadFunc func, gpointer data);

G_END_DECLS
