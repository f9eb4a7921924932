/* Why symbols cannot be had from a file or a place.
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
 * @NS_SYMBOL_ERROR_NOT_SYMBOLS: the bytes are no symbol file, such as a login page
 * @NS_SYMBOL_ERROR_TOO_OLD: a PDB of before 2002
 * @NS_SYMBOL_ERROR_PORTABLE: a PDB of managed code only, without native addresses
 * @NS_SYMBOL_ERROR_COMPRESSED: a container or a method of compression that is not read
 * @NS_SYMBOL_ERROR_DAMAGED: a part that must be there is not, or contradicts another
 * @NS_SYMBOL_ERROR_LIMIT: a size taken from the file is over a cap of ours
 * @NS_SYMBOL_ERROR_MISMATCH: symbols of another build
 * @NS_SYMBOL_ERROR_BAD_NAME: a file name that must not be used in a store
 * @NS_SYMBOL_ERROR_NOT_FOUND: a store or a server does not have it
 * @NS_SYMBOL_ERROR_LOGIN: a server wants somebody to log in
 * @NS_SYMBOL_ERROR_NETWORK: a server does not answer, or not as it should
 * @NS_SYMBOL_ERROR_REFUSED: not done, for safety
 * @NS_SYMBOL_ERROR_CANCELLED: the caller said stop
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
