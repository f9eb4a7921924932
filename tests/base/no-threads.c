/* Preloaded into a program, leaves it without any thread but its first: a system that is out of
 * memory or of numbers for threads does the same.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>

int
pthread_create (pthread_t *thread, const pthread_attr_t *attr, void *(*func) (void *), void *data)
{
  return EAGAIN;
}
