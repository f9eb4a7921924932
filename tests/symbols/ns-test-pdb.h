/* Builds PDBs for tests, byte by byte.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-guid.h"

G_BEGIN_DECLS

/* Streams of the PDB made by ns_test_pdb_new(). */
enum
{
  NS_TEST_PDB_INFO = 1,
  NS_TEST_PDB_TPI = 2,
  NS_TEST_PDB_DBI = 3,
  NS_TEST_PDB_IPI = 4,
  NS_TEST_PDB_SECTIONS = 5,
  NS_TEST_PDB_PSI = 6,
  NS_TEST_PDB_SYMREC = 7,
  NS_TEST_PDB_MODULE = 8,
  NS_TEST_PDB_NAMES = 9,
  NS_TEST_PDB_N_STREAMS = 10,
};

#define NS_TEST_PDB_BLOCK 512u

/* Its functions: work() at 0x1010 with 0x40 bytes, other() at 0x1050 with 0x10 bytes, and late() at
 * 0x1080, which is a public symbol only. helper() is inlined into work() at 0x1014 … 0x101b. */
#define NS_TEST_PDB_GUID                                                                           \
  NS_GUID_INIT (0x11223344, 0x5566, 0x7788, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x01)
#define NS_TEST_PDB_KEY "112233445566778899AABBCCDDEEFF013"
#define NS_TEST_PDB_AGE 3u

typedef struct
{
  GPtrArray *streams; /* (element-type GByteArray) */
} NsTestPdb;

NsTestPdb *ns_test_pdb_new (void);
/* Makes a PDB of these functions of 0x40 bytes each, the first one at 0x1000; the nth is in line n
 * of @source. */
NsTestPdb *ns_test_pdb_new_named (const char *const *names, guint n_names, const char *source);
void ns_test_pdb_free (NsTestPdb *self);
GByteArray *ns_test_pdb_get (NsTestPdb *self, guint stream);
gsize ns_test_pdb_locate (NsTestPdb *self, guint stream, gsize offset);
GByteArray *ns_test_pdb_write (NsTestPdb *self, guint32 skip_blocks);

void ns_test_put (GByteArray *bytes, guint n_bytes, guint64 value);
void ns_test_put_text (GByteArray *bytes, const char *text);
void ns_test_set (GByteArray *bytes, gsize at, guint n_bytes, guint64 value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (NsTestPdb, ns_test_pdb_free)

G_END_DECLS
