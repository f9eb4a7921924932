/* Error codes: finds a number's family and its row, and formats it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "findings/ns-codes.h"

#include "findings/ns-codes-table.h"

#define FACILITY_WIN32 7
/* First HTTP/3 error code (RFC 9114); the QUIC table holds HTTP/3 codes, too. */
#define HTTP3_BEGIN 0x100
#define FACILITY_FWP 0x22
/* Set in an HRESULT that wraps an NTSTATUS (HRESULT_FROM_NT). */
#define NT_BIT 0x10000000u

const NsCodeTable *const ns_codes_tables[NS_CODES_N_TABLES] = {
  &ns_codes_ntstatus, &ns_codes_win32, &ns_codes_dns,  &ns_codes_hresult, &ns_codes_chromium,
  &ns_codes_quic,     &ns_codes_http,  &ns_codes_ldap, &ns_codes_tls,     &ns_codes_quic_transport
};

static const NsCode *
find_in (const NsCodeTable *table, gint64 value)
{
  guint begin = 0;
  guint end = table->n_rows;

  while (begin < end)
    {
      guint middle = begin + (end - begin) / 2;

      if (table->rows[middle].value == value)
        return &table->rows[middle];
      if (table->rows[middle].value < value)
        begin = middle + 1;
      else
        end = middle;
    }
  return NULL;
}

/* Converts a number to the form of the tables: NTSTATUS, HRESULT and Win32 numbers are unsigned
 * 32-bit numbers, but some programs print them signed. */
static gint64
normalize (NsCodeFamily family, gint64 value)
{
  switch (family)
    {
    case NS_CODE_NTSTATUS:
    case NS_CODE_WIN32:
    case NS_CODE_HRESULT:
    case NS_CODE_DNS:
      return value < 0 && value >= G_MININT32 ? value + G_GINT64_CONSTANT (0x100000000) : value;

    case NS_CODE_CHROMIUM:
      return value > G_MAXINT32 && value <= G_MAXUINT32 ? (gint32) (guint32) value : value;

    case NS_CODE_NONE:
    case NS_CODE_QUIC:
    case NS_CODE_HTTP:
    case NS_CODE_LDAP:
    case NS_CODE_TLS:
    case NS_CODE_QUIC_TRANSPORT:
    case NS_CODE_HTTP3:
    default:
      return value;
    }
}

static const NsCode *
find_win32 (gint64 value)
{
  const NsCode *code = find_in (&ns_codes_win32, value);
  NsCodeFamily family = ns_codes_guess_family (value);

  /* WinHTTP and WinINet report HRESULTs of Schannel and of certificates in the same field. */
  if (code == NULL && family == NS_CODE_DNS)
    code = find_in (&ns_codes_dns, value);
  else if (code == NULL && (family == NS_CODE_HRESULT || family == NS_CODE_NTSTATUS))
    code = ns_codes_find (family, value);
  return code;
}

static const NsCode *
find_hresult (gint64 value)
{
  const NsCode *code = find_in (&ns_codes_hresult, value);

  if (code == NULL && (value & 0xffff0000) == (0x80000000 | FACILITY_WIN32 << 16))
    code = find_win32 (value & 0xffff);
  if (code == NULL && (value & NT_BIT) != 0)
    code = find_in (&ns_codes_ntstatus, value & ~(gint64) NT_BIT);
  return code;
}

static const NsCode *
find_ntstatus (gint64 value)
{
  gint64 bare = value & ~(gint64) NT_BIT;
  const NsCode *code = find_in (&ns_codes_ntstatus, bare);

  if (code == NULL && (bare & 0xffff0000) == (0xC0000000 | FACILITY_WIN32 << 16))
    code = find_win32 (bare & 0xffff);
  return code;
}

/**
 * ns_codes_find:
 * @family: the family of @value
 * @value: the number
 *
 * A number that wraps one of another family (HRESULT 0x8007nnnn holds Win32 nnnn) yields the row of
 * the wrapped number.
 *
 * Returns: (transfer none) (nullable): the row, or %NULL if the number is unknown
 */
