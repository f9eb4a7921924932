/* Masks secrets in texts and bytes of a trace, unless the user wants to see them: passwords,
 * cookies, tokens.
 *
 * Secrets are found by a name beside them (ns-secrets-forms.c, -elements.c, ns-secret-names.c), by
 * a keyword of a protocol or a program before them (-commands.c, -command-lines.c, -statements.c),
 * by their own form (-tokens.c, -beginnings.c), or by their position in a binary message
 * (-binary.c, -logins.c, -http2.c, -websocket.c). Each byte is examined once, except around names.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secrets.h"

#include "base/ns-secrets-private.h"

#include <string.h>

/**
 * ns_secrets_new:
 * @is_shown: whether secrets are shown
 *
 * Creates masking settings. They are changed only by ns_secret_names_add(), before they are shared;
 * after that they can be used from any thread. Functions that accept %NULL then use the defaults:
 * secrets are masked, without names added by the user.
 *
 * Returns: (transfer full): the settings
 */
NsSecrets *
ns_secrets_new (gboolean is_shown)
{
  NsSecrets *self = g_new0 (NsSecrets, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->is_shown = is_shown;
  return self;
}

/**
 * ns_secrets_ref:
 * @self: (nullable): masking settings
 *
 * Returns: (transfer full) (nullable): @self
 */
NsSecrets *
ns_secrets_ref (NsSecrets *self)
{
  if (self != NULL)
    g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * ns_secrets_unref:
 * @self: (transfer full) (nullable): masking settings
 */
void
ns_secrets_unref (NsSecrets *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->names, g_ptr_array_unref);
  ns_secrets_prefixes_free (self->beginnings);
  g_free (self);
}

/**
 * ns_secrets_are_shown:
 * @self: (nullable): masking settings
 *
 * Returns: %TRUE if secrets are not masked
 */
gboolean
ns_secrets_are_shown (const NsSecrets *self)
{
  return self != NULL && self->is_shown;
}

/**
 * ns_secrets_is_secret_name:
 * @self: (nullable): masking settings; %NULL for the defaults
 * @name: (nullable): name of a field
 *
 * Returns: %TRUE if all values of the field are secret
 */
gboolean
ns_secrets_is_secret_name (const NsSecrets *self, const char *name)
{
  return name != NULL && (ns_secret_names_look (self, name, strlen (name)) & NS_SECRET_FIELD) != 0;
}

/**
 * ns_secrets_is_command_name:
 * @name: (nullable): name of a field
 *
 * Returns: %TRUE if its value is a command line
 */
gboolean
ns_secrets_is_command_name (const char *name)
{
  static const char *const ends[] = { "commandline", "cmdline" };
  static const char *const names[] = { "arguments", "hostapplication", "scriptblocktext" };
  char plain[NS_SECRET_NAMES_MAX_NAME + 1];
  gsize n = 0;
  guint i;

  for (; name != NULL && *name != '\0' && n < sizeof plain - 1; name++)
    if (g_ascii_isalnum (*name))
      plain[n++] = g_ascii_tolower (*name);
  plain[n] = '\0';
  for (i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (plain, ends[i]))
      return TRUE;
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (plain, names[i]) == 0)
      return TRUE;
  return FALSE;
}

static gsize
find_at (NsSecretFinder *self, gsize at)
{
  gsize next;

  switch (self->text[at])
    {
    case ':':
      return ns_secrets_find_named (self, at);
    case '=':
      return ns_secrets_find_assigned (self, at);
    case '%':
      next = ns_secrets_find_assigned (self, at);
      return next != 0 ? next : ns_secrets_find_encoded_member (self, at);
    case '<':
    case '&':
      return ns_secrets_find_element (self, at);
    case '\\':
      next = ns_secrets_find_assigned (self, at);
      return next != 0 ? next : ns_secrets_find_element (self, at);
    case ',':
      return ns_secrets_find_pair (self, at);
    case '(':
      return ns_secrets_find_call (self, at);
    case '-':
      return ns_secrets_find_private_key (self, at);
    case ' ':
      next = ns_secrets_find_scheme (self, at);
      next = next != 0 ? next : ns_secrets_find_switch (self, at);
      return next != 0 ? next : ns_secrets_find_statement (self, at);
    case '\n':
      return ns_secrets_find_protocol_line (self, at + 1);
    case '`':
      return ns_secrets_find_simple_bind (self, at);
    case '.':
      return ns_secrets_find_jwt (self, at);
    default:
      return 0;
    }
}

