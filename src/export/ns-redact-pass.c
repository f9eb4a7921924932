/* Replaces names in values by stand-ins, depending on the field.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-redact-pass.h"

#include "etl/ns-etl-archive.h"
#include "export/ns-redact-short.h"

#include <string.h>

/* Minimum length of a name in a sentence; shorter ones are recognized only where a name is
 * expected. */
#define MIN_WORD_BYTES 2
/* Maximum length of a host name. */
#define MAX_WORD_BYTES 255

/* Kind of content of a field. */
typedef enum
{
  RULE_SCAN,  /* text that may contain names */
  RULE_NAMES, /* host names */
  RULE_URL,
  RULE_PATH,  /* a file path */
  RULE_WHOLE, /* text in which names cannot be recognized */
  RULE_USER,
  RULE_INPUT, /* the name of a file that was read, or other text */
} Rule;

/* A text being rewritten, copied at the first replacement. */
typedef struct
{
  const char *text;
  GString *out; /* %NULL: nothing replaced yet */
  gsize from;   /* end of the copied part */
} Copy;

static gboolean
is_number (const char *text, gsize size)
{
  return strspn (text, "0123456789") >= size;
}

/* Returns whether the text is impersonal, such as localhost or a loopback address. */
static gboolean
is_public (NsRedactKind kind, const char *text, gsize size)
{
  g_autofree char *copy = NULL;
  NsIp ip;

  if (kind == NS_REDACT_SERVER)
    return (size == strlen ("localhost") && g_ascii_strncasecmp (text, "localhost", size) == 0) ||
           is_number (text, size);
  if (kind != NS_REDACT_ADDRESS)
    return FALSE;
  copy = g_strndup (text, size);
  return ns_ip_from_text (&ip, copy) && (ns_ip_is_empty (&ip) || ns_ip_is_loopback (&ip) ||
                                         ns_ip_is_multicast (&ip) || ns_ip_is_broadcast (&ip));
}

/* Returns the kind of a word: a host name if the trace has a host with that name, or with a
 * parent domain of it. */
static NsRedactKind
judge_word (const NsRedactNames *names, const char *text, gsize size)
{
  const char *end = text + size;
  const char *at;

  if (size < MIN_WORD_BYTES || size > MAX_WORD_BYTES)
    return NS_REDACT_WORD;
  if (ns_redact_names_find (names, NS_REDACT_USER, text, size) != NULL)
    return NS_REDACT_USER;
  for (at = text; at != NULL && at < end; at = memchr (at, '.', (gsize) (end - at)))
    {
      at += at > text ? 1 : 0;
      if ((at == text || memchr (at, '.', (gsize) (end - at)) != NULL) &&
          ns_redact_names_find (names, NS_REDACT_SERVER, at, (gsize) (end - at)) != NULL)
        return NS_REDACT_SERVER;
    }
  return NS_REDACT_WORD;
}

static NsRedactName *
learn (NsRedactPass *pass, NsRedactKind kind, const char *text, gsize size)
{
  NsRedactName *name = ns_redact_names_find (pass->names, kind, text, size);

  if (name != NULL || !pass->is_learning)
    return name;
  pass->has_learned = TRUE;
  return ns_redact_names_add (pass->names, kind, text, size);
}

/* Returns the replacement, and counts it. */
static const char *
use (NsRedactPass *pass, NsRedactName *name)
{
  if (pass->is_counting)
    name->n_places++;
  return name->stand_in != NULL ? name->stand_in : ns_redact_kind_to_text (name->kind);
}

/* Returns: (nullable): the replacement of @text; %NULL: unchanged */
static const char *
replace (NsRedactPass *pass, NsRedactKind kind, const char *text, gsize size)
{
  NsRedactName *name;

  if (kind == NS_REDACT_WORD || size == 0 || is_public (kind, text, size))
    return NULL;
  name = learn (pass, kind, text, size);
  if (name == NULL) /* The name comes from a symbol that was loaded since. */
    return ns_redact_kind_to_text (kind);
  return use (pass, name);
}

static gboolean
is_separator (char c)
{
  return c == '\\' || c == '/';
}

