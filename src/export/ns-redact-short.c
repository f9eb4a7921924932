/* Finds short forms of names: hosts without domain, parts of user names.
 *
 * A sentence may contain `fs01` for fs01.corp.example, and `Ann Doe` for the user with that home
 * folder. Many hosts have ordinary words as names, such as `mail` or `login`; these are recognized
 * only where a host is expected. Code is never recognized as a name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-redact-short.h"

#include "base/ns-hash.h"

#include <stdlib.h>
#include <string.h>

/* Maximum length of a recognized word. */
#define MAX_WORD_BYTES 255
/* Minimum length of a recognized word of letters only; shorter ones are too common. */
#define MIN_LETTERS 4
/* Maximum length of a full name; for longer ones only the words are recognized. */
#define MAX_NAME_BYTES 1024

struct _NsRedactShort
{
  GHashTable *hosts; /* lower-case label → NsRedactName */
  GHashTable *users; /* lower-case name of several words → NsRedactName */
  GHashTable *sizes; /* lower-case first word of such a name → GArray of gsize: lengths of the
                      * names that begin with it, descending, without repetition */
  GHashTable *parts; /* a word of a name of several words, case-sensitive → NsRedactName */
};

/* Common words of sentences, protocols and this program's texts that are also host names; sorted by
 * strcmp(). */
/* clang-format off */
static const char *const plain_words[] = {
  "access", "account", "accounts", "action", "active", "activity", "address", "admin", "agent",
  "alerts", "alpha", "analytics", "answer", "application", "apps", "archive", "assets", "auth",
  "auto", "autodiscover", "back", "backend", "backup", "base", "beacon", "beta", "blob", "blog",
  "board", "bridge", "broker", "browser", "build", "builds", "cache", "calendar", "call", "calls",
  "cancelled", "catalog", "central", "certificate", "channel", "chat", "check", "chromium",
  "client", "clients", "close", "closed", "cloud", "cluster", "code", "collector", "community",
  "computer", "config", "connect", "connected", "connection", "console", "contact", "contacts",
  "content", "control", "core", "customer", "dashboard", "data", "database", "date", "default",
  "delete", "demo", "deploy", "design", "desktop", "developer", "device", "devices", "dial",
  "direct", "directory", "discovery", "docs", "document", "documents", "domain", "download",
  "downloads", "drive", "edge", "email", "endpoint", "engine", "error", "event", "events",
  "exchange", "explorer", "export", "external", "failed", "feed", "feedback", "feeds", "file",
  "files", "filter", "fonts", "form", "forms", "forum", "found", "front", "frontend", "gate",
  "gateway", "global", "graph", "group", "guest", "head", "health", "help", "home", "host",
  "hosting", "hosts", "http", "https", "idle", "image", "images", "imap", "import", "inbox",
  "index", "info", "ingest", "insights", "install", "internal", "internet", "intranet", "item",
  "items", "jobs", "kernel", "labs", "ldap", "library", "licence", "license", "licensing", "link",
  "links", "list", "listen", "live", "load", "local", "location", "logger", "logging", "login",
  "logon", "logs", "mail", "main", "manage", "management", "manager", "maps", "market", "master",
  "media", "meet", "meeting", "message", "messages", "metrics", "mirror", "mobile", "monitor",
  "monitoring", "name", "names", "network", "news", "node", "none", "note", "notes", "notify",
  "object", "office", "online", "open", "options", "order", "origin", "other", "outbound",
  "packages", "page", "pages", "partner", "partners", "patch", "path", "people", "photo",
  "photos", "ping", "play", "policy", "pool", "portal", "post", "preview", "primary", "print",
  "printer", "private", "process", "prod", "product", "production", "products", "profile",
  "project", "projects", "proxy", "public", "push", "query", "queue", "quic", "read", "realtime",
  "receive", "record", "redirect", "refused", "region", "registry", "relay", "release", "remote",
  "report", "reports", "request", "reset", "resolver", "resource", "resources", "rest", "root",
  "route", "router", "sales", "search", "secondary", "secure", "security", "send", "server",
  "servers", "service", "services", "session", "settings", "setup", "share", "sharepoint",
  "shares", "shop", "signal", "site", "sites", "smtp", "socket", "source", "space", "staff",
  "stage", "staging", "start", "state", "static", "stats", "status", "storage", "store", "stream",
  "streaming", "support", "sync", "system", "table", "task", "tasks", "teams", "telemetry",
  "test", "testing", "time", "timeout", "timer", "token", "tools", "trace", "track", "tracking",
  "traffic", "training", "transfer", "transport", "trust", "tunnel", "unknown", "update",
  "updates", "upload", "uploads", "urlmon", "user", "users", "vault", "version", "video", "view",
  "viewer", "virtual", "voice", "wait", "watch", "webio", "webmail", "websocket", "wiki",
  "windows", "winhttp", "wininet", "winsock", "wireless", "work", "worker", "workflow", "world",
  "write", "zone",
};
/* clang-format on */

