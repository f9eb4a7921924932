/* The marks of numbers of a locale, for tests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE

#include "ns-test-marks.h"

#include <dlfcn.h>
#include <langinfo.h>
#include <stddef.h>

static const char *group_mark = "";
static const char *point_mark = ".";

void
test_marks_set (const char *group, const char *point)
{
  group_mark = group;
  point_mark = point;
}

/* Takes the place of the function of the C library, which it calls for everything else. */
char *
nl_langinfo (nl_item item)
{
  static char *(*real) (nl_item item);

  if (item == THOUSEP)
    return (char *) group_mark;
  if (item == RADIXCHAR)
    return (char *) point_mark;
  if (real == NULL)
    *(void **) &real = dlsym (RTLD_NEXT, "nl_langinfo");
  return real (item);
}
