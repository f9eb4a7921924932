/* Jump targets in copied text: a time, a view, or rows that contain it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-hash.h"
#include "query/ns-place-time.h"
#include "query/ns-place.h"

#include <string.h>

/* Maximum number of images searched for one address. */
#define MAX_FRAMES 8

/* Fields of a table in which a kind of target is searched: alternatives, tried in this order. */
typedef struct
{
  NsPlaceSort sort;
  const char *op;
  const char *fields[8];
} Step;

static const Step steps[] = {
  { NS_PLACE_URL, "=", { "url" } },
  { NS_PLACE_URL, ":", { "url" } },
  { NS_PLACE_URL, "host", { "server", "query" } },
  { NS_PLACE_HOST, "=", { "server", "server_alt", "query", "aliases" } },
  { NS_PLACE_HOST, ":", { "server", "url", "query", "aliases", "process", "name" } },
  { NS_PLACE_IP, "=", { "ip", "addresses", "src", "dst" } },
  { NS_PLACE_IP, "=", { "local_ip" } },
  { NS_PLACE_ENDPOINT, "=", { "ip_port" } },
  { NS_PLACE_ENDPOINT, "=", { "local_ip_port" } },
  { NS_PLACE_NUMBER, "=", { "pid" } },
  { NS_PLACE_NUMBER, "=", { "tid", "first_tid", "tid_open", "caller_tid", "tid_create" } },
  { NS_PLACE_NUMBER, "=", { "http_status" } },
  { NS_PLACE_NUMBER, "code", { "error", "status_text" } },
  { NS_PLACE_NUMBER, "=", { "port", "local_port", "src_port", "dst_port" } },
  { NS_PLACE_HEX, "=", { "request", "connection", "tcb", "endpoint", "session", "context" } },
  { NS_PLACE_HEX, "=", { "socket" } },
  { NS_PLACE_HEX, "code", { "error", "status_text" } },
  { NS_PLACE_HEX, "frame", { "stack" } },
  { NS_PLACE_HEX, "=", { "base", "start_address" } },
  { NS_PLACE_CODE, ":", { "error", "status_text", "status" } },
  { NS_PLACE_FRAME, ":", { "stack" } },
  { NS_PLACE_GUID, "=", { "activity_guid", "activity", "related_activity", "guid", "provider" } },
};

static gboolean
is_known_name (const char *text, const char *chars)
{
  return *text != '\0' && strspn (text, chars) == strlen (text);
}

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* Extracts the host of `host:port`, `user@host` or `host/path`, without the root dot and
 * brackets; %NULL: none, as in `file:///x`. */
static char *
dup_host (const char *text)
{
  const char *begin = strstr (text, "://");
  const char *end;
  const char *at;

  begin = begin != NULL ? begin + strlen ("://") : text;
  end = begin + strcspn (begin, "/?#");
  at = memchr (begin, '@', (gsize) (end - begin));
  if (at != NULL)
    begin = at + 1;
  at = memchr (begin, ']', (gsize) (end - begin));
  if (*begin == '[' && at != NULL)
    return g_strndup (begin + 1, (gsize) (at - begin - 1));
  at = memchr (begin, ':', (gsize) (end - begin));
  if (at != NULL)
    end = at;
  if (end > begin && end[-1] == '.')
    end--;
  return end > begin ? g_strndup (begin, (gsize) (end - begin)) : NULL;
}

/* Returns whether the text is like `1.2.3.4:443` or `[::1]:443`. */
static gboolean
is_endpoint (const char *text)
{
  NsEndpoint end = { 0 };
  NsIp ip;

  return !ns_ip_from_text (&ip, text) && ns_endpoint_from_text (&end, text) && end.port != 0;
}

