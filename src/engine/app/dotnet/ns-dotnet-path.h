/* Activity IDs of .NET's EventSource, which may be paths of numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"

G_BEGIN_DECLS

/* Maximum number of path elements: two nibbles in each of twelve bytes. */
#define NS_DOTNET_PATH_MAX 24
/* Flag of a path element that overflowed: it lies at unknown depth below the previous element. */
#define NS_DOTNET_PATH_OVERFLOW (G_GUINT64_CONSTANT (1) << 63)

typedef enum
{
  NS_DOTNET_ID_NONE,   /* zero */
  NS_DOTNET_ID_TASK,   /* ID of the running task */
  NS_DOTNET_ID_PATH,   /* a path, which shows its ancestors */
  NS_DOTNET_ID_OPAQUE, /* can only be compared for equality */
} NsDotnetIdKind;

/**
 * NsDotnetPath:
 * @kind: kind of the ID
 * @n: number of path elements; 0 unless it is a path
 * @numbers: path elements, outermost first
 *
 * A decoded activity ID.
 */
typedef struct
{
  NsDotnetIdKind kind;
  guint n;
  guint64 numbers[NS_DOTNET_PATH_MAX];
} NsDotnetPath;

NsDotnetIdKind ns_dotnet_path_decode (NsDotnetPath *self, const NsGuid *id, guint32 pid);
gboolean ns_dotnet_path_is_below (const NsDotnetPath *self, const NsDotnetPath *other);
gboolean ns_dotnet_path_has_same_parent (const NsDotnetPath *self, const NsDotnetPath *other);
char *ns_dotnet_path_to_text (const NsDotnetPath *self, guint32 pid);

G_END_DECLS
