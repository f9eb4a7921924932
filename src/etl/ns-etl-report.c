/* Collects what a walk read and what it could not read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-report.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
damage_free (gpointer data)
{
  NsEtlDamage *self = data;

  g_free (self->what);
  g_free (self);
}

/**
 * ns_etl_report_init:
 * @self: (out): an empty report
 */
void
ns_etl_report_init (NsEtlReport *self)
{
  memset (self, 0, sizeof *self);
  self->damage = g_ptr_array_new_with_free_func (damage_free);
  self->processors = g_array_new (FALSE, TRUE, sizeof (NsEtlProcessor));
  self->losses = g_array_new (FALSE, FALSE, sizeof (NsEtlLoss));
  self->missing = g_array_new (FALSE, FALSE, sizeof (NsEtlSequenceGap));
}

/**
 * ns_etl_report_reset:
 * @self: a report
 *
 * Empties the report.
 */
void
ns_etl_report_reset (NsEtlReport *self)
{
  GPtrArray *damage = self->damage;
  GArray *processors = self->processors;
  GArray *losses = self->losses;
  GArray *missing = self->missing;

  g_ptr_array_set_size (damage, 0);
  g_array_set_size (processors, 0);
  g_array_set_size (losses, 0);
  g_array_set_size (missing, 0);
  memset (self, 0, sizeof *self);
  self->damage = damage;
  self->processors = processors;
  self->losses = losses;
  self->missing = missing;
}

/**
 * ns_etl_report_clear:
 * @self: a report
 *
 * Frees its memory.
 */
void
ns_etl_report_clear (NsEtlReport *self)
{
  g_clear_pointer (&self->damage, g_ptr_array_unref);
  g_clear_pointer (&self->processors, g_array_unref);
  g_clear_pointer (&self->losses, g_array_unref);
  g_clear_pointer (&self->missing, g_array_unref);
}

static void
add_damage (NsEtlReport *self, guint64 offset, const char *what, gboolean is_beside)
{
  NsEtlDamage *damage;

  if (self->damage->len >= NS_ETL_MAX_DAMAGE)
    return;

  damage = g_new (NsEtlDamage, 1);
  damage->offset = offset;
  damage->what = g_strdup (_ (what));
  damage->is_beside = is_beside;
  g_ptr_array_add (self->damage, damage);
}

/**
 * ns_etl_report_add:
 * @self: a report
 * @offset: file offset
 * @what: one line without a full stop; a text marked with N_() is stored translated
 *
 * Adds damage; after %NS_ETL_MAX_DAMAGE of them only counters change.
 */
void
ns_etl_report_add (NsEtlReport *self, guint64 offset, const char *what)
{
  add_damage (self, offset, what, FALSE);
}

/**
 * ns_etl_report_add_beside:
 * @self: a report
 * @offset: file offset
 * @what: one line without a full stop; a text marked with N_() is stored translated
 *
 * Adds damage of a companion, like ns_etl_report_add().
 */
void
ns_etl_report_add_beside (NsEtlReport *self, guint64 offset, const char *what)
{
  add_damage (self, offset, what, TRUE);
}

static void
add_loss (NsEtlReport *self, const NsEtlProcessor *processor, guint16 cpu, guint64 min_raw)
{
  NsEtlLoss loss = { .begin_raw = min_raw, .end_raw = min_raw, .cpu = cpu };

  if (self->losses->len >= NS_ETL_MAX_LOSSES)
    return;
  /* Where a circular file wraps around, the buffer before has later times. */
  if (processor->n_records > 0 && processor->last_raw < min_raw)
    loss.begin_raw = processor->last_raw;
  g_array_append_val (self->losses, loss);
}

/**
 * ns_etl_report_add_buffer:
 * @self: a report
 * @cpu: processor of the buffer's records
 * @has_loss: whether its flags report a loss before it
 * @n_records: number of its records
 * @min_raw: the earliest time of its records
 * @max_raw: the latest time of its records
 *
 * Updates the times and the losses of a processor.
 */
void
ns_etl_report_add_buffer (NsEtlReport *self,
                          guint16 cpu,
                          gboolean has_loss,
                          guint64 n_records,
                          guint64 min_raw,
                          guint64 max_raw)
{
  NsEtlProcessor *processor;

  if (cpu >= self->processors->len)
    g_array_set_size (self->processors, cpu + 1u);
  processor = &g_array_index (self->processors, NsEtlProcessor, cpu);
  processor->n_losses += has_loss;
  if (n_records == 0)
    return;
  if (has_loss)
    add_loss (self, processor, cpu, min_raw);
  processor->first_raw = processor->n_records == 0 ? min_raw : MIN (processor->first_raw, min_raw);
  processor->last_raw = MAX (processor->last_raw, max_raw);
  processor->n_records += n_records;
}