/* Characters at which a secret may be recognized. */
static const guint8 signs[256] = {
  [':'] = 1, ['='] = 1, ['%'] = 1, ['<'] = 1,  ['\n'] = 1, ['`'] = 1, ['.'] = 1,
  [' '] = 1, ['&'] = 1, [','] = 1, ['\\'] = 1, ['('] = 1,  ['-'] = 1
};

static guint
count_ranges (const NsSecretFinder *self)
{
  return self->ranges != NULL ? self->ranges->len : 0;
}

static void
add_ranges (NsSecretFinder *self, const GArray *ranges)
{
  guint i;

  for (i = 0; ranges != NULL && i < ranges->len; i++)
    {
      const NsSecretRange *range = &g_array_index (ranges, NsSecretRange, i);

      ns_secret_finder_add (self, range->begin, range->end);
    }
}

/* Looks for a secret at @at; returns where to continue, or 0 if there is none. */
static gsize
look_at (NsSecretFinder *self, gsize at, const guint8 *beginnings)
{
  guint8 sign = (guint8) self->text[at];
  gsize next = signs[sign] ? find_at (self, at) : 0;

  if (next == 0 && (beginnings[sign] != 0 || sign == '%'))
    next = ns_secrets_find_beginning (self, at);
  return next;
}

static void search_from (NsSecretFinder *self, gsize at);

/* Searches between a name and its value, where there may be other names: from @at to the first
 * range added after @n_before others. */
static void
search_between (NsSecretFinder *self, gsize at, guint n_before)
{
  NsSecretFinder inner = { .secrets = self->secrets,
                           .text = self->text,
                           .size = g_array_index (self->ranges, NsSecretRange, n_before).begin,
                           .search = self->search,
                           .is_decoded = self->is_decoded,
                           .is_inner = TRUE };
  g_autoptr (GArray) found = NULL;
  g_autoptr (GArray) added = NULL;

  search_from (&inner, at);
  found = inner.ranges;
  if (found == NULL)
    return;
  added = g_array_new (FALSE, FALSE, sizeof (NsSecretRange));
  g_array_append_vals (added,
                       &g_array_index (self->ranges, NsSecretRange, n_before),
                       self->ranges->len - n_before);
  g_array_set_size (self->ranges, n_before);
  add_ranges (self, found);
  add_ranges (self, added);
}

static void
search_from (NsSecretFinder *self, gsize at)
{
  const guint8 *beginnings = ns_secrets_get_beginning_signs (self->secrets);

  while (at < self->size)
    {
      guint n_before = count_ranges (self);
      gsize next = look_at (self, at, beginnings);

      if (!self->is_inner && count_ranges (self) > n_before)
        search_between (self, at + 1, n_before);
      at = MAX (next, at + 1);
    }
}

static void
search (NsSecretFinder *self)
{
  gsize next = ns_secrets_find_protocol_line (self, 0);

  if (count_ranges (self) > 0)
    search_between (self, 0, 0);
  search_from (self, next);
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const NsSecretRange *one = a;
  const NsSecretRange *other = b;

  return (one->begin > other->begin) - (one->begin < other->begin);
}

/* Merges the ranges that only the command line syntax finds into the others. */
static void
add_command_ranges (NsSecretFinder *self)
{
  NsSecretFinder other = { .secrets = self->secrets,
                           .text = self->text,
                           .size = self->size,
                           .search = search };
  g_autoptr (GArray) ranges = NULL;

  ns_secrets_find_in_command (&other);
  ranges = other.ranges;
  if (ranges == NULL)
    return;
  if (self->ranges != NULL)
    {
      g_array_append_vals (ranges, self->ranges->data, self->ranges->len);
      g_array_sort (ranges, compare_ranges);
      g_array_set_size (self->ranges, 0);
    }
  add_ranges (self, ranges);
}

/* Returns the secret ranges, or NULL. */
static GArray *
find_ranges (const NsSecrets *secrets, const char *text, gsize size, gboolean is_command)
{
  NsSecretFinder self = { .secrets = secrets, .text = text, .size = size, .search = search };

  search (&self);
  if (is_command)
    add_command_ranges (&self);
  return self.ranges;
}

static gboolean
has_sign (const NsSecrets *self, const guint8 *text, gsize size)
{
  const guint8 *beginnings = ns_secrets_get_beginning_signs (self);
  gsize i;

  for (i = 0; i < size; i++)
    if (signs[text[i]] || beginnings[text[i]] != 0)
      return TRUE;
  return FALSE;
}

