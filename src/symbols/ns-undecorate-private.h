/* The parser for decorated C++ names of Microsoft's compilers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-arena.h"
#include "symbols/ns-undecorate.h"

G_BEGIN_DECLS

#define NS_MSVC_MAX_REFERENCES 10

/* Names and types that back-references stand for. */
typedef struct
{
  const char *names[NS_MSVC_MAX_REFERENCES];
  guint n_names;
  const char *types[NS_MSVC_MAX_REFERENCES];
  guint n_types;
} NsMsvcReferences;

typedef struct
{
  const char *at;
  const char *end;
  NsArena *arena;
  gsize n_used;
  guint depth;
  guint n_arguments;
  gboolean has_failed; /* once set, all further strings are empty */
  NsMsvcReferences references;
} NsMsvcParser;

/* A type in two halves around the declared name: `int (*` name `)[3]`. */
typedef struct
{
  const char *left;
  const char *right;
  const char *convention; /* (nullable): calling convention; set for functions only */
  gboolean is_array;
  const char *result; /* (nullable): return type of a function */
} NsMsvcType;

/* ns-undecorate-parser.c */
const char *ns_msvc_fail (NsMsvcParser *self);
const char *ns_msvc_join (NsMsvcParser *self, ...) G_GNUC_NULL_TERMINATED;
gboolean ns_msvc_take (NsMsvcParser *self, const char *text);
char ns_msvc_peek (const NsMsvcParser *self);
char ns_msvc_next (NsMsvcParser *self);
const char *ns_msvc_number (NsMsvcParser *self);
const char *ns_msvc_qualifiers (NsMsvcParser *self, gboolean *is_member);
void ns_msvc_remember (NsMsvcParser *self, const char *name);
const char *ns_msvc_identifier (NsMsvcParser *self, gboolean is_remembered);
const char *ns_msvc_reference (NsMsvcParser *self);
void ns_msvc_skip_numbers (NsMsvcParser *self, guint n_numbers);
void ns_msvc_skip_widths (NsMsvcParser *self);

/* ns-undecorate-types.c */
NsMsvcType ns_msvc_type_plain (const char *text);
NsMsvcType ns_msvc_type_fail (NsMsvcParser *self);
NsMsvcType ns_msvc_type_point_to (NsMsvcParser *self, const NsMsvcType *type, const char *sign);
const char *ns_msvc_type_to_text (NsMsvcParser *self, const NsMsvcType *type);
const char *ns_msvc_qualify (NsMsvcParser *self, const char *left, const char *qualifiers);
const char *ns_msvc_get_convention (char letter);
NsMsvcType ns_msvc_primitive (NsMsvcParser *self);

/* ns-undecorate-msvc.c */
char *ns_undecorate_msvc (const char *name, gsize n_bytes);

static inline gboolean
ns_msvc_enter (NsMsvcParser *self)
{
  if (++self->depth > NS_UNDECORATE_MAX_DEPTH)
    self->has_failed = TRUE;
  return !self->has_failed;
}

static inline void
ns_msvc_leave (NsMsvcParser *self)
{
  self->depth--;
}

G_END_DECLS
