/* Finds secrets in XML elements, also of XML embedded in XML or JSON.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets-private.h"

#include <string.h>

/* Limit of the total bytes searched for end tags, as a multiple of the text size. */
#define MAX_LOOKS 4

/* Tag delimiters: plain, in XML inside XML, in XML inside JSON. */
typedef struct
{
  const char *open;
  const char *close;
} Marks;

static const Marks all_marks[] = { { "<", ">" }, { "&lt;", "&gt;" }, { "\\u003c", "\\u003e" } };

/* A start tag. */
typedef struct
{
  const Marks *marks;
  gsize name; /* with its prefix */
  gsize local;
  gsize name_end;
  gsize content;
} Tag;

/* Returns the position of @word between @at and @limit, or @limit. */
static gsize
find (const NsSecretFinder *self, gsize at, gsize limit, const char *word)
{
  while (at < limit)
    {
      const char *first = memchr (self->text + at, *word, limit - at);

      if (first == NULL)
        return limit;
      at = (gsize) (first - self->text);
      if (ns_secret_finder_begins_with (self, at, word))
        return at;
      at++;
    }
  return limit;
}

static gboolean
is_named (const NsSecretFinder *self, const Tag *tag, const char *name)
{
  return tag->name_end - tag->local == strlen (name) &&
         ns_secret_finder_begins_with (self, tag->local, name);
}

/* Reads the start tag at @at; returns FALSE if there is none or it has no content. */
static gboolean
read_tag (const NsSecretFinder *self, gsize at, Tag *tag)
{
  gsize end;
  gsize limit;
  guint i;

  tag->marks = NULL;
  for (i = 0; i < G_N_ELEMENTS (all_marks) && tag->marks == NULL; i++)
    if (ns_secret_finder_begins_with (self, at, all_marks[i].open))
      tag->marks = &all_marks[i];
  if (tag->marks == NULL)
    return FALSE;
  tag->name = at + strlen (tag->marks->open);
  tag->local = tag->name;
  for (end = tag->name; end < self->size && end - tag->name <= 2 * NS_SECRET_NAMES_MAX_NAME; end++)
    if (self->text[end] == ':')
      tag->local = end + 1;
    else if (!g_ascii_isalnum (self->text[end]) && strchr ("-_.", self->text[end]) == NULL)
      break;
  tag->name_end = end;
  if (end == tag->local)
    return FALSE;
  limit = MIN (self->size, end + NS_SECRETS_REACH);
  limit = find (self, end, limit, tag->marks->open);
  end = find (self, end, limit, tag->marks->close);
  if (end == limit || self->text[end - 1] == '/')
    return FALSE;
  tag->content = end + strlen (tag->marks->close);
  return TRUE;
}

/* Recognizes `<auth mechanism="PLAIN">` of XMPP and its responses (RFC 6120, 6.4). */
static gboolean
is_sasl (const NsSecretFinder *self, const Tag *tag)
{
  return (is_named (self, tag, "auth") || is_named (self, tag, "response")) &&
         (find (self, tag->name_end, tag->content, "mechanism") < tag->content ||
          find (self, tag->name_end, tag->content, "xmpp-sasl") < tag->content);
}

/* Returns the end of the element that starts with @tag; it may contain other elements. */
static gsize
find_end (NsSecretFinder *self, const Tag *tag)
{
  gsize limit = MIN (self->size, tag->content + NS_SECRETS_MAX_ELEMENT);
  gsize n_name = tag->name_end - tag->name;
  gsize n_open = strlen (tag->marks->open);
  gsize first = find (self, tag->content, limit, tag->marks->open);
  gsize at = first;

  /* The limit for missing end tags is used up. */
  if (self->n_looked / MAX_LOOKS > self->size)
    return limit;
  for (; at < limit; at = find (self, at + n_open, limit, tag->marks->open))
    {
      gsize name = at + n_open + 1;

      if (name < self->size && self->text[name - 1] == '/' && self->size - name >= n_name &&
          g_ascii_strncasecmp (self->text + name, self->text + tag->name, n_name) == 0)
        return at;
    }
  self->n_looked += limit - tag->content;
  return first;
}

/* Finds `<key>password</key><string>…</string>` (property lists) and
 * `<name>password</name><value><string>…` (XML-RPC). */
static gsize
add_next_text (NsSecretFinder *self, const Tag *tag)
{
  gsize limit = MIN (self->size, tag->content + NS_SECRETS_REACH);
  gsize end = find (self, tag->content, limit, tag->marks->open);
  gsize n_close = strlen (tag->marks->close);
  gsize at;

  if (end - tag->content > NS_SECRET_NAMES_MAX_NAME || end == limit ||
      (ns_secret_names_look (self->secrets, self->text + tag->content, end - tag->content) &
       NS_SECRET_MEMBER) == 0)
    return 0;
  for (at = end; at < limit;)
    {
      at = find (self, at, limit, tag->marks->close);
      if (at == limit)
        return 0;
      at += n_close;
      while (at < limit && g_ascii_isspace (self->text[at]))
        at++;
      if (!ns_secret_finder_begins_with (self, at, tag->marks->open))
        break;
    }
  end = find (self, at, self->size, tag->marks->open);
  ns_secret_finder_add (self, at, end);
  return end;
}

/**
 * ns_secrets_find_element:
 * @self: a finder
 * @at: position of `<`, `&lt;` or `\u003c`
 *
 * Finds `<wsse:Password Type="…">…</wsse:Password>`, whatever its content.
 *
 * Returns: where to continue, or 0 without a secret
 */
gsize
ns_secrets_find_element (NsSecretFinder *self, gsize at)
{
  Tag tag;
  gsize end;

  if (!read_tag (self, at, &tag))
    return 0;
  if (is_named (self, &tag, "key") || is_named (self, &tag, "name"))
    return add_next_text (self, &tag);
  if ((ns_secret_names_look (self->secrets, self->text + tag.local, tag.name_end - tag.local) &
       NS_SECRET_MEMBER) == 0 &&
      !is_sasl (self, &tag))
    return 0;
  end = find_end (self, &tag);
  ns_secret_finder_add (self, tag.content, end);
  return end > tag.content ? end : 0;
}