static gboolean
mask_tail (const NsSecrets *self, GString *text, gsize begin, gboolean is_command)
{
  gsize size = text->len - begin;
  g_autoptr (GArray) ranges = NULL;
  g_autofree char *copy = NULL;
  gsize from = 0;
  guint i;

  if (size == 0 || ns_secrets_are_shown (self) ||
      !has_sign (self, (const guint8 *) text->str + begin, size))
    return FALSE;
  ranges = find_ranges (self, text->str + begin, size, is_command);
  if (ranges == NULL)
    return FALSE;

  copy = g_memdup2 (text->str + begin, size);
  g_string_truncate (text, begin);
  for (i = 0; i < ranges->len; i++)
    {
      const NsSecretRange *range = &g_array_index (ranges, NsSecretRange, i);

      g_string_append_len (text, copy + from, (gssize) (range->begin - from));
      g_string_append (text, NS_SECRETS_MASK);
      from = range->end;
    }
  g_string_append_len (text, copy + from, (gssize) (size - from));
  return TRUE;
}

/**
 * ns_secrets_mask_tail:
 * @self: (nullable): masking settings; %NULL for the defaults
 * @text: a text
 * @begin: offset of the part to mask, which extends to the end
 *
 * Replaces secrets by an ellipsis, unless secrets are shown.
 *
 * Returns: %TRUE if there was a secret
 */
gboolean
ns_secrets_mask_tail (const NsSecrets *self, GString *text, gsize begin)
{
  return mask_tail (self, text, begin, FALSE);
}

/**
 * ns_secrets_mask_command:
 * @self: (nullable): masking settings; %NULL for the defaults
 * @text: a text
 * @begin: offset of a command line, which extends to the end
 *
 * Like ns_secrets_mask_tail(), and also masks the values of command line switches.
 *
 * Returns: %TRUE if there was a secret
 */
gboolean
ns_secrets_mask_command (const NsSecrets *self, GString *text, gsize begin)
{
  return mask_tail (self, text, begin, TRUE);
}

static gboolean
blank (guint8 *data, const GArray *ranges)
{
  guint i;

  for (i = 0; ranges != NULL && i < ranges->len; i++)
    {
      const NsSecretRange *range = &g_array_index (ranges, NsSecretRange, i);

      memset (data + range->begin, NS_SECRETS_BYTE, range->end - range->begin);
    }
  return ranges != NULL;
}

static gboolean
mask_narrow (const NsSecrets *self, guint8 *data, gsize size, gboolean is_command)
{
  g_autoptr (GArray) ranges = NULL;

  if (!has_sign (self, data, size))
    return FALSE;
  ranges = find_ranges (self, (const char *) data, size, is_command);
  return blank (data, ranges);
}

/* Runs each finder separately, because they add ranges in order and one may find a secret before
 * that of another. */
static gboolean
mask_binary (const NsSecrets *self, guint8 *data, gsize size)
{
  static void (*const finds[]) (NsSecretFinder *
                                self) = { ns_secrets_find_binary,    ns_secrets_find_ntlm,
                                          ns_secrets_find_mysql,     ns_secrets_find_ldap,
                                          ns_secrets_find_kerberos,  ns_secrets_find_brokers,
                                          ns_secrets_find_websocket, ns_secrets_find_http2 };
  gboolean found = FALSE;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (finds); i++)
    {
      NsSecretFinder finder = { .secrets = self,
                                .text = (const char *) data,
                                .size = size,
                                .search = search };
      g_autoptr (GArray) ranges = NULL;

      finds[i](&finder);
      ranges = finder.ranges;
      found |= blank (data, ranges);
    }
  return found;
}

/* Returns whether there may be UTF-16 text: four consecutive ASCII characters of two bytes. */
static gboolean
has_wide_text (const guint8 *data, gsize size)
{
  guint n = 0;
  gsize i = 0;

  while (i + 1 < size && n < 4)
    if (data[i + 1] == 0 && data[i] >= ' ' && data[i] < 0x7f)
      {
        n++;
        i += 2;
      }
    else
      {
        n = 0;
        i++;
      }
  return n >= 4;
}

/* Masks UTF-16 text, taking every other byte; characters that are not ASCII are not part of a
 * name. */
