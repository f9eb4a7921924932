/* Input and output of the log readers: takes lines of the text, reports parsed lines and errors.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "side/ns-side-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

void
ns_side_line_init (NsSideLine *line, guint32 number)
{
  *line = (NsSideLine){ .duration_ns = -1,
                        .line = number,
                        .text = "",
                        .pid = G_MAXUINT32,
                        .tid = G_MAXUINT32 };
}

/* Reports a line, with its time corrected. */
void
ns_side_reader_report (NsSideReader *self, NsSideLine *line)
{
  gint64 ticks = self->log->offset_ns / 100;

  if ((gint64) line->filetime > G_MAXINT64 / 4)
    {
      ns_side_reader_refuse (self, line->line, N_ ("an invalid time"));
      return;
    }
  line->filetime = (guint64) MAX ((gint64) line->filetime + ticks, 0);
  if (self->part > 0)
    line->part = self->part;
  self->log->n_lines++;
  self->func (line, self->user_data);
}

void
ns_side_reader_refuse (NsSideReader *self, guint32 line, const char *what)
{
  NsSideFault fault = { line, NULL };

  self->log->n_faults++;
  if (self->log->faults->len >= NS_SIDE_MAX_FAULTS)
    return;
  fault.what = g_strdup (_ (what));
  g_array_append_val (self->log->faults, fault);
}

/* Returns whether the limit of lines is reached; the caller reports that once. */
gboolean
ns_side_reader_is_full (const NsSideReader *self)
{
  return self->log->n_lines >= NS_SIDE_MAX_LINES || self->log->n_faults >= NS_SIDE_MAX_LINES;
}

/* Takes the next line without its end; a line that is too long is reported, and empty. */
gboolean
ns_side_reader_take_line (NsSideReader *self, GString *line)
{
  const char *end;
  gsize length;

  g_string_truncate (line, 0);
  if (self->at >= self->end)
    return FALSE;
  self->line++;
  end = memchr (self->at, '\n', (gsize) (self->end - self->at));
  length = (gsize) ((end != NULL ? end : self->end) - self->at);
  if (length > 0 && self->at[length - 1] == '\r')
    length--;
  if (length > NS_SIDE_MAX_LINE_BYTES)
    ns_side_reader_refuse (self, self->line, N_ ("too long for a log line"));
  else
    g_string_append_len (line, self->at, (gssize) length);
  self->at = end != NULL ? end + 1 : self->end;
  return TRUE;
}

gboolean
ns_side_parse_u32 (const char *text, guint32 *number)
{
  guint64 value;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32 - 1, &value, NULL))
    return FALSE;
  *number = (guint32) value;
  return TRUE;
}

/* Parses an address, which may include a port, and an optional separate port. */
gboolean
ns_side_parse_endpoint (const char *ip, const char *port, NsEndpoint *end)
{
  guint32 number;

  if (ip == NULL)
    return FALSE;
  if (!ns_ip_from_text (&end->ip, ip) && !ns_endpoint_from_text (end, ip))
    {
      memset (end, 0, sizeof *end);
      return FALSE;
    }
  if (port != NULL && ns_side_parse_u32 (port, &number) && number <= G_MAXUINT16)
    end->port = (guint16) number;
  return TRUE;
}

/* Returns the host of an absolute URL; (transfer full); NULL: none. */
char *
ns_side_dup_host (const char *url)
{
  const char *begin = strstr (url, "://");
  const char *end;
  const char *at;

  if (begin == NULL)
    return NULL;
  begin += 3;
  end = begin + strcspn (begin, "/?#");
  at = memchr (begin, '@', (gsize) (end - begin));
  if (at != NULL)
    begin = at + 1;
  if (*begin == '[')
    {
      begin++;
      end = begin + strcspn (begin, "]/?#");
    }
  else
    end = begin + strcspn (begin, ":/?#");
  return end > begin ? g_strndup (begin, (gsize) (end - begin)) : NULL;
}
