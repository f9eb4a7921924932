/* Names of known providers without built-in schemas.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"

G_BEGIN_DECLS

const char *ns_schema_names_find (const NsGuid *provider);

G_END_DECLS
