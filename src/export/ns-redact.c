/* Replaces hosts, users, addresses and paths in exported rows by stand-ins.
 *
 * First the names of the whole trace are learned, in the order of its tables: so a server is
 * `server-3` in every export of a trace. Then the rows are read as they will be written, which
 * tells what is replaced and how often; again, when that told of more names, which others may
 * mention. Nothing changes from then on: threads may share it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-redact.h"

#include "export/ns-redact-look.h"

/* So often rows are read again for names that they told of themselves. */
#define MAX_READINGS 3
/* So many values are read between two looks whether somebody wants it stopped. */
#define N_BETWEEN_LOOKS 4096

struct _NsRedact
{
  NsRedactNames *names;
  GPtrArray *occurring[NS_N_REDACT_KINDS]; /* NsRedactName: those that the rows hold */
};

/* How it comes along. */
typedef struct
{
  NsRedactLook look;
  const NsRedactOptions *options; /* (nullable) */
  gboolean is_stopped;
  guint n_read;
} Reading;

/* Whether it is to go on. */
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
  ns_redact_look_value (&self->look, field, &value);
  ns_field_value_clear (&value);
}

/* All names of the trace. */
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
    self->options->more (&self->look, self->options->more_data);
}

/* Lists what the rows hold, or forgets what was counted. */
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
 * Records, packets and what browsers tell hold more than can be told apart by its form.
 *
 * Returns: whether its rows can be passed on without names
 */
gboolean
ns_redact_is_possible (NsTableId table)
{
  return table != NS_TABLE_EVENTS && table != NS_TABLE_CHROMIUM_EVENTS &&
         table != NS_TABLE_PACKETS && table != NS_TABLE_SPANS && table != NS_TABLE_LOG;
}

/**
 * ns_redact_new:
 * @rows: what is to be written; read here only
 * @options: (nullable): what there is beside the rows
 *
 * Gives everything a stand-in that tells of people and places in these rows: hosts, addresses,
 * folders and files, users, and what a program was told. The same has the same stand-in in all
 * exports of a trace. How long it takes grows with the trace: not for the main thread.
 *
 * Returns: (transfer full) (nullable): the stand-ins; does not change any more; %NULL: it was
 * stopped
 */
NsRedact *
ns_redact_new (const NsExportRows *rows, const NsRedactOptions *options)
{
  g_autoptr (NsRedact) self = g_new0 (NsRedact, 1);
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (NsRedactSpan));
  Reading reading = { .options = options };
  NsRedactLook *look = &reading.look;
  guint kind;
  guint i;

  self->names = ns_redact_names_new ();
  for (kind = 0; kind < NS_N_REDACT_KINDS; kind++)
    self->occurring[kind] = g_ptr_array_new ();
  *look = (NsRedactLook){ .names = self->names, .spans = spans, .is_learning = TRUE };
  learn_names (&reading, rows->trace);
  look->is_counting = TRUE;
  look->has_learned = TRUE;
  for (i = 0; i < MAX_READINGS && look->has_learned && !reading.is_stopped; i++)
    {
      look->has_learned = FALSE;
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
 * ns_redact_look:
 * @look: what asked for it
 * @text: a text that will be written through ns_redact_dup_text()
 *
 * Takes down what is replaced in a text that is in no row.
 */
void
ns_redact_look (NsRedactLook *look, const char *text)
{
  g_free (ns_redact_look_text (look, text, FALSE));
}

/**
 * ns_redact_get_names:
 * @self: stand-ins
 * @kind: what is wanted
 *
 * Returns: (transfer none) (element-type NsRedactName): what is replaced in the rows
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
 * @value: (inout): its value in a row; what tells of somebody is replaced, and an address a text
 *   then
 *
 * From any thread.
 */
void
ns_redact_apply (const NsRedact *self, const NsField *field, NsFieldValue *value)
{
  g_autoptr (GArray) spans = NULL;
  NsRedactLook look = { .names = self->names };

  if (!ns_redact_look_is_telling (field) || value->is_null)
    return;
  look.spans = spans = g_array_new (FALSE, FALSE, sizeof (NsRedactSpan));
  ns_redact_look_value (&look, field, value);
}

/**
 * ns_redact_dup_text:
 * @self: stand-ins
 * @text: a text that was looked at with ns_redact_look()
 *
 * From any thread.
 *
 * Returns: (transfer full): the text without what tells of anybody
 */
char *
ns_redact_dup_text (const NsRedact *self, const char *text)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (NsRedactSpan));
  NsRedactLook look = { .names = self->names, .spans = spans };
  char *instead = ns_redact_look_text (&look, text, FALSE);

  return instead != NULL ? instead : g_strdup (text);
}