/* Words that precede a host name in a sentence. */
static const char *const host_words[] = { "host",  "server", "computer", "machine",
                                          "proxy", "node",   "hostname", "workstation" };

/**
 * ns_redact_short_new:
 *
 * Returns: (transfer full): an empty table
 */
NsRedactShort *
ns_redact_short_new (void)
{
  NsRedactShort *self = g_new0 (NsRedactShort, 1);

  self->hosts = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  self->users = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  self->sizes =
      g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  self->parts = g_hash_table_new_full (ns_hash_text, g_str_equal, g_free, NULL);
  return self;
}

/**
 * ns_redact_short_free:
 * @self: (transfer full) (nullable): names
 */
void
ns_redact_short_free (NsRedactShort *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->hosts);
  g_hash_table_unref (self->users);
  g_hash_table_unref (self->sizes);
  g_hash_table_unref (self->parts);
  g_free (self);
}

static gsize
find_word_end (const char *text)
{
  gsize n = 0;

  while (n <= MAX_WORD_BYTES && ns_redact_is_word_char (text[n]))
    n++;
  return n;
}

static gboolean
is_of_letters (const char *word, gsize size)
{
  gsize i;

  for (i = 0; i < size && (g_ascii_isalpha (word[i]) || (guchar) word[i] >= 0x80); i++)
    ;
  return i == size;
}

/* Copies a word in lower case to a buffer of MAX_WORD_BYTES + 1 bytes. */
static void
fold (char *folded, const char *word, gsize size)
{
  gsize i;

  for (i = 0; i < size; i++)
    folded[i] = g_ascii_tolower (word[i]);
  folded[size] = '\0';
}

static int
compare_words (gconstpointer a, gconstpointer b)
{
  return strcmp (a, *(const char *const *) b);
}

/**
 * ns_redact_short_is_plain:
 * @word: (array length=size): a word, in any case
 * @size: length in bytes
 *
 * Returns: whether it is a common word, which is not recognized as a host in sentences
 */
gboolean
ns_redact_short_is_plain (const char *word, gsize size)
{
  char folded[MAX_WORD_BYTES + 1];

  if (size > MAX_WORD_BYTES)
    return FALSE;
  if (size < MIN_LETTERS)
    return is_of_letters (word, size);
  fold (folded, word, size);
  return bsearch (folded,
                  plain_words,
                  G_N_ELEMENTS (plain_words),
                  sizeof plain_words[0],
                  compare_words) != NULL;
}

/**
 * ns_redact_short_add_host:
 * @self: names
 * @name: a host; must outlive @self
 *
 * Recognizes the host without its domain. If two have the same label, the first one is used.
 */
void
ns_redact_short_add_host (NsRedactShort *self, NsRedactName *name)
{
  gsize size = strcspn (name->text, ".");
  char folded[MAX_WORD_BYTES + 1];

  if (name->text[size] == '\0' || size < 2 || size > MAX_WORD_BYTES ||
      strspn (name->text, "0123456789") >= size || find_word_end (name->text) < size)
    return;
  fold (folded, name->text, size);
  if (!g_hash_table_contains (self->hosts, folded))
    g_hash_table_insert (self->hosts, g_strdup (folded), name);
}

/* Adds a length, unless it is in the list: the number of lengths to try is small for any number
 * of names. */
static void
add_size (NsRedactShort *self, const char *first_word, gsize size)
{
  GArray *sizes = g_hash_table_lookup (self->sizes, first_word);
  guint i;

  if (sizes == NULL)
    {
      sizes = g_array_new (FALSE, FALSE, sizeof (gsize));
      g_hash_table_insert (self->sizes, g_strdup (first_word), sizes);
    }
  for (i = 0; i < sizes->len && g_array_index (sizes, gsize, i) > size; i++)
    ;
  if (i == sizes->len || g_array_index (sizes, gsize, i) != size)
    g_array_insert_val (sizes, i, size);
}

static void
add_whole (NsRedactShort *self, NsRedactName *name, const char *first_word)
{
  gsize size = strlen (name->text);
  char *whole;

  if (size > MAX_NAME_BYTES)
    return;
  whole = g_ascii_strdown (name->text, (gssize) size);
  if (g_hash_table_contains (self->users, whole))
    {
      g_free (whole);
      return;
    }
  g_hash_table_insert (self->users, whole, name);
  add_size (self, first_word, size);
}

