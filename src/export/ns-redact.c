/* Stand-ins for what tells of people and places in rows that are passed on.
 *
 * First the names of the whole trace are learned, in the order of its tables: so a server is
 * `server-3` in every export of a trace. Then the rows are read once as they will be written, which
 * tells what is replaced and how often. Nothing changes from then on: threads may share it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-redact.h"

#include <string.h>

/* Shorter words are names only where a name stands: in a sentence they are words. */
#define MIN_WORD_BYTES 3
/* Longer ones are no names of hosts. */
#define MAX_WORD_BYTES 255

/* What a field holds. */
typedef enum
{
  RULE_SCAN,  /* something that may mention names */
  RULE_NAMES, /* names of hosts */
  RULE_URL,
  RULE_WHOLE, /* what no form tells the people in */
  RULE_USER,
} Rule;

struct _NsRedact
{
  GPtrArray
      *all[NS_N_REDACT_KINDS]; /* (element-type NsRedactName): in the order of their numbers */
  GPtrArray *occurring[NS_N_REDACT_KINDS]; /* those of them that the rows hold */
  GHashTable *by_text;                     /* Key → NsRedactName */
};

/* A name as it is looked for, whatever its case; the text is not copied. */
typedef struct
{
  NsRedactKind kind;
  const char *text;
  gsize size;
} Key;

/* What is being gone through. */
typedef struct
{
  NsRedact *self;
  gboolean is_learning; /* else nothing is changed */
  gboolean is_counting;
  GArray *spans; /* NsRedactSpan: scratch */
} Walk;

static const char *const prefixes[] = { "server", "address", "path", "user", "text" };

static guint
hash_key (gconstpointer data)
{
  const Key *key = data;
  guint hash = 5381 + key->kind;
  gsize i;

  for (i = 0; i < key->size; i++)
    hash = hash * 33 + (guint) g_ascii_tolower (key->text[i]);
  return hash;
}

static gboolean
is_same_key (gconstpointer a, gconstpointer b)
{
  const Key *one = a;
  const Key *other = b;

  return one->kind == other->kind && one->size == other->size &&
         g_ascii_strncasecmp (one->text, other->text, one->size) == 0;
}

static void
free_name (gpointer data)
{
  NsRedactName *name = data;

  g_free (name->text);
  g_free (name->stand_in);
  g_free (name);
}

static NsRedactName *
find (const NsRedact *self, NsRedactKind kind, const char *text, gsize size)
{
  const Key key = { kind, text, size };

  return g_hash_table_lookup (self->by_text, &key);
}

static NsRedactName *
learn (NsRedact *self, NsRedactKind kind, const char *text, gsize size)
{
  NsRedactName *name = find (self, kind, text, size);
  Key *key;

  if (name != NULL)
    return name;
  name = g_new0 (NsRedactName, 1);
  name->kind = kind;
  name->text = g_strndup (text, size);
  g_ptr_array_add (self->all[kind], name);
  name->stand_in = g_strdup_printf ("%s-%u", prefixes[kind], self->all[kind]->len);
  key = g_new (Key, 1);
  *key = (Key){ kind, name->text, size };
  g_hash_table_insert (self->by_text, key, name);
  return name;
}

static gboolean
is_number (const char *text, gsize size)
{
  return strspn (text, "0123456789") >= size;
}

/* Says nothing of anybody. */
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

/* A word is a host when the trace has a host of that name, or one that it belongs to. */
static NsRedactKind
judge_word (const NsRedact *self, const char *text, gsize size)
{
  const char *end = text + size;
  const char *at;

  if (size < MIN_WORD_BYTES || size > MAX_WORD_BYTES)
    return NS_REDACT_WORD;
  if (find (self, NS_REDACT_USER, text, size) != NULL)
    return NS_REDACT_USER;
  for (at = text; at != NULL && at < end; at = memchr (at, '.', (gsize) (end - at)))
    {
      at += at > text ? 1 : 0;
      if ((at == text || memchr (at, '.', (gsize) (end - at)) != NULL) &&
          find (self, NS_REDACT_SERVER, at, (gsize) (end - at)) != NULL)
        return NS_REDACT_SERVER;
    }
  return NS_REDACT_WORD;
}

/* Returns: (nullable): what is written in the place of @text; %NULL: itself */
static const char *
replace (const Walk *walk, NsRedactKind kind, const char *text, gsize size)
{
  NsRedactName *name;

  if (kind == NS_REDACT_WORD)
    kind = judge_word (walk->self, text, size);
  if (kind == NS_REDACT_WORD || size == 0 || is_public (kind, text, size))
    return NULL;
  name = walk->is_learning ? learn (walk->self, kind, text, size)
                           : find (walk->self, kind, text, size);
  if (name == NULL) /* What came with a symbol since. */
    return prefixes[kind];
  if (walk->is_counting)
    name->n_places++;
  return name->stand_in;
}

