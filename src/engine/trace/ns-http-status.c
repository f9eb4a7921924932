/* Parses the status code of an HTTP status line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-http-status.h"

/**
 * ns_http_status_of_line:
 * @line: (nullable): first line of a response
 *
 * Returns: its status code; 0 if it is not a status line
 */
guint32
ns_http_status_of_line (const char *line)
{
  guint32 status = 0;
  guint i;

  if (line == NULL || g_ascii_strncasecmp (line, "HTTP", 4) != 0)
    return 0;
  while (*line != '\0' && *line != ' ')
    line++;
  while (*line == ' ')
    line++;
  for (i = 0; i < 3 && g_ascii_isdigit (line[i]); i++)
    status = status * 10 + (guint32) (line[i] - '0');
  return i == 3 && !g_ascii_isdigit (line[3]) ? status : 0;
}
