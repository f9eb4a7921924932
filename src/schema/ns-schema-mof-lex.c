/* Tokenizer of `.mof` text: words, texts, numbers and signs; skips comments and pragmas.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-mof-lex.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Maximum size of a token, longer than any name or sentence in a description. */
#define MAX_WORD_BYTES 65536

/**
 * ns_mof_lexer_init:
 * @self: (out): a tokenizer
 * @text: (array length=n_bytes): UTF-8, may be invalid
 * @n_bytes: its size in bytes
 *
 * Reads the first token.
 */
void
ns_mof_lexer_init (NsMofLexer *self, const char *text, gsize n_bytes)
{
  memset (self, 0, sizeof *self);
  self->text = text;
  self->n_bytes = n_bytes;
  self->next_line = 1;
  self->word = g_string_new (NULL);
  ns_mof_lexer_next (self);
}

/**
 * ns_mof_lexer_clear:
 * @self: a tokenizer
 */
void
ns_mof_lexer_clear (NsMofLexer *self)
{
  g_string_free (self->word, TRUE);
  g_clear_error (&self->error);
}

/**
 * ns_mof_lexer_fail:
 * @self: a tokenizer
 * @what: the error at the current token
 *
 * Stores the error, unless there is one, and ends the text.
 */
void
ns_mof_lexer_fail (NsMofLexer *self, const char *what)
{
  if (self->error == NULL)
    g_set_error (&self->error,
                 NS_TRACE_ERROR,
                 NS_TRACE_ERROR_OPEN,
                 _ ("line %u: %s"),
                 self->line,
                 what);
  self->at = self->n_bytes;
  self->kind = NS_MOF_END;
}

static char
peek (const NsMofLexer *self, gsize ahead)
{
  return ahead < self->n_bytes - self->at ? self->text[self->at + ahead] : '\0';
}

static void
step (NsMofLexer *self)
{
  if (self->text[self->at] == '\n')
    self->next_line++;
  self->at++;
}

static void
skip_line (NsMofLexer *self)
{
  while (self->at < self->n_bytes && self->text[self->at] != '\n')
    self->at++;
}

static void
skip_comment (NsMofLexer *self)
{
  self->line = self->next_line;
  self->at += 2;
  while (self->at < self->n_bytes && !(peek (self, 0) == '*' && peek (self, 1) == '/'))
    step (self);
  if (self->at >= self->n_bytes)
    ns_mof_lexer_fail (self, _ ("an unterminated comment"));
  else
    self->at += 2;
}

static void
skip_blanks (NsMofLexer *self)
{
  while (self->at < self->n_bytes)
    {
      if (g_ascii_isspace (peek (self, 0)))
        step (self);
      else if (peek (self, 0) == '#' || (peek (self, 0) == '/' && peek (self, 1) == '/'))
        skip_line (self);
      else if (peek (self, 0) == '/' && peek (self, 1) == '*')
        skip_comment (self);
      else
        break;
    }
}

static void
add_char (NsMofLexer *self, char c)
{
  if (self->word->len >= MAX_WORD_BYTES)
    ns_mof_lexer_fail (self, _ ("a string that is too long"));
  else
    g_string_append_c (self->word, c);
}

static void
read_escape (NsMofLexer *self)
{
  char c = peek (self, 0);
  gunichar code = 0;
  guint i;

  step (self);
  if (c == 'n' || c == 'r' || c == 't')
    {
      add_char (self, ' ');
      return;
    }
  if (c != 'x' && c != 'X')
    {
      add_char (self, c);
      return;
    }
  for (i = 0; i < 4 && g_ascii_isxdigit (peek (self, 0)); i++, self->at++)
    code = code << 4 | (gunichar) g_ascii_xdigit_value (peek (self, 0));
  if (code == 0 || !g_unichar_validate (code) || self->word->len >= MAX_WORD_BYTES)
    ns_mof_lexer_fail (self, _ ("an invalid character"));
  else
    g_string_append_unichar (self->word, code);
}

/* Reads a text; adjacent texts are concatenated. */
static void
read_text (NsMofLexer *self)
{
  self->kind = NS_MOF_TEXT;
  while (peek (self, 0) == '"')
    {
      self->at++;
      while (self->at < self->n_bytes && peek (self, 0) != '"' && peek (self, 0) != '\n')
        {
          if (peek (self, 0) == '\\' && self->n_bytes - self->at > 1)
            {
              self->at++;
              read_escape (self);
            }
          else
            {
              add_char (self, peek (self, 0));
              if (self->at < self->n_bytes)
                self->at++;
            }
        }
      if (self->error != NULL)
        return;
      if (peek (self, 0) != '"')
        {
          ns_mof_lexer_fail (self, _ ("an unterminated string"));
          return;
        }
      self->at++;
      skip_blanks (self);
    }
}

