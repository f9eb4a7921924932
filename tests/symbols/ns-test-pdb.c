/* Builds PDBs for tests, byte by byte.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ns-test-pdb.h"

#define FIRST_BLOCK 3

/* Size in bytes of a function of ns_test_pdb_new_named(). */
#define NAMED_SIZE 0x40

/* Appends a little-endian number. */
void
ns_test_put (GByteArray *bytes, guint n_bytes, guint64 value)
{
  for (guint i = 0; i < n_bytes; i++)
    {
      guint8 byte = (guint8) (value >> (8 * i));

      g_byte_array_append (bytes, &byte, 1);
    }
}

void
ns_test_put_text (GByteArray *bytes, const char *text)
{
  g_byte_array_append (bytes, (const guint8 *) text, (guint) strlen (text) + 1);
}

void
ns_test_set (GByteArray *bytes, gsize at, guint n_bytes, guint64 value)
{
  g_assert_cmpuint (at + n_bytes, <=, bytes->len);
  for (guint i = 0; i < n_bytes; i++)
    bytes->data[at + i] = (guint8) (value >> (8 * i));
}

static void
pad (GByteArray *bytes, guint unit)
{
  while (bytes->len % unit != 0)
    ns_test_put (bytes, 1, 0);
}

/* Begins a symbol record; end_record() sets its length. */
static guint
begin_record (GByteArray *bytes, guint16 kind)
{
  guint at = bytes->len;

  ns_test_put (bytes, 2, 0);
  ns_test_put (bytes, 2, kind);
  return at;
}

static void
end_record (GByteArray *bytes, guint at)
{
  pad (bytes, 4);
  ns_test_set (bytes, at, 2, bytes->len - at - 2);
}

static void
put_info (GByteArray *bytes)
{
  NsGuid guid = NS_TEST_PDB_GUID;

  ns_test_put (bytes, 4, 20000404);
  ns_test_put (bytes, 4, 1);
  ns_test_put (bytes, 4, NS_TEST_PDB_AGE);
  g_byte_array_append (bytes, guid.bytes, sizeof guid.bytes);
  ns_test_put (bytes, 4, 7);
  ns_test_put_text (bytes, "/names");
  ns_test_put (bytes, 4, 1); /* entries */
  ns_test_put (bytes, 4, 1); /* capacity */
  ns_test_put (bytes, 4, 1);
  ns_test_put (bytes, 4, 1);
  ns_test_put (bytes, 4, 0);
  ns_test_put (bytes, 4, 0);
  ns_test_put (bytes, 4, NS_TEST_PDB_NAMES);
  ns_test_put (bytes, 4, 0);
  ns_test_put (bytes, 4, 20140508);
}

static void
put_types (GByteArray *bytes, guint32 n_records, GByteArray *records)
{
  ns_test_put (bytes, 4, 20040203);
  ns_test_put (bytes, 4, 56);
  ns_test_put (bytes, 4, 0x1000);
  ns_test_put (bytes, 4, 0x1000 + n_records);
  ns_test_put (bytes, 4, records != NULL ? records->len : 0);
  ns_test_put (bytes, 2, 0xffff);
  ns_test_put (bytes, 2, 0xffff);
  for (guint i = 0; i < 8; i++)
    ns_test_put (bytes, 4, 0);
  if (records != NULL)
    g_byte_array_append (bytes, records->data, records->len);
}

static void
put_ids (GByteArray *bytes)
{
  g_autoptr (GByteArray) records = g_byte_array_new ();
  guint at = begin_record (records, 0x1601);

  ns_test_put (records, 4, 0x1001); /* scope */
  ns_test_put (records, 4, 0);
  ns_test_put_text (records, "helper");
  end_record (records, at);
  at = begin_record (records, 0x1605);
  ns_test_put (records, 4, 0);
  ns_test_put_text (records, "tools");
  end_record (records, at);
  put_types (bytes, 2, records);
}

