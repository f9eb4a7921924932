/* What records of a provider are for, when a part of a trace is cut out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "etl/ns-etl-record.h"

G_BEGIN_DECLS

/* What a record is for, without looking into it. */
typedef enum
{
  NS_ETL_ROLE_OTHER,
  NS_ETL_ROLE_NETWORK, /* tells of operations: only those of chosen rows */
  NS_ETL_ROLE_NAMES,   /* the same, and names have no pointers */
  NS_ETL_ROLE_FLOWS,   /* the same, with addresses only */
  NS_ETL_ROLE_PACKETS,
  NS_ETL_ROLE_PROCESS, /* of one process, which a field names */
  NS_ETL_ROLE_WORK,    /* of the process that writes it */
  NS_ETL_ROLE_MACHINE,
  NS_ETL_ROLE_HEADER,
  NS_ETL_ROLE_STACKS,
  NS_ETL_ROLE_DESCRIPTION,
} NsEtlRole;

NsEtlRole ns_etl_role_of (const NsRecord *record);

G_END_DECLS
