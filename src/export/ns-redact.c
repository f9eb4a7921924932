/* Replaces hosts, users, addresses and paths in exported rows by stand-ins.
 *
 * First the names of the whole trace are collected, in table order, so that a server is `server-3`
 * in every export of a trace. Then the rows are read as they will be written, to count the
 * replacements; they are read again if that added names, which other rows may contain. After that
 * the object is immutable, so threads may share it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-redact.h"

#include "export/ns-redact-pass.h"

/* Maximum number of passes over the rows for names found in them. */
#define MAX_READINGS 3
/* Number of values between two calls of the progress function. */
#define N_BETWEEN_LOOKS 4096

struct _NsRedact
{
  NsRedactNames *names;
  GPtrArray *occurring[NS_N_REDACT_KINDS]; /* NsRedactName: those that occur in the rows */
};

/* State of a pass. */
typedef struct
{
  NsRedactPass pass;
  const NsRedactOptions *options; /* (nullable) */
  gboolean is_stopped;
  guint n_read;
} Reading;

/* Returns whether to continue. */
static gboolean
goes_on (Reading *self)
{
  const NsRedactOptions *options = self->options;

  if (++self->n_read % N_BETWEEN_LOOKS == 0 && options != NULL && options->progress != NULL &&
      !options->progress (0, options->progress_data))
    self->is_stopped = TRUE;
  return !self->is_stopped;
}

static void
look_at_field (Reading *self, const NsExportRows *rows, const NsField *field, gsize i)
{
  NsFieldValue value;

  ns_field_get (rows->trace, field, rows->rows != NULL ? rows->rows[i] : (guint) i, &value);
  ns_redact_pass_value (&self->pass, field, &value);
  ns_field_value_clear (&value);
}

/* Collects all names of the trace. */
static void
learn_names (Reading *self, const NsTrace *trace)
{
  NsTableId table;
  guint i;
  guint row;

  for (table = 0; table < NS_N_TABLES; table++)
    {
      const NsExportRows rows = { .trace = trace, .table = table };
      guint n_fields;
      const NsField *fields = ns_table_get_fields (table, &n_fields);
      guint n_rows = ns_redact_is_possible (table) && table != NS_TABLE_FINDINGS
                         ? ns_table_get_n_rows (trace, table)
                         : 0;

      for (i = 0; i < n_fields && n_rows > 0; i++)
        if (ns_redact_look_is_names (&fields[i]))
          for (row = 0; row < n_rows && goes_on (self); row++)
            look_at_field (self, &rows, &fields[i], row);
    }
}

static void
look_at_rows (Reading *self, const NsExportRows *rows)
{
  guint column;
  gsize i;

  for (i = 0; i < rows->n_rows; i++)
    for (column = 0; column < rows->n_fields; column++)
      if (ns_redact_look_is_telling (rows->fields[column]) && goes_on (self))
        look_at_field (self, rows, rows->fields[column], i);
  if (self->options != NULL && self->options->more != NULL && !self->is_stopped)
    self->options->more (&self->pass, self->options->more_data);
}

/* Lists the names that occur in the rows, or resets their counts. */
static void
list_occurring (NsRedact *self, gboolean is_forgetting)
{
  guint kind;
  guint i;

  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    {
      const GPtrArray *all = ns_redact_names_get_all (self->names, kind);

      for (i = 0; i < all->len; i++)
        {
          NsRedactName *name = g_ptr_array_index (all, i);

          if (is_forgetting)
            name->n_places = 0;
          else if (name->n_places > 0)
            g_ptr_array_add (self->occurring[kind], name);
        }
    }
}

/**
 * ns_redact_is_possible:
 * @table: a table
 *
 * Records, packets and browser events contain names that cannot be recognized by syntax.
 *
 * Returns: whether its rows can be exported without names
 */