static void
read_number (NsMofLexer *self)
{
  gboolean is_negative = peek (self, 0) == '-';
  gboolean is_hex;
  guint64 value = 0;
  gsize begin;

  if (peek (self, 0) == '-' || peek (self, 0) == '+')
    self->at++;
  is_hex = peek (self, 0) == '0' && (peek (self, 1) == 'x' || peek (self, 1) == 'X');
  if (is_hex)
    self->at += 2;
  for (begin = self->at;; self->at++)
    {
      char c = peek (self, 0);
      int digit = is_hex ? g_ascii_xdigit_value (c) : g_ascii_digit_value (c);

      if (digit < 0)
        break;
      value = value * (is_hex ? 16 : 10) + (guint) digit;
      if (value > G_MAXUINT32)
        {
          ns_mof_lexer_fail (self, _ ("a number that is too large"));
          return;
        }
    }
  if (self->at == begin)
    {
      ns_mof_lexer_fail (self, _ ("a number without digits"));
      return;
    }
  self->kind = NS_MOF_NUMBER;
  self->number = is_negative ? -(gint64) value : (gint64) value;
}

static void
read_word (NsMofLexer *self)
{
  self->kind = NS_MOF_WORD;
  while (g_ascii_isalnum (peek (self, 0)) || peek (self, 0) == '_')
    {
      add_char (self, peek (self, 0));
      if (self->error != NULL)
        return;
      self->at++;
    }
}

/**
 * ns_mof_lexer_next:
 * @self: a tokenizer
 *
 * Reads the next token; at the end, and after an error, this is %NS_MOF_END.
 */
void
ns_mof_lexer_next (NsMofLexer *self)
{
  char c;

  skip_blanks (self);
  g_string_truncate (self->word, 0);
  self->kind = NS_MOF_END;
  if (self->at >= self->n_bytes)
    return;
  self->line = self->next_line;
  c = peek (self, 0);
  if (c == '"')
    read_text (self);
  else if (g_ascii_isdigit (c) || c == '-' || c == '+')
    read_number (self);
  else if (g_ascii_isalpha (c) || c == '_')
    read_word (self);
  else if (c != '\0' && strchr ("[](){},;:=$.'", c) != NULL)
    {
      self->kind = NS_MOF_SIGN;
      self->sign = c;
      self->at++;
    }
  else
    ns_mof_lexer_fail (self, _ ("an unexpected character"));
}

/**
 * ns_mof_lexer_is_word:
 * @self: a tokenizer
 * @word: a word, in any case
 *
 * Returns: %TRUE if the current token is that word, ignoring case
 */
gboolean
ns_mof_lexer_is_word (const NsMofLexer *self, const char *word)
{
  return self->kind == NS_MOF_WORD && g_ascii_strcasecmp (self->word->str, word) == 0;
}

/**
 * ns_mof_lexer_is_sign:
 * @self: a tokenizer
 * @sign: a character
 *
 * Returns: %TRUE if the current token is that sign
 */
gboolean
ns_mof_lexer_is_sign (const NsMofLexer *self, char sign)
{
  return self->kind == NS_MOF_SIGN && self->sign == sign;
}

/**
 * ns_mof_lexer_take_sign:
 * @self: a tokenizer
 * @sign: a character
 *
 * Returns: %TRUE if the current token was that sign; then reads the next token
 */
gboolean
ns_mof_lexer_take_sign (NsMofLexer *self, char sign)
{
  if (!ns_mof_lexer_is_sign (self, sign))
    return FALSE;
  ns_mof_lexer_next (self);
  return TRUE;
}

/**
 * ns_mof_lexer_expect:
 * @self: a tokenizer
 * @sign: the only valid sign here
 *
 * Returns: like ns_mof_lexer_take_sign(); any other token is an error
 */
gboolean
ns_mof_lexer_expect (NsMofLexer *self, char sign)
{
  g_autofree char *what = NULL;

  if (ns_mof_lexer_take_sign (self, sign))
    return self->error == NULL;
  what = g_strdup_printf (_ ("\"%c\" is missing"), sign);
  ns_mof_lexer_fail (self, what);
  return FALSE;
}
