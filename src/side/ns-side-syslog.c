/* Reads syslog files: RFC 5424, RFC 3164, and mixtures of both.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "side/ns-side-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Severities of RFC 5424, table 2. */
static const char *const severities[] = { "emergency", "alert",  "critical",      "error",
                                          "warning",   "notice", "informational", "debug" };
#define FIRST_FINE 4 /* more severe ones report failures */
#define MAX_PRIORITY 191

/* The part of a line before the message. */
typedef struct
{
  guint64 filetime;
  gint64 uncertainty_ns;
  int priority; /* -1: none */
  gboolean is_new;
  const char *rest;
} Head;

static gboolean
take_priority (Head *head)
{
  const char *p = head->rest;
  int value = 0;

  head->priority = -1;
  if (*p != '<')
    return TRUE;
  for (p++; g_ascii_isdigit (*p) && value <= MAX_PRIORITY; p++)
    value = value * 10 + g_ascii_digit_value (*p);
  if (*p != '>' || value > MAX_PRIORITY || p == head->rest + 1)
    return FALSE;
  head->priority = value;
  head->rest = p + 1;
  /* A version number marks the format of RFC 5424. */
  if (g_ascii_isdigit (head->rest[0]) && head->rest[1] == ' ')
    {
      head->is_new = TRUE;
      head->rest += 2;
    }
  return TRUE;
}

static gboolean
take_head (Head *head, const char *line, const NsSideOptions *options)
{
  char stamp[64];
  gsize length;

  head->rest = line;
  head->is_new = FALSE;
  if (!take_priority (head))
    return FALSE;
  if (ns_side_time_parse_short (head->rest, options, &head->rest, &head->filetime))
    {
      head->uncertainty_ns = NS_PER_SECOND / 2;
      return *head->rest == ' ';
    }
  length = strcspn (head->rest, " ");
  if (length >= sizeof stamp || head->rest[length] != ' ' || strchr (head->rest, 'T') == NULL)
    return FALSE;
  memcpy (stamp, head->rest, length);
  stamp[length] = '\0';
  head->rest += length;
  return ns_side_time_parse (stamp,
                             NS_SIDE_CLOCK_LOCAL,
                             options,
                             &head->filetime,
                             &head->uncertainty_ns);
}

/* Takes a word from the text; (transfer full); NULL: "-", or the end. */
static char *
take_word (const char **at)
{
  const char *begin = *at + strspn (*at, " ");
  gsize length = strcspn (begin, " ");

  *at = begin + length;
  return length == 0 || (length == 1 && *begin == '-') ? NULL : g_strndup (begin, length);
}

/* Takes `program[12]:` or `program:`; any other text belongs to the message. */
static char *
take_tag (const char **at, guint32 *pid)
{
  const char *begin = *at + strspn (*at, " ");
  gsize length = strcspn (begin, " [:");
  const char *p = begin + length;
  g_autofree char *number = NULL;

  if (length == 0)
    return NULL;
  if (*p == '[')
    {
      gsize n_digits = strspn (p + 1, "0123456789");

      if (p[1 + n_digits] != ']')
        return NULL;
      number = g_strndup (p + 1, n_digits);
      ns_side_parse_u32 (number, pid);
      p += n_digits + 2;
    }
  if (*p != ':')
    return NULL;
  *at = p + 1;
  return g_strndup (begin, length);
}

static void
take_line (NsSideReader *self, const char *text)
{
  g_autofree char *process = NULL;
  g_autofree char *action = NULL;
  g_autofree char *host = NULL;
  g_autoptr (GString) whole = NULL;
  NsSideLine line;
  Head head;

  ns_side_line_init (&line, self->line);
  if (!take_head (&head, text, self->options))
    {
      ns_side_reader_refuse (self, self->line, N_ ("no syslog time stamp"));
      return;
    }
  line.filetime = head.filetime;
  line.uncertainty_ns = head.uncertainty_ns;
  host = take_word (&head.rest);
  if (head.is_new)
    {
      g_autofree char *pid = NULL;

      process = take_word (&head.rest);
      pid = take_word (&head.rest);
      action = take_word (&head.rest);
      if (pid != NULL)
        ns_side_parse_u32 (pid, &line.pid);
    }
  else
    process = take_tag (&head.rest, &line.pid);
  whole = g_string_new (head.rest + strspn (head.rest, " "));
  ns_side_secrets_mask_commands (self->options->secrets, whole);
  line.text = whole->str;
  line.process = process;
  line.action = action;
  line.server = host;
  if (head.priority >= 0)
    {
      line.status = severities[head.priority % 8];
      line.is_failed = head.priority % 8 < FIRST_FINE;
    }
  ns_side_reader_report (self, &line);
}

/**
 * ns_side_is_syslog: (skip)
 * @line: a line of a file
 *
 * Returns: whether it begins like a syslog line
 */
gboolean
ns_side_is_syslog (const char *line)
{
  static const NsSideOptions none = { 0 };
  Head head;

  return take_head (&head, line, &none);
}

/**
 * ns_side_read_syslog: (skip)
 * @self: a reader at the beginning of the file
 *
 * Reads the lines of a syslog file.
 */
void
ns_side_read_syslog (NsSideReader *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  while (!ns_side_reader_is_full (self) && ns_side_reader_take_line (self, text))
    if (text->len > 0)
      take_line (self, text->str);
}