static void
put_section (GByteArray *bytes, guint32 rva, guint32 size, guint32 flags)
{
  ns_test_put (bytes, 8, 0x2e);
  ns_test_put (bytes, 4, size);
  ns_test_put (bytes, 4, rva);
  ns_test_put (bytes, 4, size);
  ns_test_put (bytes, 8, 0);
  ns_test_put (bytes, 8, 0);
  ns_test_put (bytes, 4, flags);
}

static void
put_public (GByteArray *bytes, guint32 flags, guint32 offset, guint16 section, const char *name)
{
  guint at = begin_record (bytes, 0x110e);

  ns_test_put (bytes, 4, flags);
  ns_test_put (bytes, 4, offset);
  ns_test_put (bytes, 2, section);
  ns_test_put_text (bytes, name);
  end_record (bytes, at);
}

static void
put_publics (GByteArray *records, GByteArray *map)
{
  guint32 offsets[3];

  offsets[0] = records->len;
  put_public (records, 2, 0x10, 1, "?work@outer@@YAXXZ");
  offsets[1] = records->len;
  put_public (records, 2, 0x80, 1, "?late@ns@@YAHH@Z");
  offsets[2] = records->len;
  put_public (records, 0, 0, 2, "?data@@3HA");
  ns_test_put (map, 4, 0);
  ns_test_put (map, 4, sizeof offsets);
  for (guint i = 0; i < 5; i++)
    ns_test_put (map, 4, 0);
  for (guint i = 0; i < G_N_ELEMENTS (offsets); i++)
    ns_test_put (map, 4, offsets[i]);
}

static guint
begin_proc (GByteArray *bytes, guint32 offset, guint32 size, const char *name)
{
  guint at = begin_record (bytes, 0x1110);

  ns_test_put (bytes, 4, 0); /* parent symbol */
  ns_test_put (bytes, 4, 0); /* end symbol */
  ns_test_put (bytes, 4, 0);
  ns_test_put (bytes, 4, size);
  for (guint i = 0; i < 3; i++)
    ns_test_put (bytes, 4, 0);
  ns_test_put (bytes, 4, offset);
  ns_test_put (bytes, 2, 1);
  ns_test_put (bytes, 1, 0);
  ns_test_put_text (bytes, name);
  end_record (bytes, at);
  return at;
}

static void
put_end (GByteArray *bytes, guint16 kind, guint begun_at)
{
  ns_test_set (bytes, begun_at + 8, 4, bytes->len);
  end_record (bytes, begin_record (bytes, kind));
}

static void
put_symbols (GByteArray *bytes)
{
  static const guint8 annotations[] = {
    6, 4, 3, 4, 4, 8
  }; /* line + 2, from offset 4, for 8 bytes */
  guint proc;
  guint site;

  ns_test_put (bytes, 4, 4);
  proc = begin_proc (bytes, 0x10, 0x40, "outer::work");
  site = begin_record (bytes, 0x114d);
  ns_test_put (bytes, 4, proc);
  ns_test_put (bytes, 4, 0);
  ns_test_put (bytes, 4, 0x1000);
  g_byte_array_append (bytes, annotations, sizeof annotations);
  end_record (bytes, site);
  put_end (bytes, 0x114e, site);
  put_end (bytes, 0x0006, proc);
  proc = begin_proc (bytes, 0x50, 0x10, "outer::other");
  put_end (bytes, 0x0006, proc);
}

