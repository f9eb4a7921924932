/* Table of names whose values are secret: headers, arguments, members, fields and switches.
 *
 * Names are compared in lower case and without word separators, so `access_token`, `accessToken`
 * and `Access-Token` are the same. Names added by the user come first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-secret-names.h"

#include "base/ns-error.h"
#include "base/ns-plain.h"
#include "base/ns-secrets-private.h"
#include "base/ns-small-file.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_FILE (1 << 20)
#define MAX_USER_NAMES 256
/* Minimum length of a prefix added by the user; a shorter one would mask too much. */
#define MIN_BEGINNING 3
/* Maximum length of a line quoted in an error message, in bytes. */
#define MAX_REPORTED 80

typedef struct
{
  const char *name; /* normalized; a leading `*` matches any prefix */
  guint places;
} Entry;

#define HEADER (NS_SECRET_HEADER | NS_SECRET_MEMBER | NS_SECRET_FIELD)
#define OFTEN (NS_SECRET_ARGUMENT | NS_SECRET_MEMBER)
#define ALL NS_SECRET_EVERYWHERE

/* Grouped by the last character of the name, so that a look-up compares few of them.
 * %NS_SECRET_NOWHERE: the name ends like another entry, but is not secret. */
/* clang-format off */
static const Entry ends_in_2[] = {
  { "cookie2", HEADER }, { "setcookie2", HEADER },
};

static const Entry ends_in_6[] = {
  { "xhubsignature256", HEADER },
};

static const Entry ends_in_a[] = {
  { "xamznoidcdata", HEADER }, { "*contrasena", ALL }, { "*contrase\xc3\xb1" "a", ALL },
  { "hdnea", NS_SECRET_ARGUMENT },
};

static const Entry ends_in_c[] = {
  { "hmac", NS_SECRET_ARGUMENT }, { "cvc", OFTEN },
};

static const Entry ends_in_d[] = {
  { "xsessionid", HEADER }, { "*password", ALL }, { "*passwd", ALL }, { "*pwd", ALL }, { "*unicodepwd", ALL },
  { "*pswd", ALL }, { "encodedcommand", NS_SECRET_FIELD | NS_SECRET_SWITCH },
  { "passwordd", NS_SECRET_SWITCH }, { "*sessionid", OFTEN }, { "jsessionid", OFTEN }, { "phpsessid", OFTEN },
  { "aspsessionid", OFTEN }, { "sid", NS_SECRET_ARGUMENT }, { "*sessid", OFTEN },
};

static const Entry ends_in_e[] = {
  { "cookie", HEADER | NS_SECRET_SWITCH }, { "setcookie", HEADER },
  { "wwwauthenticate", NS_SECRET_CHALLENGE }, { "proxyauthenticate", NS_SECRET_CHALLENGE },
  { "xamzsignature", ALL }, { "xhubsignature", HEADER }, { "xoriginalcookie", HEADER },
  { "*passphrase", ALL }, { "*passcode", ALL }, { "*sharedaccesssignature", ALL }, { "samlresponse", ALL },
  { "devicecode", ALL }, { "*passwordvalue", ALL }, { "*motdepasse", ALL }, { "secretkeybase", ALL },
  { "accesssignature", OFTEN }, { "*signature", NS_SECRET_ARGUMENT }, { "authcode", OFTEN },
  { "authorizationcode", OFTEN }, { "code", NS_SECRET_ARGUMENT }, { "*mfacode", OFTEN },
  { "*otpcode", OFTEN }, { "*smscode", OFTEN }, { "*verificationcode", OFTEN }, { "*onetimecode", OFTEN },
};

static const Entry ends_in_g[] = {
  { "sig", NS_SECRET_ARGUMENT },
};

static const Entry ends_in_h[] = {
  { "xauth", HEADER }, { "auth", NS_SECRET_ARGUMENT | NS_SECRET_SWITCH }, { "proxyauth", NS_SECRET_SWITCH },
  { "tempauth", OFTEN }, { "npmauth", OFTEN },
};

static const Entry ends_in_l[] = {
  { "xmsclientprincipal", HEADER }, { "keymaterial", ALL }, { "credential", NS_SECRET_ARGUMENT },
};

