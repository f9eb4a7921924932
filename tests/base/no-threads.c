/* LD_PRELOAD library that makes thread creation fail, as on a system out of memory or thread IDs.
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