static void
put_lines (GByteArray *bytes)
{
  static const guint32 lines[][2] = { { 0, 40 },
                                      { 4, 41 },
                                      { 4, 42 },
                                      { 12, 0xf00f00 },
                                      { 20, 44 } };

  ns_test_put (bytes, 4, 0xf2);
  ns_test_put (bytes, 4, 12 + 12 + sizeof lines);
  ns_test_put (bytes, 4, 0x10);
  ns_test_put (bytes, 2, 1);
  ns_test_put (bytes, 2, 0);
  ns_test_put (bytes, 4, 0x40);
  ns_test_put (bytes, 4, 0);
  ns_test_put (bytes, 4, G_N_ELEMENTS (lines));
  ns_test_put (bytes, 4, 12 + sizeof lines);
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      ns_test_put (bytes, 4, lines[i][0]);
      ns_test_put (bytes, 4, lines[i][1] | 0x80000000u);
    }
}

/* Appends one line entry for each function of ns_test_pdb_new_named(). */
static void
put_line_of_each (GByteArray *bytes, guint n_names)
{
  for (guint i = 0; i < n_names; i++)
    {
      ns_test_put (bytes, 4, 0xf2);
      ns_test_put (bytes, 4, 12 + 12 + 8);
      ns_test_put (bytes, 4, i * NAMED_SIZE);
      ns_test_put (bytes, 2, 1);
      ns_test_put (bytes, 2, 0);
      ns_test_put (bytes, 4, NAMED_SIZE);
      ns_test_put (bytes, 4, 0);
      ns_test_put (bytes, 4, 1);
      ns_test_put (bytes, 4, 12 + 8);
      ns_test_put (bytes, 4, 0);
      ns_test_put (bytes, 4, (i + 1) | 0x80000000u);
    }
}

static void
put_files (GByteArray *bytes)
{
  ns_test_put (bytes, 4, 0xf4);
  ns_test_put (bytes, 4, 8);
  ns_test_put (bytes, 4, 1);
  ns_test_put (bytes, 4, 0);
}

static void
put_c13 (GByteArray *bytes)
{
  put_lines (bytes);
  put_files (bytes);
  ns_test_put (bytes, 4, 0xf6);
  ns_test_put (bytes, 4, 16);
  ns_test_put (bytes, 4, 0);
  ns_test_put (bytes, 4, 0x1000);
  ns_test_put (bytes, 4, 0);
  ns_test_put (bytes, 4, 7);
}

static void
put_names (GByteArray *bytes, const char *source)
{
  ns_test_put (bytes, 4, 0xeffeeffe);
  ns_test_put (bytes, 4, 1);
  ns_test_put (bytes, 4, 2 + strlen (source));
  ns_test_put (bytes, 1, 0);
  ns_test_put_text (bytes, source);
}

static void
put_module_info (GByteArray *bytes,
                 guint16 stream,
                 guint32 n_symbols,
                 guint32 n_c13,
                 const char *name)
{
  for (guint i = 0; i < 34; i++)
    ns_test_put (bytes, 1, 0);
  ns_test_put (bytes, 2, stream);
  ns_test_put (bytes, 4, n_symbols);
  ns_test_put (bytes, 4, 0);
  ns_test_put (bytes, 4, n_c13);
  for (guint i = 0; i < 4; i++)
    ns_test_put (bytes, 4, 0);
  ns_test_put_text (bytes, name);
  ns_test_put_text (bytes, name);
  pad (bytes, 4);
}

static void
put_contribution (GByteArray *bytes, guint32 offset, guint32 size, guint16 module)
{
  ns_test_put (bytes, 4, 1);
  ns_test_put (bytes, 4, offset);
  ns_test_put (bytes, 4, size);
  ns_test_put (bytes, 4, 0x60000020);
  ns_test_put (bytes, 4, module);
  ns_test_put (bytes, 8, 0);
}