gboolean
ns_redact_is_possible (NsTableId table)
{
  return table != NS_TABLE_EVENTS && table != NS_TABLE_CHROMIUM_EVENTS &&
         table != NS_TABLE_PACKETS && table != NS_TABLE_SPANS && table != NS_TABLE_LOG;
}

/**
 * ns_redact_new:
 * @rows: rows to write
 * @options: (nullable): texts besides the rows
 *
 * Assigns a stand-in to all personal data in these rows: hosts, addresses, folders and files,
 * users, and program arguments. A name has the same stand-in in all exports of a trace. Takes time
 * in proportion to the size of the trace, so it must not be called on the main thread.
 *
 * Returns: (transfer full) (nullable): the stand-ins, immutable; %NULL if stopped
 */
NsRedact *
ns_redact_new (const NsExportRows *rows, const NsRedactOptions *options)
{
  g_autoptr (NsRedact) self = g_new0 (NsRedact, 1);
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (NsRedactSpan));
  Reading reading = { .options = options };
  NsRedactPass *pass = &reading.pass;
  guint kind;
  guint i;

  self->names = ns_redact_names_new ();
  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    self->occurring[kind] = g_ptr_array_new ();
  *pass = (NsRedactPass){ .names = self->names, .spans = spans, .is_learning = TRUE };
  learn_names (&reading, rows->trace);
  pass->is_counting = TRUE;
  pass->has_learned = TRUE;
  for (i = 0; i < MAX_READINGS && pass->has_learned && !reading.is_stopped; i++)
    {
      pass->has_learned = FALSE;
      ns_redact_names_close (self->names);
      list_occurring (self, TRUE);
      look_at_rows (&reading, rows);
    }
  ns_redact_names_close (self->names);
  list_occurring (self, FALSE);
  return reading.is_stopped ? NULL : g_steal_pointer (&self);
}

/**
 * ns_redact_free:
 * @self: (transfer full) (nullable): stand-ins
 */
void
ns_redact_free (NsRedact *self)
{
  guint kind;

  if (self == NULL)
    return;
  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    g_ptr_array_unref (self->occurring[kind]);
  ns_redact_names_free (self->names);
  g_free (self);
}

/**
 * ns_redact_pass_learn:
 * @pass: the pass that called for it
 * @text: a text that will be written with ns_redact_dup_text()
 *
 * Finds the names to replace in a text outside of the rows.
 */
void
ns_redact_pass_learn (NsRedactPass *pass, const char *text)
{
  g_free (ns_redact_pass_text (pass, text, FALSE));
}

/**
 * ns_redact_get_names:
 * @self: stand-ins
 * @kind: a kind of names
 *
 * Returns: (transfer none) (element-type NsRedactName): the names replaced in the rows
 */
const GPtrArray *
ns_redact_get_names (const NsRedact *self, NsRedactKind kind)
{
  return self->occurring[kind];
}

/**
 * ns_redact_apply:
 * @self: stand-ins
 * @field: a field
 * @value: (inout): its value in a row; personal data is replaced, and an address then becomes a
 *   text
 *
 * May be called from any thread.
 */
void
ns_redact_apply (const NsRedact *self, const NsField *field, NsFieldValue *value)
{
  g_autoptr (GArray) spans = NULL;
  NsRedactPass pass = { .names = self->names };

  if (!ns_redact_look_is_telling (field) || value->is_null)
    return;
  pass.spans = spans = g_array_new (FALSE, FALSE, sizeof (NsRedactSpan));
  ns_redact_pass_value (&pass, field, value);
}

/**
 * ns_redact_dup_text:
 * @self: stand-ins
 * @text: a text passed to ns_redact_pass_learn() before
 *
 * May be called from any thread.
 *
 * Returns: (transfer full): the text with personal data replaced
 */
char *
ns_redact_dup_text (const NsRedact *self, const char *text)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (NsRedactSpan));
  NsRedactPass pass = { .names = self->names, .spans = spans };
  char *instead = ns_redact_pass_text (&pass, text, FALSE);

  return instead != NULL ? instead : g_strdup (text);
}
