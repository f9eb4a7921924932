/* Shared by the files of the filter parser: lexer, conditions and grammar.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "query/ns-filter-node.h"

G_BEGIN_DECLS

#define NS_FILTER_MAX_DEPTH 64
#define NS_FILTER_MAX_NODES 2048

typedef struct
{
  NsTableId table;
  const char *text;
  const char *here;
  guint depth;
  guint n_nodes;
  NsFilterSpan *where;
  GError **error;
  GArray *parts;   /* NsFilterSpan of each top-level condition; NULL: not needed */
  gboolean has_or; /* whether "or" occurs at the top level */
  GArray *tokens;  /* NsFilterToken read so far; NULL: not needed */
} NsFilterParser;

/* ns-filter-parser-words.c: lexer. */
void ns_filter_parser_set_where (NsFilterParser *self, const char *begin, const char *end);
NsFilterNode *ns_filter_parser_fail (NsFilterParser *self,
                                     const char *begin,
                                     const char *end,
                                     const char *message);
void ns_filter_parser_mark (NsFilterParser *self, NsFilterTokenKind kind, const char *begin);
guint ns_filter_parser_get_n_tokens (const NsFilterParser *self);
void ns_filter_parser_forget_tokens (NsFilterParser *self, guint n_tokens);
void ns_filter_parser_skip_space (NsFilterParser *self);
gboolean ns_filter_parser_take_keyword (NsFilterParser *self, const char *keyword);
gboolean ns_filter_parser_take_joint (NsFilterParser *self, const char *keyword);
gboolean ns_filter_parser_take_operator (NsFilterParser *self, NsFilterOp *op);
char *ns_filter_parser_take_value (NsFilterParser *self, char close, gboolean *is_quoted);
const char *ns_filter_parser_find_name_end (const NsFilterParser *self);

/* ns-filter-parser-test.c: conditions. */
NsFilterNode *ns_filter_parser_new_node (NsFilterParser *self, NsFilterNodeKind kind);
NsFilterNode *ns_filter_parser_negate (NsFilterParser *self, NsFilterNode *child);
gboolean ns_filter_parser_has_field (const NsFilterParser *self, const char *name);
NsFilterNode *ns_filter_parser_make_test (NsFilterParser *self,
                                          const char *name,
                                          NsFilterOp op,
                                          const char *value,
                                          gboolean is_quoted,
                                          const char *begin);

G_END_DECLS