/**
 * ns_redact_short_add_user:
 * @self: names
 * @name: a user; must outlive @self
 *
 * Recognizes a name of several words in sentences, and its longer words alone.
 */
void
ns_redact_short_add_user (NsRedactShort *self, NsRedactName *name)
{
  gsize size = find_word_end (name->text);
  char folded[MAX_WORD_BYTES + 1];
  const char *at;

  if (size == 0 || size > MAX_WORD_BYTES || name->text[size] == '\0' ||
      strchr (name->text, '@') != NULL)
    return;
  fold (folded, name->text, size);
  add_whole (self, name, folded);
  for (at = name->text; *at != '\0'; at += MAX (size, 1))
    {
      size = find_word_end (at);
      if (size >= MIN_LETTERS && size <= MAX_WORD_BYTES && !ns_redact_short_is_plain (at, size))
        g_hash_table_insert (self->parts, g_strndup (at, size), name);
    }
}

/* Returns whether the word is an identifier in code: `Client::Open`, `module!Client`, `Client(`. */
static gboolean
is_code (const char *text, gsize begin, gsize end)
{
  if (begin > 0 && text[begin - 1] == '!')
    return TRUE;
  if (begin > 1 && text[begin - 1] == ':' && text[begin - 2] == ':')
    return TRUE;
  return strchr ("!(<", text[end]) != NULL ? text[end] != '\0'
                                           : text[end] == ':' && text[end + 1] == ':';
}

/* Returns whether a host is expected: after `server`, `host:`, `\\`, `@`, or before a port. */
static gboolean
is_host_place (const char *text, gsize begin, gsize end)
{
  gsize word;
  guint i;

  if (text[end] == ':' && g_ascii_isdigit (text[end + 1]))
    return TRUE;
  if (begin > 0 && strchr ("\\/@", text[begin - 1]) != NULL)
    return TRUE;
  while (begin > 0 && strchr (" \t\"':=([", text[begin - 1]) != NULL)
    begin--;
  for (word = begin; word > 0 && g_ascii_isalpha (text[word - 1]); word--)
    ;
  for (i = 0; i < G_N_ELEMENTS (host_words); i++)
    if (begin - word == strlen (host_words[i]) &&
        g_ascii_strncasecmp (text + word, host_words[i], begin - word) == 0)
      return TRUE;
  return FALSE;
}

/**
 * ns_redact_short_find_host:
 * @self: names
 * @text: a sentence
 * @begin: begin of a word in it
 * @end: its end
 *
 * Returns: (transfer none) (nullable): the host that the word is short for
 */
NsRedactName *
ns_redact_short_find_host (const NsRedactShort *self, const char *text, gsize begin, gsize end)
{
  char folded[MAX_WORD_BYTES + 1];
  NsRedactName *name;

  if (end - begin > MAX_WORD_BYTES || g_hash_table_size (self->hosts) == 0)
    return NULL;
  fold (folded, text + begin, end - begin);
  name = g_hash_table_lookup (self->hosts, folded);
  if (name == NULL || is_code (text, begin, end))
    return NULL;
  return !ns_redact_short_is_plain (text + begin, end - begin) || is_host_place (text, begin, end)
             ? name
             : NULL;
}

/* Finds a user by the first @size bytes. */
static NsRedactName *
find_whole (const NsRedactShort *self, const char *text, gsize size)
{
  g_autofree char *whole = NULL;

  if (memchr (text, '\0', size) != NULL || ns_redact_is_word_char (text[size]))
    return NULL;
  whole = g_ascii_strdown (text, (gssize) size);
  return g_hash_table_lookup (self->users, whole);
}

/**
 * ns_redact_short_find_user:
 * @self: names
 * @text: a sentence, from the begin of a word
 * @size: (inout): length of the word; returns the length of the name
 *
 * Returns: (transfer none) (nullable): the user
 */
NsRedactName *
ns_redact_short_find_user (const NsRedactShort *self, const char *text, gsize *size)
{
  char word[MAX_WORD_BYTES + 1];
  const GArray *sizes;
  guint i;

  if (*size > MAX_WORD_BYTES ||
      g_hash_table_size (self->parts) + g_hash_table_size (self->users) == 0)
    return NULL;
  fold (word, text, *size);
  sizes = g_hash_table_lookup (self->sizes, word);
  for (i = 0; sizes != NULL && i < sizes->len; i++)
    {
      NsRedactName *name = find_whole (self, text, g_array_index (sizes, gsize, i));

      if (name != NULL)
        {
          *size = g_array_index (sizes, gsize, i);
          return name;
        }
    }
  memcpy (word, text, *size);
  return g_hash_table_lookup (self->parts, word);
}
