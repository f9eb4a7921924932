/* The smallest and largest values of a column of a Parquet row group, by which readers skip groups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "export/ns-parquet-chunk.h"
#include "export/ns-parquet-texts.h"

G_BEGIN_DECLS

void ns_parquet_find_bounds_of_numbers (const GArray *numbers,
                                        NsTypedKind type,
                                        NsParquetChunkInfo *info);
void ns_parquet_find_bounds_of_texts (const NsParquetTexts *texts, NsParquetChunkInfo *info);

G_END_DECLS