/* Returns whether the text is like a host: it has a dot, or a port after it. */
static gboolean
is_host (const char *text)
{
  const char *colon = strchr (text, ':');
  g_autofree char *host = dup_host (text);

  return host != NULL && is_known_name (host, LETTERS DIGITS ".-_") &&
         strpbrk (host, LETTERS) != NULL && !g_str_has_suffix (host, ".exe") &&
         ((strchr (host, '.') != NULL && (colon == NULL || is_known_name (colon + 1, DIGITS))) ||
          (colon != NULL && is_known_name (colon + 1, DIGITS)));
}

static gboolean
is_frame (const char *text)
{
  const char *plus = strstr (text, "+0x");

  return strpbrk (text, " \t") == NULL &&
         ((strchr (text, '!') != NULL && *text != '!') || (plus != NULL && plus > text));
}

/* Finds the number in `OUTLOOK.EXE (4312)`, `pid 4312`, `PID: 4312`. */
static gboolean
find_number (const char *text, const char **digits)
{
  gsize length = strlen (text);
  const char *open = strrchr (text, '(');

  *digits = text;
  if (open != NULL && text[length - 1] == ')' && open > text)
    *digits = open + 1;
  else if (g_ascii_strncasecmp (text, "pid", 3) == 0 || g_ascii_strncasecmp (text, "tid", 3) == 0)
    *digits = text + 3 + strspn (text + 3, " :=");
  length = strspn (*digits, DIGITS);
  return length > 0 && length < 12 && ((*digits)[length] == '\0' || (*digits)[length] == ')');
}

static NsPlaceSort
find_sort (const char *text, guint64 *number)
{
  const char *digits = text;
  NsGuid guid;
  NsIp ip;

  *number = 0;
  if (strstr (text, "://") != NULL)
    return NS_PLACE_URL;
  if (ns_guid_from_text (&guid, text))
    return NS_PLACE_GUID;
  if (g_ascii_strncasecmp (text, "0x", 2) == 0 &&
      g_ascii_string_to_unsigned (text + 2, 16, 1, G_MAXUINT64, number, NULL))
    return NS_PLACE_HEX;
  if (*text == '-' && g_ascii_string_to_unsigned (text + 1, 10, 1, G_MAXUINT32, number, NULL))
    {
      /* An HRESULT as a negative number. */
      *number = (guint32) - (gint64) *number;
      return NS_PLACE_HEX;
    }
  if (find_number (text, &digits))
    {
      *number = g_ascii_strtoull (digits, NULL, 10);
      return NS_PLACE_NUMBER;
    }
  if (ns_ip_from_text (&ip, text))
    return NS_PLACE_IP;
  if (is_endpoint (text))
    return NS_PLACE_ENDPOINT;
  if (is_frame (text))
    return NS_PLACE_FRAME;
  if (is_known_name (text, CAPITALS DIGITS "_") && strlen (text) > 4)
    return NS_PLACE_CODE;
  return is_host (text) ? NS_PLACE_HOST : NS_PLACE_TEXT;
}

/* Parses seconds, with or without unit; %FALSE: not a number. */
static gboolean
read_seconds (const char *text, const char **end, gint64 *time_ns)
{
  char *stop;
  double seconds = g_ascii_strtod (text, &stop);

  if (stop == text || !(seconds >= 0 && seconds < 9e9))
    return FALSE;
  *time_ns = (gint64) (seconds * 1e9 + 0.5);
  *end = stop + (*stop == 's');
  return TRUE;
}

/* Parses a link; invalid parts are ignored. */
static void
read_link (NsPlace *self, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text + 1, ";", 8);
  guint i;

  self->kind = NS_PLACE_LINK;
  for (i = 0; parts[i] != NULL; i++)
    {
      const char *end = "";
      gint64 begin_ns;
      gint64 length_ns;

      if (g_str_has_prefix (parts[i], "table="))
        self->has_table = ns_table_from_name (parts[i] + strlen ("table="), &self->table);
      else if (g_str_has_prefix (parts[i], "row="))
        self->number = g_ascii_strtoull (parts[i] + strlen ("row="), NULL, 10);
      else if (g_str_has_prefix (parts[i], "t=") &&
               read_seconds (parts[i] + strlen ("t="), &end, &begin_ns) && *end == '+' &&
               read_seconds (end + 1, &end, &length_ns))
        self->span = (NsTimeSpan){ begin_ns, ns_time_sum (begin_ns, length_ns) };
    }
}

