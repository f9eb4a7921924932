/* Reads logs in the W3C extended log file format: IIS, HTTP.sys, Windows Firewall.
 *
 * `#Fields:` names the words of the following lines, and may occur several times. `-` stands for a
 * missing value. Times are UTC unless the firewall's `#Time Format: Local` says otherwise. Fields:
 * https://learn.microsoft.com/windows/win32/http/iis-logging and pfirewall.log itself.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "side/ns-side-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_FIELDS 64

typedef enum
{
  FIELD_OTHER,
  FIELD_DATE,
  FIELD_TIME,
  FIELD_ACTION,
  FIELD_PROTOCOL,
  FIELD_SRC_IP,
  FIELD_DST_IP,
  FIELD_SRC_PORT,
  FIELD_DST_PORT,
  FIELD_PATH,
  FIELD_PID,
  FIELD_S_IP,
  FIELD_S_PORT,
  FIELD_C_IP,
  FIELD_C_PORT,
  FIELD_METHOD,
  FIELD_STEM,
  FIELD_QUERY,
  FIELD_HOST,
  FIELD_STATUS,
  FIELD_SUBSTATUS,
  FIELD_TAKEN,
  FIELD_REASON,
  FIELD_COMPUTER,
  N_FIELDS,
} Field;

static const struct
{
  const char *name;
  Field field;
} names[] = {
  { "date", FIELD_DATE },
  { "time", FIELD_TIME },
  { "action", FIELD_ACTION },
  { "protocol", FIELD_PROTOCOL },
  { "src-ip", FIELD_SRC_IP },
  { "dst-ip", FIELD_DST_IP },
  { "src-port", FIELD_SRC_PORT },
  { "dst-port", FIELD_DST_PORT },
  { "path", FIELD_PATH },
  { "pid", FIELD_PID },
  { "s-ip", FIELD_S_IP },
  { "s-port", FIELD_S_PORT },
  { "c-ip", FIELD_C_IP },
  { "c-port", FIELD_C_PORT },
  { "cs-method", FIELD_METHOD },
  { "cs-uri-stem", FIELD_STEM },
  { "cs-uri", FIELD_STEM },
  { "cs-uri-query", FIELD_QUERY },
  { "cs-host", FIELD_HOST },
  { "sc-status", FIELD_STATUS },
  { "sc-substatus", FIELD_SUBSTATUS },
  { "time-taken", FIELD_TAKEN },
  { "s-reason", FIELD_REASON },
  { "s-computername", FIELD_COMPUTER },
};

typedef struct
{
  NsSideReader *reader;
  guint8 fields[MAX_FIELDS];
  guint8 columns[MAX_FIELDS]; /* #NsSideColumn */
  guint n_fields;
  gboolean is_local;
  char *words[N_FIELDS]; /* values in the current line; NULL: missing */
} Log;

static void
take_fields (Log *self, const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);
  guint i;
  guint k;

  self->n_fields = 0;
  for (i = 0; words[i] != NULL && self->n_fields < MAX_FIELDS; i++)
    {
      if (*words[i] == '\0')
        continue;
      self->fields[self->n_fields] = FIELD_OTHER;
      self->columns[self->n_fields] =
          (guint8) ns_side_secrets_find_column (self->reader->options->secrets, words[i]);
      for (k = 0; k < G_N_ELEMENTS (names); k++)
        if (g_ascii_strcasecmp (words[i], names[k].name) == 0)
          self->fields[self->n_fields] = names[k].field;
      self->n_fields++;
    }
}

static void
take_directive (Log *self, const char *line)
{
  static const char fields[] = "#Fields:";
  static const char format[] = "#Time Format:";

  if (g_ascii_strncasecmp (line, fields, sizeof fields - 1) == 0)
    take_fields (self, line + sizeof fields - 1);
  else if (g_ascii_strncasecmp (line, format, sizeof format - 1) == 0)
    self->is_local = g_strrstr (line + sizeof format - 1, "ocal") != NULL;
}

/* Returns the line with the secrets masked that its columns identify; (transfer full). */
static char *
dup_text (const Log *self, const char *line)
{
  GString *text = g_string_new (NULL);
  guint n_words = 0;

  while (*line != '\0')
    {
      gsize n_space = strspn (line, " \t");
      gsize n = strcspn (line + n_space, " \t");
      g_autofree char *word = g_strndup (line + n_space, n);

      g_string_append_len (text, line, (gssize) n_space);
      ns_side_secrets_append (self->reader->options->secrets,
                              text,
                              n_words < self->n_fields ? self->columns[n_words]
                                                       : NS_SIDE_COLUMN_PLAIN,
                              word);
      line += n_space + n;
      n_words++;
    }
  return g_string_free (text, FALSE);
}

/* Splits a line, in place, and assigns its words to their fields. */
static guint
take_words (Log *self, char *line)
{
  guint n_words = 0;

  memset (self->words, 0, sizeof self->words);
  while (*line != '\0')
    {
      char *end = line + strcspn (line, " \t");
      gboolean is_last = *end == '\0';

      *end = '\0';
      if (end > line)
        {
          if (n_words < self->n_fields && strcmp (line, "-") != 0)
            self->words[self->fields[n_words]] = line;
          n_words++;
        }
      if (is_last)
        break;
      line = end + 1;
    }
  return n_words;
}