const NsCode *
ns_codes_find (NsCodeFamily family, gint64 value)
{
  const NsCode *code;

  value = normalize (family, value);
  switch (family)
    {
    case NS_CODE_NTSTATUS:
      return find_ntstatus (value);

    case NS_CODE_WIN32:
      return find_win32 (value);

    case NS_CODE_HRESULT:
      return find_hresult (value);

    case NS_CODE_CHROMIUM:
      return find_in (&ns_codes_chromium, value);

    case NS_CODE_QUIC:
      return find_in (&ns_codes_quic, value);

    case NS_CODE_HTTP:
      return find_in (&ns_codes_http, value);

    case NS_CODE_LDAP:
      return find_in (&ns_codes_ldap, value);

    case NS_CODE_TLS:
      return find_in (&ns_codes_tls, value);

    case NS_CODE_QUIC_TRANSPORT:
      return find_in (&ns_codes_quic_transport, value);

    case NS_CODE_HTTP3:
      return value >= HTTP3_BEGIN ? find_in (&ns_codes_quic, value) : NULL;

    case NS_CODE_DNS:
      code = find_in (&ns_codes_dns, value);
      return code != NULL ? code : find_win32 (value);

    case NS_CODE_NONE:
    default:
      return NULL;
    }
}

/**
 * ns_codes_guess_family:
 * @value: a number whose family is unknown
 *
 * Returns: the family according to the range of the number; %NS_CODE_WIN32 if no range fits
 */
NsCodeFamily
ns_codes_guess_family (gint64 value)
{
  if (value < 0 && value >= -999)
    return NS_CODE_CHROMIUM;

  value = normalize (NS_CODE_WIN32, value);
  if (value >= 0xC0000000)
    return NS_CODE_NTSTATUS;
  /* Facility 0 with a small number is an NTSTATUS warning; COM's begin at 0x80004001. */
  if (value >= 0x80000000)
    return value < 0x80004000 ? NS_CODE_NTSTATUS : NS_CODE_HRESULT;
  /* Schannel's informational values. */
  if (value >> 16 == 9)
    return NS_CODE_HRESULT;
  if (value >= 9000 && value < 10000)
    return NS_CODE_DNS;
  return NS_CODE_WIN32;
}

/**
 * ns_codes_format_number:
 * @family: the family of @value
 * @value: the number
 *
 * Returns: (transfer full): `0xHEX / dec`; decimal only for HTTP and LDAP, whose codes are not
 *   written in hex
 */
char *
ns_codes_format_number (NsCodeFamily family, gint64 value)
{
  value = normalize (family, value);
  if (family == NS_CODE_HTTP || family == NS_CODE_LDAP)
    return g_strdup_printf ("%" G_GINT64_FORMAT, value);
  if (value >= G_MININT32 && value <= G_MAXUINT32)
    return g_strdup_printf ("0x%X / %" G_GINT64_FORMAT, (guint32) value, value);
  return g_strdup_printf ("0x%" G_GINT64_MODIFIER "X / %" G_GINT64_FORMAT, (guint64) value, value);
}

/* Names the range of a Chromium number that is not in the table. */
static const char *
describe_chromium_range (gint64 value)
{
  static const char *const ranges[] = {
    "system error", "connection error", "certificate error",         "HTTP error", "cache error",
    "other error",  "FTP error",        "certificate manager error", "DNS error",  "blob error"
  };

  return value < 0 && value > -1000 ? ranges[-value / 100] : NULL;
}