/**
 * ns_place_new:
 * @trace: a trace
 * @text: the copied text
 *
 * Returns: (transfer full) (nullable): the target; %NULL: a trace cannot contain it
 */
NsPlace *
ns_place_new (const NsTrace *trace, const char *text)
{
  g_autoptr (NsPlace) self = g_new0 (NsPlace, 1);
  gsize length;

  self->text = g_strstrip (g_strdup (text));
  length = strlen (self->text);
  /* Strip surrounding quotes and brackets. */
  if (length > 2 && strchr ("\"'<`", self->text[0]) != NULL &&
      strchr ("\"'>`", self->text[length - 1]) != NULL)
    {
      self->text[length - 1] = '\0';
      memmove (self->text, self->text + 1, length - 1);
    }
  length = strlen (self->text);
  if (length == 0 || length > NS_PLACE_MAX_BYTES || strpbrk (self->text, "\r\n") != NULL ||
      !g_utf8_validate (self->text, -1, NULL))
    return NULL;
  if (g_str_has_prefix (self->text, "#t=") || g_str_has_prefix (self->text, "#table=") ||
      g_str_has_prefix (self->text, "#row="))
    {
      read_link (self, self->text);
      return g_steal_pointer (&self);
    }
  if (ns_place_parse_time (trace, self->text, &self->span.begin_ns))
    {
      self->kind = NS_PLACE_TIME;
      return g_steal_pointer (&self);
    }
  self->kind = NS_PLACE_ROWS;
  self->sort = find_sort (self->text, &self->number);
  if (self->sort == NS_PLACE_URL || self->sort == NS_PLACE_HOST)
    self->host = dup_host (self->text);
  return g_steal_pointer (&self);
}

/**
 * ns_place_free:
 * @self: (transfer full) (nullable): a place
 */
void
ns_place_free (NsPlace *self)
{
  if (self == NULL)
    return;
  g_free (self->text);
  g_free (self->host);
  g_free (self);
}

/* Returns a search step of the kind; NULL after the last one, which means a text search. */
static const Step *
get_step (const NsPlace *self, guint step)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (steps); i++)
    if (steps[i].sort == self->sort && step-- == 0)
      return &steps[i];
  return NULL;
}

/**
 * ns_place_get_n_steps:
 * @self: a target with rows
 *
 * Returns: number of ways to search it, the most exact first
 */
guint
ns_place_get_n_steps (const NsPlace *self)
{
  guint n_steps = 0;

  while (get_step (self, n_steps) != NULL)
    n_steps++;
  return n_steps + 1;
}

static void
append_quoted (GString *filter, const char *text)
{
  g_string_append_c (filter, '"');
  for (; *text != '\0'; text++)
    {
      if (*text == '"' || *text == '\\')
        g_string_append_c (filter, '\\');
      g_string_append_c (filter, *text);
    }
  g_string_append_c (filter, '"');
}

static void
append_condition (GString *filter, const char *field, const char *op, const char *value)
{
  g_string_append_printf (filter, "%s%s%s", filter->len > 0 ? " or " : "", field, op);
  append_quoted (filter, value);
}

/* Adds searches of error texts for the number in decimal and hexadecimal, and for the Win32 code
 * of an HRESULT. */
static void
append_code (GString *filter, const char *field, guint64 number)
{
  const guint64 win32 = 0x80070000;
  char text[40];

  g_snprintf (text, sizeof text, "(%" G_GUINT64_FORMAT ")", number);
  append_condition (filter, field, ":", text);
  g_snprintf (text, sizeof text, "0x%" G_GINT64_MODIFIER "x", number);
  append_condition (filter, field, ":", text);
  if ((number & 0xffff0000) != win32)
    return;
  g_snprintf (text, sizeof text, "(%" G_GUINT64_FORMAT ")", number & 0xffff);
  append_condition (filter, field, ":", text);
}

