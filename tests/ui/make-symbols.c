/* Writes a trace whose modules have PDB identities, and matching symbols.
 *
 * usage: make-symbols FOLDER
 *
 * Writes FOLDER/trace.etl; FOLDER/right with the symbols of app.exe; FOLDER/wrong with symbols of
 * another build of other.dll; FOLDER/store with those of app.exe in the layout of a symbol server.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-folder.h"
#include "ns-test-pdb.h"
#include "stitch-fixture.h"

#define ROWS "10:1:WE A x 'S1; 20:2:WD A x; 21:2:WS A x; 22:2:NET 'S2; 30:3:NET 'S3"
#define BASE 0x7ff600000000

/* The stack S1, S2 … of a script has frames at page 1, 2 … of the image, and at 0xf010. */
static const struct
{
  guint32 at;
  guint32 size;
  const char *path;
  const char *pdb; /* (nullable): PDB name in the debug ID event */
} modules[] = {
  { 0, 0x2000, "\\Device\\HarddiskVolume3\\app.exe", "app.pdb" },
  { 0x2000, 0x1000, "\\Windows\\System32\\other.dll", "other.pdb" },
  { 0x3000,
    0x1000,
    "\\Windows\\System32\\device.dll",
    "CON.pdb" }, /* not allowed as a file name on Windows */
  { 0xf000, 0x1000, "\\Windows\\System32\\unknown.dll", NULL },
};

static void
write_identity (NsEtlWriter *writer, guint64 base, const char *pdb)
{
  static const NsGuid image_id =
      NS_GUID_INIT (0xb3e675d7, 0x2554, 0x4f18, 0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde);
  NsGuid guid = NS_TEST_PDB_GUID;
  g_autoptr (GByteArray) payload = g_byte_array_new ();
  NsEtlWriterFull record = { .raw = ns_etl_writer_get_base_raw (writer),
                             .guid = image_id,
                             .opcode = 36,
                             .version = 2,
                             .payload = payload };

  ns_etl_bytes_u64 (payload, base);
  ns_etl_bytes_u32 (payload, STITCH_PID);
  ns_etl_bytes_guid (payload, &guid);
  ns_etl_bytes_u32 (payload, NS_TEST_PDB_AGE);
  ns_etl_bytes_astr (payload, pdb);
  g_assert_true (ns_etl_writer_add_full (writer, &record));
}

int
main (int argc, char *argv[])
{
  static const NsEtlWriterOptions options = { 0 };
  NsTestFolder folder = { .root = argv[1] };
  g_autoptr (NsEtlWriter) writer = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (argc != 2)
    return 2;
  writer = ns_etl_writer_new (&options);
  for (guint i = 0; i < G_N_ELEMENTS (modules); i++)
    {
      stitch_image_write (writer,
                          STITCH_PID,
                          BASE + modules[i].at,
                          modules[i].size,
                          modules[i].path);
      if (modules[i].pdb != NULL)
        write_identity (writer, BASE + modules[i].at, modules[i].pdb);
    }
  stitch_script_write (writer, ROWS);
  bytes = ns_etl_writer_finish (writer);
  ns_test_folder_write (&folder,
                        "trace.etl",
                        g_bytes_get_data (bytes, NULL),
                        (gssize) g_bytes_get_size (bytes));
  ns_test_folder_write_pdb (&folder, "right/app.pdb");
  ns_test_folder_write_pdb (&folder, "store/app.pdb/" NS_TEST_PDB_KEY "/app.pdb");
  ns_test_folder_write_other_pdb (&folder, "wrong/other.pdb");
  return 0;
}