static gboolean
mask_wide (const NsSecrets *self, guint8 *data, gsize size, gboolean is_command)
{
  gsize n_units = size / 2;
  g_autofree guint8 *narrow = g_malloc (n_units + 1);
  g_autoptr (GArray) ranges = NULL;
  gsize i;
  gsize j;

  for (i = 0; i < n_units; i++)
    narrow[i] = data[2 * i + 1] == 0 ? data[2 * i] : 0x7f;
  ranges = find_ranges (self, (const char *) narrow, n_units, is_command);
  for (i = 0; ranges != NULL && i < ranges->len; i++)
    {
      const NsSecretRange *range = &g_array_index (ranges, NsSecretRange, i);

      for (j = range->begin; j < range->end; j++)
        {
          data[2 * j] = NS_SECRETS_BYTE;
          data[2 * j + 1] = 0;
        }
    }
  return ranges != NULL;
}

/* Masks what is secret in 8-bit or UTF-16 text, but not binary messages. */
static gboolean
mask_text (const NsSecrets *self, guint8 *data, gsize size, gboolean is_command)
{
  gboolean found;

  if (size == 0 || ns_secrets_are_shown (self))
    return FALSE;
  found = mask_narrow (self, data, size, is_command);
  if (has_wide_text (data, size))
    {
      found |= mask_wide (self, data, size, is_command);
      found |= mask_wide (self, data + 1, size - 1, is_command);
    }
  return found;
}

/**
 * ns_secrets_mask_bytes:
 * @self: (nullable): masking settings; %NULL for the defaults
 * @data: (array length=size) (nullable): bytes that may be 8-bit or UTF-16 text
 * @size: number of bytes
 *
 * Replaces secrets by asterisks, unless secrets are shown; the size does not change.
 *
 * Returns: %TRUE if there was a secret
 */
gboolean
ns_secrets_mask_bytes (const NsSecrets *self, guint8 *data, gsize size)
{
  gboolean found;

  if (size == 0 || ns_secrets_are_shown (self))
    return FALSE;
  found = mask_binary (self, data, size);
  return mask_text (self, data, size, FALSE) || found;
}

/**
 * ns_secrets_mask_command_bytes:
 * @self: (nullable): masking settings; %NULL for the defaults
 * @data: (array length=size) (nullable): a command line, as 8-bit or UTF-16 text
 * @size: number of bytes
 *
 * Like ns_secrets_mask_bytes(), but masks the values of command line switches instead of binary
 * messages.
 *
 * Returns: %TRUE if there was a secret
 */
gboolean
ns_secrets_mask_command_bytes (const NsSecrets *self, guint8 *data, gsize size)
{
  return mask_text (self, data, size, TRUE);
}

/**
 * ns_secrets_dup_masked:
 * @self: (nullable): masking settings; %NULL for the defaults
 * @data: (array length=size) (nullable): bytes that may be text
 * @size: number of bytes
 *
 * Returns: (transfer full) (nullable): a copy with secrets replaced by asterisks; %NULL if there is
 *   none
 */
guint8 *
ns_secrets_dup_masked (const NsSecrets *self, const guint8 *data, gsize size)
{
  g_autofree guint8 *copy = NULL;

  /* Binary messages begin with a control character, a digit, or a byte that is not ASCII. */
  if (size == 0 || ns_secrets_are_shown (self) ||
      (size < NS_SECRETS_MIN_NTLM && !has_sign (self, data, size) && data[0] > '0' &&
       data[0] < 0x80))
    return NULL;
  copy = g_memdup2 (data, size);
  return ns_secrets_mask_bytes (self, copy, size) ? g_steal_pointer (&copy) : NULL;
}

/**
 * ns_secrets_dup_masked_text:
 * @self: (nullable): masking settings; %NULL for the defaults
 * @data: (array length=size) (nullable): bytes that may contain text, but no binary messages
 * @size: number of bytes
 *
 * Returns: (transfer full) (nullable): a copy with secrets replaced by asterisks; %NULL if there is
 *   none
 */
guint8 *
ns_secrets_dup_masked_text (const NsSecrets *self, const guint8 *data, gsize size)
{
  g_autofree guint8 *copy = NULL;

  if (size == 0 || ns_secrets_are_shown (self) ||
      (!has_sign (self, data, size) && !has_wide_text (data, size)))
    return NULL;
  copy = g_memdup2 (data, size);
  return mask_text (self, copy, size, FALSE) ? g_steal_pointer (&copy) : NULL;
}