/* Adds searches for the code at an address, in every process that had an image there. */
static void
append_frames (GString *filter, const char *field, const NsTrace *trace, guint64 address)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  guint i;

  for (i = 0; i < trace->images->len && g_hash_table_size (seen) < MAX_FRAMES; i++)
    {
      const NsImageRow *image = &g_array_index (trace->images, NsImageRow, i);
      g_autofree char *frame = NULL;

      if (address < image->base || address - image->base >= image->size)
        continue;
      frame = ns_trace_frame_to_text (trace, image->pid, address, image->load_ns);
      if (frame == NULL || g_str_has_prefix (frame, "0x") || g_hash_table_contains (seen, frame))
        continue;
      append_condition (filter, field, "=", frame);
      g_hash_table_add (seen, g_steal_pointer (&frame));
    }
}

/* Returns whether the table has the field, or one whose name begins or ends with it; other
 * aliases do not count. */
static gboolean
has_field (NsTableId table, const char *id)
{
  const NsField *field = ns_table_find_field (table, id);

  return field != NULL && (g_str_has_prefix (field->id, id) || g_str_has_suffix (field->id, id));
}

/**
 * ns_place_to_filter:
 * @self: a target with rows
 * @trace: the trace
 * @table: a table
 * @step: index of the search step
 *
 * Returns: (transfer full) (nullable): a filter for its rows in @table; %NULL: the table cannot
 *   have such rows
 */
char *
ns_place_to_filter (const NsPlace *self, const NsTrace *trace, NsTableId table, guint step)
{
  const Step *way = get_step (self, step);
  g_autoptr (GString) filter = g_string_new (NULL);
  char number[24];
  guint i;

  if (way == NULL)
    {
      append_quoted (filter, self->host != NULL ? self->host : self->text);
      return g_string_free (g_steal_pointer (&filter), FALSE);
    }
  g_snprintf (number, sizeof number, "%" G_GUINT64_FORMAT, self->number);
  for (i = 0; i < G_N_ELEMENTS (way->fields) && way->fields[i] != NULL; i++)
    {
      const char *field = way->fields[i];

      if (!has_field (table, field))
        continue;
      if (strcmp (way->op, "code") == 0)
        append_code (filter, field, self->number);
      else if (strcmp (way->op, "frame") == 0)
        append_frames (filter, field, trace, self->number);
      else if (strcmp (way->op, "host") == 0)
        {
          if (self->host != NULL)
            append_condition (filter, field, "=", self->host);
        }
      else if (self->sort == NS_PLACE_HOST)
        append_condition (filter, field, way->op, self->host);
      else if (self->sort == NS_PLACE_NUMBER || self->sort == NS_PLACE_HEX)
        append_condition (filter, field, way->op, number);
      else
        append_condition (filter, field, way->op, self->text);
    }
  return filter->len > 0 ? g_string_free (g_steal_pointer (&filter), FALSE) : NULL;
}

/**
 * ns_place_link_to_text:
 * @visible: visible time span
 * @table: the current table
 * @number: number of the selected row, from 1; 0: none
 *
 * Returns: (transfer full): a link to this view that ns_place_new() parses
 */
char *
ns_place_link_to_text (NsTimeSpan visible, NsTableId table, guint64 number)
{
  g_autofree char *begin = ns_time_seconds_to_text (visible.begin_ns, 9);
  g_autofree char *length = ns_time_seconds_to_text (visible.end_ns - visible.begin_ns, 9);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "#t=%ss+%ss;table=%s", begin, length, ns_table_get_name (table));
  if (number > 0)
    g_string_append_printf (text, ";row=%" G_GUINT64_FORMAT, number);
  return g_string_free (text, FALSE);
}
