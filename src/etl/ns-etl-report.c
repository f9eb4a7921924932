/* Keeps account of what a walk read and of what it could not read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "etl/ns-etl-report.h"

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
}

/**
 * ns_etl_report_reset:
 * @self: a report
 *
 * Forgets everything.
 */
void
ns_etl_report_reset (NsEtlReport *self)
{
  GPtrArray *damage = self->damage;

  g_ptr_array_set_size (damage, 0);
  memset (self, 0, sizeof *self);
  self->damage = damage;
}

/**
 * ns_etl_report_clear:
 * @self: a report
 */
void
ns_etl_report_clear (NsEtlReport *self)
{
  g_clear_pointer (&self->damage, g_ptr_array_unref);
}

/**
 * ns_etl_report_add:
 * @self: a report
 * @offset: where in the file
 * @what: one line without a full stop
 *
 * Notes a damage; beyond %NS_ETL_MAX_DAMAGE of them only the counts tell.
 */
void
ns_etl_report_add (NsEtlReport *self, guint64 offset, const char *what)
{
  NsEtlDamage *damage;

  if (self->damage->len >= NS_ETL_MAX_DAMAGE)
    return;

  damage = g_new (NsEtlDamage, 1);
  damage->offset = offset;
  damage->what = g_strdup (what);
  g_ptr_array_add (self->damage, damage);
}
