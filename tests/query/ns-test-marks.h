/* The marks of numbers of a locale, for tests: the locale itself may not be installed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* Sets what nl_langinfo() returns; the C locale has "" and ".". Both must be literals. */
void test_marks_set (const char *group, const char *point);