/* Returns the end of a folder prefix of a path; %NULL: the path does not begin with it. */
static const char *
skip_folder (const char *path, const char *end, const char *folder)
{
  gsize i;

  for (i = 0; folder[i] != '\0'; i++)
    if (path + i >= end ||
        (folder[i] == '/' ? !is_separator (path[i]) : g_ascii_tolower (path[i]) != folder[i]))
      return NULL;
  return path + i;
}

/* Learns the user whose home folder is in the path. */
static void
learn_user (NsRedactPass *pass, const char *path, gsize size)
{
  static const char *const homes[] = { "/users/", "/documents and settings/" };
  static const char *const nobody[] = { "public", "default", "all users", "default user" };
  const char *end = path + size;
  const char *user = size > 0 && *path == '/' ? skip_folder (path, end, "/home/") : NULL;
  const char *at;
  gsize n;
  guint i;

  /* In other paths, a folder with such a name need not be a home folder. */
  if (user == NULL && (size < 2 || (path[1] != ':' && *path != '\\')))
    return;
  for (at = path; at < end && user == NULL; at++)
    for (i = 0; i < G_N_ELEMENTS (homes) && user == NULL && is_separator (*at); i++)
      user = skip_folder (at, end, homes[i]);
  if (user == NULL)
    return;
  for (n = 0; user + n < end && !is_separator (user[n]); n++)
    ;
  for (i = 0; i < G_N_ELEMENTS (nobody); i++)
    if (n == strlen (nobody[i]) && g_ascii_strncasecmp (user, nobody[i], n) == 0)
      return;
  if (n > 0 && !is_number (user, n))
    learn (pass, NS_REDACT_USER, user, n);
}

/* Learns the server of a share in the path: `\\fs01\share`, also in kernel notation. */
static void
learn_sharer (NsRedactPass *pass, const char *path, gsize size)
{
  static const char *const shares[] = { "//?/unc/",
                                        "/?"
                                        "?/unc/",
                                        "/device/mup/",
                                        "//" };
  const char *end = path + size;
  const char *host = NULL;
  g_autofree char *address = NULL;
  gsize n = 0;
  NsIp ip;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (shares) && host == NULL; i++)
    host = skip_folder (path, end, shares[i]);
  while (host != NULL && host + n < end && ns_redact_is_word_char (host[n]))
    n++;
  if (n < MIN_WORD_BYTES || n > MAX_WORD_BYTES || (host + n < end && !is_separator (host[n])) ||
      !g_ascii_isalnum (*host) || is_public (NS_REDACT_SERVER, host, n) ||
      ns_redact_short_is_plain (host, n))
    return;
  address = g_strndup (host, n);
  if (ns_ip_from_text (&ip, address))
    return;
  learn (pass, NS_REDACT_SERVER, host, n);
}

static Rule
get_rule (const NsField *field)
{
  static const struct
  {
    const char *id;
    Rule rule;
  } rules[] = {
    { "host", RULE_NAMES },       { "server", RULE_NAMES },
    { "server_alt", RULE_NAMES }, { "query", RULE_NAMES },
    { "aliases", RULE_NAMES },    { "ip_text", RULE_NAMES },
    { "url", RULE_URL },          { "origin", RULE_URL },
    { "path", RULE_PATH },        { "pdb", RULE_PATH },
    { "file", RULE_WHOLE },       { "share", RULE_WHOLE },
    { "address", RULE_NAMES },    { "base", RULE_WHOLE },
    { "filter", RULE_WHOLE },     { "command_line", RULE_WHOLE },
    { "geo", RULE_WHOLE },        { "user_sid", RULE_USER },
    { "tls_sni", RULE_NAMES },    { "tls_subject", RULE_WHOLE },
    { "tls_issuer", RULE_WHOLE }, { "tls_sha1", RULE_WHOLE },
    { "machine", RULE_WHOLE },    { "input", RULE_INPUT },
    { "source", RULE_INPUT },     { "interface_name", RULE_INPUT },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (rules); i++)
    if (strcmp (rules[i].id, field->id) == 0)
      return rules[i].rule;
  return RULE_SCAN;
}

