/* Error codes of the symbol reader.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define NS_SYMBOL_ERROR (ns_symbol_error_quark ())

/**
 * NsSymbolError:
 * @NS_SYMBOL_ERROR_OPEN: the file cannot be opened or read
 * @NS_SYMBOL_ERROR_NOT_SYMBOLS: not a symbol file, such as a login page
 * @NS_SYMBOL_ERROR_TOO_OLD: a PDB from before 2002
 * @NS_SYMBOL_ERROR_PORTABLE: a portable PDB: managed code only, no native addresses
 * @NS_SYMBOL_ERROR_COMPRESSED: an unsupported container or compression method
 * @NS_SYMBOL_ERROR_DAMAGED: a required part is missing or inconsistent
 * @NS_SYMBOL_ERROR_LIMIT: a size stated by the file exceeds our limit
 * @NS_SYMBOL_ERROR_MISMATCH: symbols of another build
 * @NS_SYMBOL_ERROR_BAD_NAME: a file name that is not safe in a store
 * @NS_SYMBOL_ERROR_NOT_FOUND: a store or server does not have the file
 * @NS_SYMBOL_ERROR_LOGIN: a server requires authentication
 * @NS_SYMBOL_ERROR_NETWORK: a server does not answer, or not as expected
 * @NS_SYMBOL_ERROR_REFUSED: refused for safety
 * @NS_SYMBOL_ERROR_CANCELLED: cancelled by the caller
 */
typedef enum
{
  NS_SYMBOL_ERROR_OPEN,
  NS_SYMBOL_ERROR_NOT_SYMBOLS,
  NS_SYMBOL_ERROR_TOO_OLD,
  NS_SYMBOL_ERROR_PORTABLE,
  NS_SYMBOL_ERROR_COMPRESSED,
  NS_SYMBOL_ERROR_DAMAGED,
  NS_SYMBOL_ERROR_LIMIT,
  NS_SYMBOL_ERROR_MISMATCH,
  NS_SYMBOL_ERROR_BAD_NAME,
  NS_SYMBOL_ERROR_NOT_FOUND,
  NS_SYMBOL_ERROR_LOGIN,
  NS_SYMBOL_ERROR_NETWORK,
  NS_SYMBOL_ERROR_REFUSED,
  NS_SYMBOL_ERROR_CANCELLED,
} NsSymbolError;

GQuark ns_symbol_error_quark (void);

G_END_DECLS