static void
put_dbi (GByteArray *bytes, guint32 n_symbols, guint32 n_c13, guint32 named_size)
{
  guint n_modules;

  ns_test_put (bytes, 4, 0xffffffff);
  ns_test_put (bytes, 4, 19990903);
  ns_test_put (bytes, 4, NS_TEST_PDB_AGE);
  ns_test_put (bytes, 4, 0xffff);
  ns_test_put (bytes, 4, NS_TEST_PDB_PSI);
  ns_test_put (bytes, 4, NS_TEST_PDB_SYMREC);
  for (guint i = 0; i < 8; i++)
    ns_test_put (bytes, 4, 0);
  ns_test_put (bytes, 2, 0);
  ns_test_put (bytes, 2, 0x8664);
  ns_test_put (bytes, 4, 0);
  put_module_info (bytes, NS_TEST_PDB_MODULE, n_symbols, n_c13, "a.obj");
  put_module_info (bytes, 0xffff, 0, 0, "* Linker *");
  n_modules = bytes->len - 64;
  ns_test_set (bytes, 24, 4, n_modules);
  ns_test_put (bytes, 4, 0xf12eba2d);
  if (named_size > 0)
    put_contribution (bytes, 0, named_size, 0);
  else
    {
      put_contribution (bytes, 0x10, 0x50, 0);
      put_contribution (bytes, 0x80, 0x20, 1);
    }
  ns_test_set (bytes, 28, 4, bytes->len - 64 - n_modules);
  for (guint i = 0; i < 11; i++)
    ns_test_put (bytes, 2, i == 5 ? NS_TEST_PDB_SECTIONS : 0xffff);
  ns_test_set (bytes, 48, 4, 22);
}

static NsTestPdb *
new_with_types (void)
{
  NsTestPdb *self = g_new0 (NsTestPdb, 1);

  self->streams = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  for (guint i = 0; i < NS_TEST_PDB_N_STREAMS; i++)
    g_ptr_array_add (self->streams, g_byte_array_new ());
  put_info (ns_test_pdb_get (self, NS_TEST_PDB_INFO));
  put_types (ns_test_pdb_get (self, NS_TEST_PDB_TPI), 0, NULL);
  put_ids (ns_test_pdb_get (self, NS_TEST_PDB_IPI));
  return self;
}

/* Makes a PDB of two modules, one of them with symbols. */
NsTestPdb *
ns_test_pdb_new (void)
{
  NsTestPdb *self = new_with_types ();
  GByteArray *module;
  guint n_symbols;

  put_section (ns_test_pdb_get (self, NS_TEST_PDB_SECTIONS), 0x1000, 0x200, 0x60000020);
  put_section (ns_test_pdb_get (self, NS_TEST_PDB_SECTIONS), 0x2000, 0x100, 0xc0000040);
  put_publics (ns_test_pdb_get (self, NS_TEST_PDB_SYMREC), ns_test_pdb_get (self, NS_TEST_PDB_PSI));
  module = ns_test_pdb_get (self, NS_TEST_PDB_MODULE);
  put_symbols (module);
  n_symbols = module->len;
  put_c13 (module);
  put_names (ns_test_pdb_get (self, NS_TEST_PDB_NAMES), "C:\\src\\a.cpp");
  put_dbi (ns_test_pdb_get (self, NS_TEST_PDB_DBI), n_symbols, module->len - n_symbols, 0);
  return self;
}

NsTestPdb *
ns_test_pdb_new_named (const char *const *names, guint n_names, const char *source)
{
  NsTestPdb *self = new_with_types ();
  GByteArray *module = ns_test_pdb_get (self, NS_TEST_PDB_MODULE);
  guint n_symbols;

  put_section (ns_test_pdb_get (self, NS_TEST_PDB_SECTIONS),
               0x1000,
               n_names * NAMED_SIZE,
               0x60000020);
  for (guint i = 0; i < 7; i++) /* no public symbols */
    ns_test_put (ns_test_pdb_get (self, NS_TEST_PDB_PSI), 4, 0);
  ns_test_put (module, 4, 4);
  for (guint i = 0; i < n_names; i++)
    put_end (module, 0x0006, begin_proc (module, i * NAMED_SIZE, NAMED_SIZE, names[i]));
  n_symbols = module->len;
  put_line_of_each (module, n_names);
  put_files (module);
  put_names (ns_test_pdb_get (self, NS_TEST_PDB_NAMES), source);
  put_dbi (ns_test_pdb_get (self, NS_TEST_PDB_DBI),
           n_symbols,
           module->len - n_symbols,
           n_names * NAMED_SIZE);
  return self;
}