static void
put_text (Copy *copy, const char *instead, gsize begin, gsize end)
{
  if (copy->out == NULL)
    copy->out = g_string_new (NULL);
  g_string_append_len (copy->out, copy->text + copy->from, (gssize) (begin - copy->from));
  g_string_append (copy->out, instead);
  copy->from = end;
}

/* Replaces a range of the text if it has a stand-in. */
static void
put (Copy *copy, NsRedactPass *pass, NsRedactKind kind, gsize begin, gsize end)
{
  const char *instead;

  if (pass->is_learning && kind == NS_REDACT_PATH)
    {
      learn_user (pass, copy->text + begin, end - begin);
      learn_sharer (pass, copy->text + begin, end - begin);
    }
  instead = replace (pass, kind, copy->text + begin, end - begin);
  if (instead != NULL)
    put_text (copy, instead, begin, end);
}

/* Replaces a word that is not a name by itself, if it is a known short form. */
static void
put_word (Copy *copy, NsRedactPass *pass, gsize begin, gsize end)
{
  NsRedactName *name = ns_redact_names_find_short (pass->names, copy->text, begin, &end);

  if (name != NULL)
    put_text (copy, use (pass, name), begin, end);
}

static char *
end_copy (Copy *copy)
{
  if (copy->out == NULL)
    return NULL;
  g_string_append (copy->out, copy->text + copy->from);
  return g_string_free (copy->out, FALSE);
}

/* Replaces a path; a known path may extend beyond its apparent end in a sentence. */
static void
put_path (Copy *copy, NsRedactPass *pass, gsize begin, gsize end)
{
  put (copy,
       pass,
       NS_REDACT_PATH,
       begin,
       begin + ns_redact_names_find_path_end (pass->names, copy->text + begin, end - begin));
}

/**
 * ns_redact_pass_text: (skip)
 * @pass: the redaction in progress
 * @text: a text
 * @is_names: whether words are host names
 *
 * Returns: (transfer full) (nullable): the text with names replaced; %NULL: unchanged
 */
char *
ns_redact_pass_text (NsRedactPass *pass, const char *text, gboolean is_names)
{
  Copy copy = { text, NULL, 0 };
  guint i;

  ns_redact_scan (text, pass->spans);
  for (i = 0; i < pass->spans->len; i++)
    {
      const NsRedactSpan *span = &g_array_index (pass->spans, NsRedactSpan, i);
      NsRedactKind kind = span->kind;
      gsize begin;
      gsize end;

      /* A known path already covers it. */
      if (span->begin < copy.from)
        continue;
      if (kind == NS_REDACT_WORD && is_names)
        kind = NS_REDACT_SERVER;
      else if (kind == NS_REDACT_WORD)
        kind = judge_word (pass->names, text + span->begin, span->end - span->begin);
      if (kind == NS_REDACT_PATH)
        put_path (&copy, pass, span->begin, span->end);
      else if (kind == NS_REDACT_WORD)
        put_word (&copy, pass, span->begin, span->end);
      else
        put (&copy, pass, kind, span->begin, span->end);
      if (kind != NS_REDACT_SERVER && kind != NS_REDACT_ADDRESS)
        continue;
      begin = ns_redact_find_asked (text, span->end, &end);
      if (begin < end)
        put_path (&copy, pass, begin, end);
    }
  return end_copy (&copy);
}

/* Learns a path; sentences quote URLs without their query, so the path without it is also
 * learned. */
static void
learn_path (NsRedactPass *pass, const char *path, gsize size)
{
  const char *question = memchr (path, '?', size);
  gsize n = question != NULL ? (gsize) (question - path) : 0;

  if (n > 0 && strcspn (path, " \t\r\n\"'<>") < n)
    learn (pass, NS_REDACT_PATH, path, n);
}

static char *
redact_url (NsRedactPass *pass, const char *text)
{
  Copy copy = { text, NULL, 0 };
  guint i;

  if (!ns_redact_scan_url (text, pass->spans))
    return g_strdup (replace (pass, NS_REDACT_TEXT, text, strlen (text)));
  for (i = 0; i < pass->spans->len; i++)
    {
      const NsRedactSpan *span = &g_array_index (pass->spans, NsRedactSpan, i);

      if (pass->is_learning && span->kind == NS_REDACT_PATH)
        learn_path (pass, text + span->begin, span->end - span->begin);
      put (&copy, pass, span->kind, span->begin, span->end);
    }
  return end_copy (&copy);
}

