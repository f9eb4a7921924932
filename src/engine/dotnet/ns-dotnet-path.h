/* Activity IDs of .NET's EventSource, which may be paths of numbers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"

G_BEGIN_DECLS

/* Two nibbles in each of twelve bytes. */
#define NS_DOTNET_PATH_MAX 24
/* In the numbers of a path: one that overflowed, at unknown depth below the number before it. */
#define NS_DOTNET_PATH_OVERFLOW (G_GUINT64_CONSTANT (1) << 63)

typedef enum
{
  NS_DOTNET_ID_NONE,   /* zero */
  NS_DOTNET_ID_TASK,   /* of the task that ran */
  NS_DOTNET_ID_PATH,   /* a path: what is below what can be told */
  NS_DOTNET_ID_OPAQUE, /* compares by equality only */
} NsDotnetIdKind;

/**
 * NsDotnetPath:
 * @kind: what the id is
 * @n: how many numbers; 0 unless it is a path
 * @numbers: the outermost first
 *
 * An activity id, decoded.
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