static void
take_ends (Log *self, NsSideLine *line)
{
  char **words = self->words;
  /* For received packets the destination is the local end. */
  gboolean is_in =
      words[FIELD_PATH] != NULL && g_ascii_strcasecmp (words[FIELD_PATH], "RECEIVE") == 0;
  NsEndpoint *source = is_in ? &line->remote : &line->local;
  NsEndpoint *destination = is_in ? &line->local : &line->remote;

  if (words[FIELD_SRC_IP] != NULL || words[FIELD_DST_IP] != NULL)
    {
      ns_side_parse_endpoint (words[FIELD_SRC_IP], words[FIELD_SRC_PORT], source);
      ns_side_parse_endpoint (words[FIELD_DST_IP], words[FIELD_DST_PORT], destination);
      return;
    }
  ns_side_parse_endpoint (words[FIELD_C_IP], words[FIELD_C_PORT], &line->remote);
  ns_side_parse_endpoint (words[FIELD_S_IP], words[FIELD_S_PORT], &line->local);
}

static char *
dup_url (Log *self)
{
  char **words = self->words;

  if (words[FIELD_STEM] == NULL)
    return NULL;
  if (words[FIELD_QUERY] == NULL)
    return g_strdup (words[FIELD_STEM]);
  return g_strconcat (words[FIELD_STEM], "?", words[FIELD_QUERY], NULL);
}

static void
take_line (Log *self, GString *text, guint32 number)
{
  g_autofree char *whole = dup_text (self, text->str);
  g_autofree char *stamp = NULL;
  g_autofree char *url = NULL;
  g_autofree char *status = NULL;
  char **words = self->words;
  NsSideLine line;
  guint32 value;

  ns_side_line_init (&line, number);
  if (take_words (self, text->str) < self->n_fields)
    {
      ns_side_reader_refuse (self->reader, number, N_ ("fewer values than #Fields defines"));
      return;
    }
  stamp = g_strconcat (words[FIELD_DATE] != NULL ? words[FIELD_DATE] : "",
                       " ",
                       words[FIELD_TIME] != NULL ? words[FIELD_TIME] : "",
                       NULL);
  if (!ns_side_time_parse (stamp,
                           self->is_local ? NS_SIDE_CLOCK_LOCAL : NS_SIDE_CLOCK_UTC,
                           self->reader->options,
                           &line.filetime,
                           &line.uncertainty_ns))
    {
      ns_side_reader_refuse (self->reader, number, N_ ("no date and time"));
      return;
    }
  take_ends (self, &line);
  url = dup_url (self);
  line.text = whole;
  line.url = url;
  line.action = words[FIELD_ACTION] != NULL ? words[FIELD_ACTION] : words[FIELD_METHOD];
  line.protocol = words[FIELD_PROTOCOL];
  line.server = words[FIELD_HOST] != NULL ? words[FIELD_HOST] : words[FIELD_COMPUTER];
  line.status = words[FIELD_STATUS] != NULL ? words[FIELD_STATUS] : words[FIELD_REASON];
  if (words[FIELD_STATUS] != NULL && words[FIELD_SUBSTATUS] != NULL &&
      strcmp (words[FIELD_SUBSTATUS], "0") != 0)
    line.status = status = g_strdup_printf ("%s.%s", words[FIELD_STATUS], words[FIELD_SUBSTATUS]);
  if (words[FIELD_TAKEN] != NULL && ns_side_parse_u32 (words[FIELD_TAKEN], &value))
    line.duration_ns = (gint64) value * (NS_PER_SECOND / 1000);
  if (words[FIELD_PID] != NULL && ns_side_parse_u32 (words[FIELD_PID], &value))
    line.pid = value;
  line.is_failed =
      (words[FIELD_STATUS] != NULL && ns_side_parse_u32 (words[FIELD_STATUS], &value) &&
       value >= 400) ||
      (words[FIELD_ACTION] != NULL && g_ascii_strcasecmp (words[FIELD_ACTION], "DROP") == 0) ||
      (words[FIELD_STATUS] == NULL && words[FIELD_REASON] != NULL);
  ns_side_reader_report (self->reader, &line);
}

/**
 * ns_side_read_w3c: (skip)
 * @self: a reader at the beginning of the file
 *
 * Reads the lines of a log in the W3C extended log file format.
 */
void
ns_side_read_w3c (NsSideReader *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Log log = { .reader = self, .is_local = self->log->kind == NS_SIDE_FIREWALL };

  while (!ns_side_reader_is_full (self) && ns_side_reader_take_line (self, text))
    {
      if (text->len == 0)
        continue;
      if (text->str[0] == '#')
        take_directive (&log, text->str);
      else if (log.n_fields == 0)
        ns_side_reader_refuse (self, self->line, N_ ("a line before the #Fields directive"));
      else
        take_line (&log, text, self->line);
    }
}