static const Entry ends_in_n[] = {
  { "authorization", HEADER | NS_SECRET_ARGUMENT | NS_SECRET_SWITCH }, { "proxyauthorization", HEADER },
  { "xsession", HEADER }, { "*jwtassertion", HEADER | NS_SECRET_ARGUMENT }, { "*authorization", HEADER },
  { "*token", ALL }, { "clientassertion", ALL }, { "userpin", ALL },
  { "pin", NS_SECRET_ARGUMENT | NS_SECRET_SWITCH }, { "passin", NS_SECRET_SWITCH },
  { "session", NS_SECRET_ARGUMENT }, { "*assertion", OFTEN }, { "publickeytoken", NS_SECRET_NOWHERE },
  { "cancellationtoken", NS_SECRET_NOWHERE }, { "methodtoken", NS_SECRET_NOWHERE },
  { "typetoken", NS_SECRET_NOWHERE }, { "metadatatoken", NS_SECRET_NOWHERE },
  { "maxtoken", NS_SECRET_NOWHERE },
};

static const Entry ends_in_o[] = {
  { "authenticationinfo", HEADER }, { "proxyauthenticationinfo", HEADER }, { "passwordo", NS_SECRET_SWITCH },
};

static const Entry ends_in_p[] = {
  { "dpop", HEADER }, { "otp", ALL }, { "totp", ALL }, { "rp", NS_SECRET_SWITCH },
};

static const Entry ends_in_r[] = {
  { "bearer", ALL }, { "codeverifier", ALL },
};

static const Entry ends_in_s[] = {
  { "userpass", ALL }, { "dbpass", ALL }, { "*credentials", ALL },
  { "encodedarguments", NS_SECRET_FIELD | NS_SECRET_SWITCH }, { "pass", OFTEN | NS_SECRET_SWITCH },
  { "*pass", OFTEN | NS_SECRET_SWITCH }, { "hdnts", NS_SECRET_ARGUMENT },
  { "accesscontrolallowcredentials", NS_SECRET_NOWHERE }, { "bypass", NS_SECRET_NOWHERE },
  { "proxybypass", NS_SECRET_NOWHERE }, { "compass", NS_SECRET_NOWHERE },
};

static const Entry ends_in_t[] = {
  { "xticket", HEADER }, { "*secret", ALL }, { "samlrequest", ALL }, { "samlart", ALL }, { "jwt", ALL },
  { "*passwort", ALL }, { "*kennwort", ALL }, { "azuredevopsextpat", ALL }, { "passout", NS_SECRET_SWITCH },
  { "*ticket", OFTEN }, { "wresult", NS_SECRET_ARGUMENT }, { "pat", NS_SECRET_SWITCH },
};

static const Entry ends_in_v[] = {
  { "cvv", OFTEN },
};

static const Entry ends_in_w[] = {
  { "pw", OFTEN | NS_SECRET_SWITCH },
};

static const Entry ends_in_y[] = {
  { "xfunctionskey", HEADER }, { "xauthkey", HEADER }, { "*apikey", ALL }, { "*accesskey", ALL },
  { "*secretkey", ALL }, { "*secretaccesskey", ALL }, { "*privatekey", ALL }, { "*sharedkey", ALL },
  { "*accountkey", ALL }, { "*subscriptionkey", ALL }, { "*sessionkey", ALL }, { "*masterkey", ALL },
  { "*signingkey", ALL }, { "*encryptionkey", ALL }, { "key", NS_SECRET_ARGUMENT }, { "authkey", OFTEN },
};

#define GROUP(entries) { entries, G_N_ELEMENTS (entries) }

static const struct
{
  const Entry *entries;
  guint n;
} groups[256] = {
  ['2'] = GROUP (ends_in_2),
  ['6'] = GROUP (ends_in_6),
  ['a'] = GROUP (ends_in_a),
  ['c'] = GROUP (ends_in_c),
  ['d'] = GROUP (ends_in_d),
  ['e'] = GROUP (ends_in_e),
  ['g'] = GROUP (ends_in_g),
  ['h'] = GROUP (ends_in_h),
  ['l'] = GROUP (ends_in_l),
  ['n'] = GROUP (ends_in_n),
  ['o'] = GROUP (ends_in_o),
  ['p'] = GROUP (ends_in_p),
  ['r'] = GROUP (ends_in_r),
  ['s'] = GROUP (ends_in_s),
  ['t'] = GROUP (ends_in_t),
  ['v'] = GROUP (ends_in_v),
  ['w'] = GROUP (ends_in_w),
  ['y'] = GROUP (ends_in_y),
};
/* clang-format on */

