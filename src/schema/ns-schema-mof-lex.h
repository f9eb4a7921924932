/* Tokenizer of `.mof` text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"

G_BEGIN_DECLS

typedef enum
{
  NS_MOF_END,
  NS_MOF_WORD,
  NS_MOF_TEXT,
  NS_MOF_NUMBER,
  NS_MOF_SIGN, /* one character, in @sign */
} NsMofTokenKind;

/* A tokenizer with one current token. */
typedef struct
{
  const char *text;
  gsize n_bytes;
  gsize at;
  guint line; /* of the current token */
  guint next_line;
  NsMofTokenKind kind;
  char sign;
  gint64 number;
  GString *word; /* of a word or text */
  GError *error; /* the first error, which ended the text */
} NsMofLexer;

void ns_mof_lexer_init (NsMofLexer *self, const char *text, gsize n_bytes);
void ns_mof_lexer_clear (NsMofLexer *self);
void ns_mof_lexer_next (NsMofLexer *self);
void ns_mof_lexer_fail (NsMofLexer *self, const char *what);
gboolean ns_mof_lexer_is_word (const NsMofLexer *self, const char *word);
gboolean ns_mof_lexer_is_sign (const NsMofLexer *self, char sign);
gboolean ns_mof_lexer_take_sign (NsMofLexer *self, char sign);
gboolean ns_mof_lexer_expect (NsMofLexer *self, char sign);

G_END_DECLS