/* Whose folder a path leads through. */
static void
learn_user (NsRedact *self, const char *text, gsize size)
{
  static const char *const nobody[] = { "public", "default", "all users", "default user" };
  static const char folder[] = "\\users\\";
  gsize i;
  gsize n;

  for (i = 0; i + strlen (folder) < size; i++)
    if (g_ascii_strncasecmp (text + i, folder, strlen (folder)) == 0)
      break;
  if (i + strlen (folder) >= size)
    return;
  text += i + strlen (folder);
  for (n = 0; n < size - i - strlen (folder) && text[n] != '\\'; n++)
    ;
  for (i = 0; i < G_N_ELEMENTS (nobody); i++)
    if (n == strlen (nobody[i]) && g_ascii_strncasecmp (text, nobody[i], n) == 0)
      return;
  if (n > 0)
    learn (self, NS_REDACT_USER, text, n);
}

static Rule
get_rule (const NsField *field)
{
  static const struct
  {
    const char *id;
    Rule rule;
  } rules[] = {
    { "server", RULE_NAMES },       { "server_alt", RULE_NAMES }, { "query", RULE_NAMES },
    { "aliases", RULE_NAMES },      { "url", RULE_URL },          { "origin", RULE_URL },
    { "command_line", RULE_WHOLE }, { "base", RULE_WHOLE },       { "filter", RULE_WHOLE },
    { "geo", RULE_WHOLE },          { "user_sid", RULE_USER },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (rules); i++)
    if (strcmp (rules[i].id, field->id) == 0)
      return rules[i].rule;
  return RULE_SCAN;
}

/* Returns: (transfer full) (nullable): the text without what tells of anybody; %NULL: as it is */
static char *
redact_parts (const Walk *walk, const char *text, gboolean is_names)
{
  GString *out = NULL;
  gsize from = 0;
  guint i;

  ns_redact_scan (text, walk->spans);
  for (i = 0; i < walk->spans->len; i++)
    {
      const NsRedactSpan *span = &g_array_index (walk->spans, NsRedactSpan, i);
      gboolean is_name = is_names && span->kind == NS_REDACT_WORD;
      const char *instead;

      if (walk->is_learning && span->kind == NS_REDACT_PATH)
        learn_user (walk->self, text + span->begin, span->end - span->begin);
      instead = replace (walk,
                         is_name ? NS_REDACT_SERVER : span->kind,
                         text + span->begin,
                         span->end - span->begin);
      if (instead == NULL)
        continue;
      if (out == NULL)
        out = g_string_new (NULL);
      g_string_append_len (out, text + from, (gssize) (span->begin - from));
      g_string_append (out, instead);
      from = span->end;
    }
  if (out == NULL)
    return NULL;
  g_string_append (out, text + from);
  return g_string_free (out, FALSE);
}

static char *
redact_text (const Walk *walk, const NsField *field, const char *text)
{
  Rule rule = get_rule (field);

  if (rule == RULE_URL && strstr (text, "://") == NULL)
    rule = RULE_WHOLE;
  /* Whose program it is, is learned from the way to it. */
  if (rule == RULE_WHOLE && walk->is_learning)
    g_free (redact_parts (&(Walk){ walk->self, TRUE, FALSE, walk->spans }, text, FALSE));
  if (rule == RULE_WHOLE || rule == RULE_USER)
    return g_strdup (
        replace (walk, rule == RULE_USER ? NS_REDACT_USER : NS_REDACT_TEXT, text, strlen (text)));
  return redact_parts (walk, text, rule == RULE_NAMES);
}

static void
redact_list (const Walk *walk, const NsField *field, NsFieldValue *value)
{
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);
  guint i;

  for (i = 0; i < value->list->len; i++)
    {
      const char *text = g_ptr_array_index (value->list, i);
      char *instead = redact_text (walk, field, text);

      g_ptr_array_add (list, instead != NULL ? instead : g_strdup (text));
    }
  g_ptr_array_unref (value->list);
  value->list = list;
}

static void
redact_value (const Walk *walk, const NsField *field, NsFieldValue *value)
{
  char address[NS_IP_TEXT_SIZE];
  char *instead = NULL;

  if (value->is_null)
    return;
  if (value->type == NS_TYPE_TEXT)
    instead = redact_text (walk, field, value->v.text);
  else if (value->type == NS_TYPE_LIST && !field->of_numbers)
    redact_list (walk, field, value);
  else if (value->type == NS_TYPE_IP)
    {
      ns_ip_to_text (&value->v.ip, address);
      instead = g_strdup (replace (walk, NS_REDACT_ADDRESS, address, strlen (address)));
    }
  if (instead == NULL)
    return;
  g_free (value->owned);
  value->owned = instead;
  value->v.text = instead;
  value->type = NS_TYPE_TEXT;
}