void
ns_test_pdb_free (NsTestPdb *self)
{
  g_ptr_array_unref (self->streams);
  g_free (self);
}

GByteArray *
ns_test_pdb_get (NsTestPdb *self, guint stream)
{
  return g_ptr_array_index (self->streams, stream);
}

static guint
count_blocks (gsize n_bytes)
{
  return (guint) ((n_bytes + NS_TEST_PDB_BLOCK - 1) / NS_TEST_PDB_BLOCK);
}

/* Returns the file offset of a byte of a stream, if no blocks are skipped. */
gsize
ns_test_pdb_locate (NsTestPdb *self, guint stream, gsize offset)
{
  guint block = FIRST_BLOCK;

  for (guint i = 0; i < stream; i++)
    block += count_blocks (ns_test_pdb_get (self, i)->len);
  return (gsize) block * NS_TEST_PDB_BLOCK + offset;
}

static void
write_superblock (GByteArray *file, guint32 n_blocks, guint n_directory, guint32 map)
{
  static const char magic[32] = "Microsoft C/C++ MSF 7.00\r\n\x1a"
                                "DS\0\0";

  g_byte_array_append (file, (const guint8 *) magic, sizeof magic);
  ns_test_put (file, 4, NS_TEST_PDB_BLOCK);
  ns_test_put (file, 4, 1);
  ns_test_put (file, 4, n_blocks);
  ns_test_put (file, 4, n_directory);
  ns_test_put (file, 4, 0);
  ns_test_put (file, 4, map);
}

/* Returns the file. With @skip_blocks every second block is unused, so no stream is contiguous. */
GByteArray *
ns_test_pdb_write (NsTestPdb *self, guint32 skip_blocks)
{
  GByteArray *file = g_byte_array_new ();
  g_autoptr (GByteArray) directory = g_byte_array_new ();
  guint step = 1 + skip_blocks;
  guint block = FIRST_BLOCK;
  guint n_data = 0;
  guint32 directory_block;

  ns_test_put (directory, 4, self->streams->len);
  for (guint i = 0; i < self->streams->len; i++)
    ns_test_put (directory, 4, ns_test_pdb_get (self, i)->len);
  for (guint i = 0; i < self->streams->len; i++)
    for (guint k = 0; k < count_blocks (ns_test_pdb_get (self, i)->len); k++, n_data++)
      ns_test_put (directory, 4, block + n_data * step);
  directory_block = block + n_data * step;
  g_assert_cmpuint (directory->len, <=, NS_TEST_PDB_BLOCK);
  write_superblock (file, directory_block + 2, directory->len, directory_block + 1);

  g_byte_array_set_size (file, (directory_block + 2) * NS_TEST_PDB_BLOCK);
  memset (file->data + 56, 0, file->len - 56);
  n_data = 0;
  for (guint i = 0; i < self->streams->len; i++)
    {
      GByteArray *stream = ns_test_pdb_get (self, i);

      for (guint at = 0; at < stream->len; at += NS_TEST_PDB_BLOCK, n_data++)
        memcpy (file->data + (gsize) (block + n_data * step) * NS_TEST_PDB_BLOCK,
                stream->data + at,
                MIN (NS_TEST_PDB_BLOCK, stream->len - at));
    }
  memcpy (file->data + (gsize) directory_block * NS_TEST_PDB_BLOCK,
          directory->data,
          directory->len);
  ns_test_set (file, (gsize) (directory_block + 1) * NS_TEST_PDB_BLOCK, 4, directory_block);
  return file;
}
