/* Search for error codes whose family is unknown: by number, by name, or all of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-codes.h"

#include "findings/ns-codes-table.h"

/* Minimum length of a search word, in letters. */
#define MIN_WORD 3

typedef enum
{
  PASS_WHOLE,
  PASS_BARE, /* without prefixes */
  PASS_WORD, /* a word anywhere in the name or the hint */
} NamePass;

/* Compares names ignoring case; "-" and blank count as "_". */
static gboolean
same_name (const char *a, const char *b)
{
  for (; *a != '\0' && *b != '\0'; a++, b++)
    {
      char left = *a == '-' || *a == ' ' ? '_' : g_ascii_toupper (*a);
      char right = *b == '-' || *b == ' ' ? '_' : g_ascii_toupper (*b);

      if (left != right)
        return FALSE;
    }
  return *a == *b;
}

static const char *
skip_prefix (const char *name)
{
  static const char *const prefixes[] = {
    "ERROR_WINHTTP_",
    "ERROR_INTERNET_",
    "ERROR_HTTP_",
    "ERROR_FTP_",
    "ERROR_",
    "STATUS_FWP_",
    "STATUS_",
    "DNS_ERROR_RCODE_",
    "DNS_ERROR_",
    "DNS_INFO_",
    "WSA_E_",
    "WSA_",
    "WSA",
    "RPC_S_",
    "EPT_S_",
    "SEC_E_",
    "SEC_I_",
    "CERT_E_",
    "CRYPT_E_",
    "TRUST_E_",
    "NTE_",
    "INET_E_",
    "BG_E_",
    "WU_E_",
    "HTTP_E_STATUS_",
    "NET::ERR_",
    "ERR_",
    "QUIC_",
    "H3_",
    "QPACK_",
    "LDAP_",
  };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_ascii_strncasecmp (name, prefixes[i], strlen (prefixes[i])) == 0)
      return name + strlen (prefixes[i]);
  return name;
}

static gboolean
contains (const char *text, const char *word)
{
  gsize length = strlen (word);

  for (; *text != '\0'; text++)
    if (g_ascii_strncasecmp (text, word, length) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
matches (const NsCode *code, const char *name, NamePass pass)
{
  switch (pass)
    {
    case PASS_WHOLE:
      return same_name (code->name, name);

    case PASS_BARE:
      return same_name (skip_prefix (code->name), skip_prefix (name));

    case PASS_WORD:
    default:
      return strlen (name) >= MIN_WORD &&
             (contains (code->name, name) || contains (code->text, name));
    }
}

/**
 * ns_codes_foreach:
 * @func: (scope call): called for every known code
 * @user_data: for @func
 */
void
ns_codes_foreach (NsCodesFunc func, gpointer user_data)
{
  for (guint t = 0; t < NS_CODES_N_TABLES; t++)
    for (guint i = 0; i < ns_codes_tables[t]->n_rows; i++)
      func (&ns_codes_tables[t]->rows[i], user_data);
}

/**
 * ns_codes_foreach_value:
 * @value: a number without a family
 * @func: (scope call): called once for each code that @value can be
 * @user_data: for @func
 *
 * Returns: the number of codes found
 */
guint
ns_codes_foreach_value (gint64 value, NsCodesFunc func, gpointer user_data)
{
  const NsCode *seen[NS_CODES_N_TABLES];
  guint n_seen = 0;

  for (guint t = 0; t < NS_CODES_N_TABLES; t++)
    {
      const NsCode *code = ns_codes_find (ns_codes_tables[t]->family, value);
      gboolean is_new = code != NULL;

      for (guint i = 0; i < n_seen; i++)
        is_new = is_new && seen[i] != code;
      if (!is_new)
        continue;
      seen[n_seen++] = code;
      func (code, user_data);
    }
  return n_seen;
}

/**
 * ns_codes_foreach_name:
 * @name: a symbolic name, with or without its prefix, or a word, in any case
 * @func: (scope call): called once for each code that matches
 * @user_data: for @func
 *
 * Tries three matches in this order and stops at the first that finds a code: whole names, names
 * without their prefixes, words anywhere in names and hints. `WSAETIMEDOUT` is one code, `TIMEOUT`
 * is many, `nxdomain` is a word of a hint.
 *
 * Returns: the number of codes found
 */
guint
ns_codes_foreach_name (const char *name, NsCodesFunc func, gpointer user_data)
{
  guint n_found = 0;

  for (NamePass pass = PASS_WHOLE; pass <= PASS_WORD && n_found == 0; pass++)
    for (guint t = 0; t < NS_CODES_N_TABLES; t++)
      for (guint i = 0; i < ns_codes_tables[t]->n_rows; i++)
        if (matches (&ns_codes_tables[t]->rows[i], name, pass))
          {
            func (&ns_codes_tables[t]->rows[i], user_data);
            n_found++;
          }
  return n_found;
}
