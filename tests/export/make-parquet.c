/* Writes the rows of a Parquet file that check-parquet.py generates independently.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "export/ns-export-file.h"
#include "export/ns-parquet.h"

#include <stdio.h>
#include <string.h>

static const NsTypedColumn columns[] = {
  { "flag", NS_TYPED_BOOLEAN },     { "number", NS_TYPED_INTEGER },   { "few", NS_TYPED_INTEGER },
  { "moment", NS_TYPED_TIMESTAMP }, { "text", NS_TYPED_TEXT },        { "name", NS_TYPED_TEXT },
  { "texts", NS_TYPED_TEXTS },      { "numbers", NS_TYPED_INTEGERS }, { "none", NS_TYPED_TEXT },
  { "same", NS_TYPED_INTEGER },
};

/* Pseudo-random numbers, equal to those of check-parquet.py. */
static guint32
mix (guint32 i, guint32 salt)
{
  guint32 x = i * 2654435761u + salt * 40503u;

  x ^= x >> 15;
  x *= 2246822519u;
  return x ^ x >> 13;
}

static gboolean
add_row (NsParquet *parquet, guint32 i, GError **error)
{
  static const char *const names[] = { "", "a", "Zürich", "\360\237\230\200", "long long long" };
  g_autofree char *text = g_strdup_printf ("text %u", mix (i, 1));
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autoptr (GPtrArray) numbers = g_ptr_array_new_with_free_func (g_free);
  NsTypedCell cells[G_N_ELEMENTS (columns)] = { 0 };
  guint n;

  for (n = mix (i, 2) % 5; n > 0; n--)
    {
      g_ptr_array_add (texts, (gpointer) names[(mix (i, 3) + n) % G_N_ELEMENTS (names)]);
      g_ptr_array_add (numbers, g_strdup_printf ("-%u", mix (i, 4) % (n * 7)));
    }
  cells[0] = (NsTypedCell){ .is_null = mix (i, 5) % 3 == 0, .number = mix (i, 6) & 1 };
  cells[1] = (NsTypedCell){ .number = (gint64) (((guint64) mix (i, 7) << 32) - G_MAXINT32) };
  cells[2] = (NsTypedCell){ .is_null = mix (i, 8) % 50 == 0, .number = mix (i, 9) % 4 };
  cells[3] = (NsTypedCell){ .number = G_GINT64_CONSTANT (1700000000123456789) + i };
  cells[4] = (NsTypedCell){ .text = text };
  cells[5] = (NsTypedCell){ .is_null = mix (i, 10) % 7 == 0,
                            .text = names[mix (i / 20, 11) % G_N_ELEMENTS (names)] };
  cells[6] = (NsTypedCell){ .is_null = mix (i, 12) % 4 == 0, .list = texts };
  cells[7] = (NsTypedCell){ .list = numbers };
  cells[8] = (NsTypedCell){ .is_null = TRUE };
  cells[9] = (NsTypedCell){ .number = -1 };
  return ns_parquet_add_row (parquet, cells, error);
}

int
main (int argc, char *argv[])
{
  NsParquetOptions options = { .columns = columns,
                               .n_columns = G_N_ELEMENTS (columns),
                               .sorted_by = 3,
                               .created_by = "test",
                               .schema_version = "1" };
  g_autoptr (NsExportFile) file = NULL;
  g_autoptr (NsParquet) parquet = NULL;
  g_autoptr (GError) error = NULL;
  guint32 n_rows;
  guint32 i;

  if (argc != 4)
    return 2;
  n_rows = (guint32) g_ascii_strtoull (argv[2], NULL, 10);
  options.max_group_bytes = (gsize) g_ascii_strtoull (argv[3], NULL, 10);
  file = ns_export_file_new (argv[1], &error);
  if (file == NULL)
    g_error ("%s", error->message);
  parquet = ns_parquet_new (&options, ns_export_file_write, file);
  for (i = 0; i < n_rows; i++)
    if (!add_row (parquet, i, &error))
      g_error ("%s", error->message);
  if (!ns_parquet_finish (parquet, &error) || !ns_export_file_commit (file, &error))
    g_error ("%s", error->message);
  return 0;
}