static const char *
describe_range (NsCodeFamily family, gint64 value)
{
  value = normalize (family, value);
  switch (family)
    {
    case NS_CODE_CHROMIUM:
      return describe_chromium_range (value);

    case NS_CODE_NTSTATUS:
      return ((value >> 16) & 0xfff) == FACILITY_FWP ? "the Windows Filtering Platform refused it"
                                                     : NULL;

    case NS_CODE_HTTP:
      if (value >= 400 && value < 500)
        return "the server blames the request";
      return value >= 500 && value < 600 ? "the server failed" : NULL;

    case NS_CODE_WIN32:
    case NS_CODE_DNS:
      if (value >= 9000 && value < 10000)
        return "DNS error";
      if (value >= 10000 && value < 12000)
        return "WinSock error";
      return value >= 12000 && value < 12200 ? "WinHTTP or WinINet error" : NULL;

    case NS_CODE_NONE:
    case NS_CODE_HRESULT:
    case NS_CODE_QUIC:
    case NS_CODE_LDAP:
    case NS_CODE_TLS:
    case NS_CODE_QUIC_TRANSPORT:
    case NS_CODE_HTTP3:
    default:
      return NULL;
    }
}

/**
 * ns_codes_describe:
 * @family: the family of @value; %NS_CODE_NONE: guess it
 * @value: the number
 *
 * Returns: (transfer full): `NAME (0xHEX / dec): short text`, or the parts of it that are known
 */
char *
ns_codes_describe (NsCodeFamily family, gint64 value)
{
  const NsCode *code;
  const char *range;
  g_autofree char *number = NULL;

  if (family == NS_CODE_NONE)
    family = ns_codes_guess_family (value);
  number = ns_codes_format_number (family, value);
  code = ns_codes_find (family, value);
  if (code != NULL)
    return g_strdup_printf ("%s (%s): %s", code->name, number, code->text);

  range = describe_range (family, value);
  if (range != NULL)
    return g_strdup_printf ("%s %s: %s", ns_codes_family_to_text (family), number, range);
  return g_strdup_printf ("%s %s", ns_codes_family_to_text (family), number);
}

/**
 * ns_codes_is_error:
 * @family: the family of @value
 * @value: the number
 *
 * Returns: %TRUE if the number reports a failure; pending operations, waits and orderly ends are no
 *   failures
 */
gboolean
ns_codes_is_error (NsCodeFamily family, gint64 value)
{
  const NsCode *code = ns_codes_find (family, value);

  if (code != NULL)
    return !code->is_normal;

  value = normalize (family, value);
  switch (family)
    {
    case NS_CODE_NTSTATUS:
    case NS_CODE_HRESULT:
      return value >= 0x80000000;

    case NS_CODE_CHROMIUM:
      return value < 0;

    case NS_CODE_HTTP:
      return value >= 400;

    case NS_CODE_WIN32:
    case NS_CODE_DNS:
    case NS_CODE_QUIC:
    case NS_CODE_LDAP:
    case NS_CODE_TLS:
    case NS_CODE_QUIC_TRANSPORT:
    case NS_CODE_HTTP3:
      return value != 0;

    case NS_CODE_NONE:
    default:
      return FALSE;
    }
}

/**
 * ns_codes_family_to_text:
 * @family: a family
 *
 * Returns: (transfer none): the name of the family
 */
const char *
ns_codes_family_to_text (NsCodeFamily family)
{
  switch (family)
    {
    case NS_CODE_NTSTATUS:
      return "NTSTATUS";
    case NS_CODE_WIN32:
      return "Win32";
    case NS_CODE_HRESULT:
      return "HRESULT";
    case NS_CODE_CHROMIUM:
      return "Chromium";
    case NS_CODE_QUIC:
      return "QUIC";
    case NS_CODE_HTTP:
      return "HTTP";
    case NS_CODE_LDAP:
      return "LDAP";
    case NS_CODE_DNS:
      return "DNS";
    case NS_CODE_TLS:
      return "TLS";
    case NS_CODE_QUIC_TRANSPORT:
      return "QUIC transport";
    case NS_CODE_HTTP3:
      return "HTTP/3";
    case NS_CODE_NONE:
    default:
      return "none";
    }
}