static char *
redact_path (NsRedactPass *pass, const char *text)
{
  Copy copy = { text, NULL, 0 };

  put (&copy, pass, NS_REDACT_PATH, 0, ns_redact_find_folder_end (text, strlen (text)));
  return end_copy (&copy);
}

/* Returns whether the text is the name of a trace, an archive or a log. */
static gboolean
is_input_name (const char *text)
{
  return ns_etl_archive_has_trace_name (text) || ns_etl_archive_has_name (text) ||
         ns_etl_archive_has_log_name (text);
}

static char *
redact_text (NsRedactPass *pass, const NsField *field, const char *text)
{
  Rule rule = get_rule (field);

  if (rule == RULE_INPUT)
    rule = is_input_name (text) ? RULE_WHOLE : RULE_SCAN;

  switch (rule)
    {
    case RULE_URL:
      return redact_url (pass, text);
    case RULE_PATH:
      if (strpbrk (text, "\\/") != NULL)
        return redact_path (pass, text);
      break;
    case RULE_WHOLE:
      /* The path of the program shows the user. */
      if (pass->is_learning)
        {
          NsRedactPass parts = *pass;

          parts.is_counting = FALSE;
          g_free (ns_redact_pass_text (&parts, text, FALSE));
          pass->has_learned |= parts.has_learned;
        }
      return g_strdup (replace (pass, NS_REDACT_TEXT, text, strlen (text)));
    case RULE_USER:
      return g_strdup (replace (pass, NS_REDACT_USER, text, strlen (text)));
    case RULE_SCAN:
    case RULE_NAMES:
    default:
      break;
    }
  return ns_redact_pass_text (pass, text, rule == RULE_NAMES);
}

static void
redact_list (NsRedactPass *pass, const NsField *field, NsFieldValue *value)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  guint i;

  for (i = 0; i < value->list->len; i++)
    {
      const char *text = g_ptr_array_index (value->list, i);
      char *instead = redact_text (pass, field, text);

      g_ptr_array_add (list, instead != NULL ? instead : g_strdup (text));
    }
  g_ptr_array_unref (value->list);
  value->list = list;
}

/**
 * ns_redact_pass_value: (skip)
 * @pass: the redaction in progress
 * @field: a field that may be personal
 * @value: (inout): its value in a row
 *
 * Replaces names in a value.
 */
void
ns_redact_pass_value (NsRedactPass *pass, const NsField *field, NsFieldValue *value)
{
  char address[NS_IP_TEXT_SIZE];
  char *instead = NULL;

  if (value->is_null)
    return;
  if (value->type == NS_TYPE_TEXT)
    instead = redact_text (pass, field, value->v.text);
  else if (value->type == NS_TYPE_LIST && !field->of_numbers)
    redact_list (pass, field, value);
  else if (value->type == NS_TYPE_IP)
    {
      ns_ip_to_text (&value->v.ip, address);
      instead = g_strdup (replace (pass, NS_REDACT_ADDRESS, address, strlen (address)));
    }
  if (instead == NULL)
    return;
  g_free (value->owned);
  value->owned = instead;
  value->v.text = instead;
  value->type = NS_TYPE_TEXT;
}

/**
 * ns_redact_look_is_telling: (skip)
 * @field: a field
 *
 * Returns: whether it may contain personal data
 */
gboolean
ns_redact_look_is_telling (const NsField *field)
{
  return field->type == NS_TYPE_IP || field->type == NS_TYPE_TEXT ||
         (field->type == NS_TYPE_LIST && !field->of_numbers);
}

/**
 * ns_redact_look_is_names: (skip)
 * @field: a field
 *
 * Returns: whether it contains only names
 */
gboolean
ns_redact_look_is_names (const NsField *field)
{
  return field->type == NS_TYPE_IP || strcmp (field->id, "addresses") == 0 ||
         (ns_redact_look_is_telling (field) && field->in_json && get_rule (field) != RULE_SCAN &&
          get_rule (field) != RULE_INPUT);
}
