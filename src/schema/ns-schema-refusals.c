/* Event descriptions in a trace that were rejected: provider, position and reason.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "schema/ns-schema-refusals.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* Maximum number of rejections that are listed; the others are only counted. */
#define MAX_REFUSALS 20

typedef struct
{
  NsGuid provider;
  NsRecordRef where;
  char *why;
} Refusal;

struct _NsSchemaRefusals
{
  GArray *some; /* (element-type Refusal) */
  guint64 n_more;
};

static void
refusal_clear (gpointer data)
{
  g_free (((Refusal *) data)->why);
}

/**
 * ns_schema_refusals_new:
 *
 * Returns: (transfer full): an empty list
 */
NsSchemaRefusals *
ns_schema_refusals_new (void)
{
  NsSchemaRefusals *self = g_new0 (NsSchemaRefusals, 1);

  self->some = g_array_new (FALSE, FALSE, sizeof (Refusal));
  g_array_set_clear_func (self->some, refusal_clear);
  return self;
}

/**
 * ns_schema_refusals_free:
 * @self: (transfer full): a list
 */
void
ns_schema_refusals_free (NsSchemaRefusals *self)
{
  g_array_unref (self->some);
  g_free (self);
}

/**
 * ns_schema_refusals_add:
 * @self: a list
 * @record: the record that ends the description
 * @why: the reason, without a full stop
 */
void
ns_schema_refusals_add (NsSchemaRefusals *self, const NsRecord *record, const char *why)
{
  Refusal refusal = { .provider = record->guid, .where = record->ref };

  if (self->some->len == MAX_REFUSALS)
    {
      self->n_more++;
      return;
    }
  refusal.why = g_strdup (why);
  g_array_append_val (self->some, refusal);
}

/**
 * ns_schema_refusals_report:
 * @self: a list
 * @file: its trace, which was walked, and will not be walked again
 *
 * Adds a line per rejection to the report of the trace.
 */
void
ns_schema_refusals_report (const NsSchemaRefusals *self, NsEtlFile *file)
{
  g_autofree char *more = NULL;
  guint i;

  for (i = 0; i < self->some->len; i++)
    {
      const Refusal *refusal = &g_array_index (self->some, Refusal, i);
      char guid[NS_GUID_TEXT_SIZE];
      g_autofree char *what =
          g_strdup_printf (_ ("the manifest that the provider {%s} sent is not used: %s"),
                           ns_guid_to_text (&refusal->provider, guid),
                           refusal->why);

      ns_etl_file_add_beside (file, &refusal->where, what);
    }
  if (self->n_more == 0)
    return;
  more = g_strdup_printf (ngettext ("%" PRIu64 " more manifest that providers sent is not used",
                                    "%" PRIu64 " more manifests that providers sent are not used",
                                    self->n_more),
                          self->n_more);
  ns_etl_file_add_beside (file, NULL, more);
}