static void
walk_field (const Walk *walk, const NsExportRows *rows, const NsField *field, gsize i)
{
  NsFieldValue value;

  ns_field_get (rows->trace, field, rows->rows != NULL ? rows->rows[i] : (guint) i, &value);
  redact_value (walk, field, &value);
  ns_field_value_clear (&value);
}

static gboolean
is_telling (const NsField *field)
{
  return field->type == NS_TYPE_IP || field->type == NS_TYPE_TEXT ||
         (field->type == NS_TYPE_LIST && !field->of_numbers);
}

/* Whether a field holds nothing but names. */
static gboolean
is_all_names (const NsField *field)
{
  return field->type == NS_TYPE_IP || strcmp (field->id, "addresses") == 0 ||
         strcmp (field->id, "path") == 0 ||
         (is_telling (field) && field->in_json && get_rule (field) != RULE_SCAN);
}

/* All names of the trace. */
static void
learn_names (const Walk *walk, const NsTrace *trace)
{
  NsTableId table;
  guint i;
  guint row;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      const NsExportRows rows = { .trace = trace, .table = table };
      guint n_fields;
      const NsField *fields = ns_table_get_fields (table, &n_fields);
      guint n_rows = ns_redact_is_possible (table) && table != NS_TABLE_FINDINGS
                         ? ns_table_get_n_rows (trace, table)
                         : 0;

      for (i = 0; i < n_fields && n_rows > 0; i++)
        if (is_all_names (&fields[i]))
          for (row = 0; row < n_rows; row++)
            walk_field (walk, &rows, &fields[i], row);
    }
}

static void
count_places (const Walk *walk, const NsExportRows *rows)
{
  guint column;
  gsize i;

  for (i = 0; i < rows->n_rows; i++)
    for (column = 0; column < rows->n_fields; column++)
      if (is_telling (rows->fields[column]))
        walk_field (walk, rows, rows->fields[column], i);
}

/**
 * ns_redact_is_possible:
 * @table: a table
 *
 * Records, packets and what browsers tell hold more than can be told apart by its form.
 *
 * Returns: whether its rows can be passed on without names
 */
gboolean
ns_redact_is_possible (NsTableId table)
{
  return table != NS_TABLE_EVENTS && table != NS_TABLE_CHROMIUM_EVENTS &&
         table != NS_TABLE_PACKETS && table != NS_TABLE_SPANS;
}

/**
 * ns_redact_new:
 * @rows: what is to be written; read here only
 *
 * Gives everything a stand-in that tells of people and places in these rows: hosts, addresses,
 * folders and files, users, and what a program was told. The same has the same stand-in in all
 * exports of a trace. How long it takes grows with the trace: not for the main thread.
 *
 * Returns: (transfer full): the stand-ins; does not change any more
 */
NsRedact *
ns_redact_new (const NsExportRows *rows)
{
  NsRedact *self = g_new0 (NsRedact, 1);
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (NsRedactSpan));
  Walk walk = { self, TRUE, FALSE, spans };
  guint kind;
  guint i;

  self->by_text = g_hash_table_new_full (hash_key, is_same_key, g_free, NULL);
  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    {
      self->all[kind] = g_ptr_array_new_with_free_func (free_name);
      self->occurring[kind] = g_ptr_array_new ();
    }
  learn_names (&walk, rows->trace);
  walk.is_counting = TRUE;
  count_places (&walk, rows);
  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    for (i = 0; i < self->all[kind]->len; i++)
      {
        NsRedactName *name = g_ptr_array_index (self->all[kind], i);

        if (name->n_places > 0)
          g_ptr_array_add (self->occurring[kind], name);
      }
  return self;
}

/**
 * ns_redact_free:
 * @self: (transfer full) (nullable): stand-ins
 */
void
ns_redact_free (NsRedact *self)
{
  guint kind;

  if (self == NULL)
    return;
  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    {
      g_ptr_array_unref (self->occurring[kind]);
      g_ptr_array_unref (self->all[kind]);
    }
  g_hash_table_unref (self->by_text);
  g_free (self);
}

/**
 * ns_redact_get_names:
 * @self: stand-ins
 * @kind: what is wanted
 *
 * Returns: (transfer none) (element-type NsRedactName): what is replaced in the rows
 */
const GPtrArray *
ns_redact_get_names (const NsRedact *self, NsRedactKind kind)
{
  return self->occurring[kind];
}

/**
 * ns_redact_apply:
 * @self: stand-ins
 * @field: a field
 * @value: (inout): its value in a row; what tells of somebody is replaced, and an address a text
 *   then
 *
 * From any thread.
 */
void
ns_redact_apply (const NsRedact *self, const NsField *field, NsFieldValue *value)
{
  g_autoptr (GArray) spans = NULL;
  Walk walk = { (NsRedact *) self, FALSE, FALSE, NULL };

  if (!is_telling (field) || value->is_null)
    return;
  walk.spans = spans = g_array_new (FALSE, FALSE, sizeof (NsRedactSpan));
  redact_value (&walk, field, value);
}