#undef GROUP

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_free ((char *) entry->name);
  g_free (entry);
}

/* Writes the normalized name to @out; returns its length, 0 if it is not a name. */
static gsize
normalize (const char *name, gsize n_bytes, char *out)
{
  gsize n = 0;
  gsize i;

  if (n_bytes > NS_SECRET_NAMES_MAX_NAME)
    return 0;
  for (i = 0; i < n_bytes; i++)
    if (g_ascii_isalnum (name[i]))
      out[n++] = g_ascii_tolower (name[i]);
    else if (name[i] != '-' && name[i] != '_' && name[i] != '.' && name[i] != ' ')
      out[n++] = name[i];
  out[n] = '\0';
  return n;
}

static gboolean
matches (const char *pattern, const char *name, gsize n_bytes)
{
  gsize n_pattern;

  if (*pattern != '*')
    return strcmp (pattern, name) == 0;
  n_pattern = strlen (++pattern);
  return n_bytes >= n_pattern && memcmp (pattern, name + n_bytes - n_pattern, n_pattern) == 0;
}

static guint
look_at_table (const char *name, gsize n_bytes)
{
  guint8 last = (guint8) name[n_bytes - 1];
  guint found = NS_SECRET_NOWHERE;
  guint i;

  for (i = 0; i < groups[last].n; i++)
    {
      const Entry *entry = &groups[last].entries[i];

      if (!matches (entry->name, name, n_bytes))
        continue;
      if (*entry->name != '*')
        return entry->places;
      found |= entry->places;
    }
  return found;
}

/* Looks up a name with a number at its end: `password2` is as secret as `password`, but `key2` may
 * be anything. */
static guint
look_at_numbered (char *name, gsize n_bytes)
{
  guint places = look_at_table (name, n_bytes);
  gsize n = n_bytes;

  while (n > 1 && g_ascii_isdigit (name[n - 1]))
    n--;
  if (places != NS_SECRET_NOWHERE || n == n_bytes)
    return places;
  name[n] = '\0';
  places = look_at_table (name, n);
  return (places & NS_SECRET_FIELD) != 0 ? places : NS_SECRET_NOWHERE;
}

/**
 * ns_secret_names_look:
 * @secrets: (nullable): the masking settings; %NULL for the defaults
 * @name: (array length=n_bytes): a name, as it occurs in a text
 * @n_bytes: its length
 *
 * Returns: the places in which a value with that name is secret
 */
guint
ns_secret_names_look (const NsSecrets *secrets, const char *name, gsize n_bytes)
{
  const GPtrArray *names = secrets != NULL ? secrets->names : NULL;
  char plain[NS_SECRET_NAMES_MAX_NAME + 1];
  gsize n = normalize (name, n_bytes, plain);
  guint i;

  if (n == 0)
    return NS_SECRET_NOWHERE;
  for (i = 0; names != NULL && i < names->len; i++)
    {
      const Entry *entry = g_ptr_array_index (names, i);

      if (matches (entry->name, plain, n))
        return entry->places;
    }
  return look_at_numbered (plain, n);
}

/* Reports an invalid line; @where: the name of the file for the message. */
static gboolean
refuse_line (const char *where, guint n_line, const char *text, GError **error)
{
  g_autofree char *begin = g_strndup (text, MAX_REPORTED);

  ns_plain_make (begin);
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               /* Translators: a file, a line number, and the text of the line. */
               _ ("%s:%u: “%s” is not a valid name of a secret: write one name per line, with at "
                  "most %d letters and digits; * is allowed only at the start, or at the end to "
                  "match names that start with the text"),
               where,
               n_line,
               begin,
               NS_SECRET_NAMES_MAX_NAME);
  return FALSE;
}

static gboolean
refuse_more (const char *where, guint n_line, guint max, GError **error)
{
  g_set_error (error,
               NS_TRACE_ERROR,
               NS_TRACE_ERROR_QUERY,
               _ ("%s:%u: there are more than %u names of secrets; combine several of them with *"),
               where,
               n_line,
               max);
  return FALSE;
}

/* Adds a prefix of secrets, such as `tok_*` or a path; text with that prefix is masked anywhere. */
static gboolean
add_beginning (NsSecrets *secrets, const char *where, guint n_line, char *text, GError **error)
{
  gsize n = strlen (text) - 1;
  gsize i;

  for (i = 0; i < n; i++)
    if (!g_ascii_isalnum (text[i]) && strchr ("-_./:@", text[i]) == NULL)
      return refuse_line (where, n_line, text, error);
  if (n < MIN_BEGINNING || n > NS_SECRET_NAMES_MAX_NAME)
    return refuse_line (where, n_line, text, error);
  return ns_secrets_add_beginning (secrets, g_strndup (text, n)) ||
         refuse_more (where, n_line, NS_SECRET_NAMES_MAX_BEGINNINGS, error);
}

static gboolean
add_line (NsSecrets *secrets, const char *where, guint n_line, const char *line, GError **error)
{
  g_autofree char *text = g_strstrip (g_strdup (line));
  char plain[NS_SECRET_NAMES_MAX_NAME + 1];
  gboolean is_secret = *text != '!';
  const char *name = is_secret ? text : text + 1;
  Entry *entry;
  gsize n;

  if (*text == '\0' || *text == '#')
    return TRUE;
  if (is_secret && *text != '*' && g_str_has_suffix (text, "*"))
    return add_beginning (secrets, where, n_line, text, error);
  n = normalize (name, strlen (name), plain);
  if (n == 0 || strcmp (plain, "*") == 0 || strchr (plain + 1, '*') != NULL)
    return refuse_line (where, n_line, text, error);
  if (secrets->names->len >= MAX_USER_NAMES)
    return refuse_more (where, n_line, MAX_USER_NAMES, error);
  entry = g_new0 (Entry, 1);
  entry->name = g_strdup (plain);
  entry->places = is_secret ? NS_SECRET_EVERYWHERE : NS_SECRET_NOWHERE;
  g_ptr_array_add (secrets->names, entry);
  return TRUE;
}

/**
 * ns_secret_names_add:
 * @secrets: masking settings not yet shared with another thread
 * @where: name of @text in error messages
 * @text: (array length=n_bytes): one name per line; `#` starts a comment, a leading `*` matches any
 *   prefix, a leading `!` marks a name whose value is not secret; a trailing `*` makes the line a
 *   prefix of secrets, masked anywhere
 * @n_bytes: its length
 * @error: file name and line number of an invalid line
 *
 * Adds names to the settings.
 *
 * Returns: %FALSE at the first invalid line
 */
gboolean
ns_secret_names_add (NsSecrets *secrets,
                     const char *where,
                     const char *text,
                     gsize n_bytes,
                     GError **error)
{
  const char *end = text + n_bytes;
  guint n_line = 0;

  if (secrets->names == NULL)
    secrets->names = g_ptr_array_new_with_free_func (entry_free);
  while (text < end)
    {
      const char *newline = memchr (text, '\n', (gsize) (end - text));
      const char *line_end = newline != NULL ? newline : end;
      g_autofree char *line = g_strndup (text, (gsize) (line_end - text));

      n_line++;
      /* The text after a NUL would silently not be masked. */
      if (memchr (text, '\0', (gsize) (line_end - text)) != NULL)
        return refuse_line (where, n_line, line, error);
      if (!add_line (secrets, where, n_line, line, error))
        return FALSE;
      text = newline != NULL ? newline + 1 : end;
    }
  return TRUE;
}

/**
 * ns_secret_names_add_file:
 * @secrets: masking settings not yet shared with another thread
 * @path: a file in the format of ns_secret_names_add()
 * @error: why it cannot be read
 *
 * Returns: whether it was read
 */
gboolean
ns_secret_names_add_file (NsSecrets *secrets, const char *path, GError **error)
{
  gsize n_bytes = 0;
  g_autofree char *text = ns_small_file_read (path, MAX_FILE, &n_bytes, error);

  return text != NULL && ns_secret_names_add (secrets, path, text, n_bytes, error);
}

static gboolean
take_file_cb (const char *path, gpointer user_data, GError **error)
{
  return ns_secret_names_add_file (user_data, path, error);
}

/**
 * ns_secret_names_add_default_file:
 * @secrets: masking settings not yet shared with another thread
 * @error: why it cannot be read; a missing file is not an error
 *
 * Reads `netstitch/secret-names` in the user's configuration directory.
 *
 * Returns: whether it was read or does not exist
 */
gboolean
ns_secret_names_add_default_file (NsSecrets *secrets, GError **error)
{
  return ns_small_file_take_setting ("secret-names", take_file_cb, secrets, error);
}
