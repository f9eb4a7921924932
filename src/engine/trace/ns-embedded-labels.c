/* Function names embedded in a hand-over file, so that its receiver needs no symbols.
 *
 * The text has lines with fields separated by tabs: `m` and the identity of a module, then one `f`
 * line per address in it: RVA (hexadecimal), `r` for a return address and `c` otherwise, offset
 * from the function's begin, function name, and if known line, file, and inlined functions. The
 * file is untrusted: malformed lines are skipped, and names are sanitized for display.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "engine/trace/ns-embedded-labels.h"

#include "base/ns-hash.h"
#include "base/ns-pages.h"
#include "base/ns-plain.h"

#include <stdlib.h>
#include <string.h>

/* Maximum number of fields in a line. */
#define MAX_FIELDS 8
/* Maximum number of modules in a file, and of addresses in all modules. */
#define MAX_MODULES 100000
#define MAX_NAMES 1000000

typedef struct
{
  guint64 place; /* twice the RVA, plus one for a return address */
  guint32 module;
  NsEmbeddedLabel name;
} Entry;

struct _NsEmbeddedLabels
{
  char *text;         /* owns the strings of the entries */
  GArray *entries;    /* Entry, sorted by module and place; MAX_NAMES at most */
  guint32 *of_images; /* by image row, from 0: module + 1; 0: none */
  guint n_images;
};

/**
 * ns_embedded_labels_dup_identity:
 * @trace: a trace
 * @image: row of an image
 *
 * Formats the key that identifies a build of a module in every trace.
 *
 * Returns: (transfer full): its name and GUID with age, or time stamp with size
 */
char *
ns_embedded_labels_dup_identity (const NsTrace *trace, NsRow image)
{
  const NsImageRow *row = NS_ROW_AT (trace->images, NsImageRow, image);
  const char *name =
      row->name != NS_STRING_NONE ? ns_trace_text (trace, row->name) : NS_EMBEDDED_LABELS_NONE;
  g_autofree char *folded = g_ascii_strdown (name, -1);
  char guid[NS_GUID_TEXT_SIZE];

  g_strdelimit (folded, "\t\r\n", ' ');
  if (row->has_guid)
    return g_strdup_printf ("%s;%u;%s", ns_guid_to_text (&row->guid, guid), row->age, folded);
  return g_strdup_printf ("%x;%" G_GINT64_MODIFIER "x;%s", row->timestamp, row->size, folded);
}

/* Splits a line at its tabs. */
static guint
split (char *line, char *fields[MAX_FIELDS])
{
  guint n = 0;

  while (n < MAX_FIELDS)
    {
      fields[n++] = line;
      line = strchr (line, '\t');
      if (line == NULL)
        break;
      *line++ = '\0';
    }
  return n;
}

static gboolean
read_number (const char *text, guint base, guint64 max, guint64 *number)
{
  return g_ascii_string_to_unsigned (text, base, 0, max, number, NULL);
}

static const char *
known_or_null (char *text)
{
  ns_plain_make (text);
  return *text != '\0' && strcmp (text, NS_EMBEDDED_LABELS_NONE) != 0 ? text : NULL;
}

static gboolean
read_entry (char *const *fields, guint n_fields, guint32 module, Entry *entry)
{
  guint64 rva;
  guint64 offset;
  guint64 line = 0;

  memset (entry, 0, sizeof *entry);
  if (n_fields < 5 || module == 0 || !read_number (fields[1], 16, G_MAXUINT32, &rva) ||
      (strcmp (fields[2], "r") != 0 && strcmp (fields[2], "c") != 0) ||
      !read_number (fields[3], 16, G_MAXUINT32, &offset) || *fields[4] == '\0')
    return FALSE;
  entry->place = rva << 1 | (*fields[2] == 'r' ? 1 : 0);
  entry->module = module;
  ns_plain_make (fields[4]);
  entry->name.symbol = fields[4];
  entry->name.offset = (guint32) offset;
  if (n_fields > 6 && read_number (fields[5], 10, G_MAXUINT32, &line))
    {
      entry->name.file = known_or_null (fields[6]);
      entry->name.line = entry->name.file != NULL ? (guint32) line : 0;
    }
  if (n_fields > 7)
    entry->name.inlined = known_or_null (fields[7]);
  return TRUE;
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *one = a;
  const Entry *two = b;

  if (one->module != two->module)
    return one->module < two->module ? -1 : 1;
  return one->place < two->place ? -1 : one->place > two->place;
}

/* Returns the module's number, from 1, added if needed; 0: the maximum number is reached. */
static guint32
ensure_module (GHashTable *modules, const char *identity)
{
  guint32 module = GPOINTER_TO_UINT (g_hash_table_lookup (modules, identity));

  if (module != 0 || g_hash_table_size (modules) >= MAX_MODULES)
    return module;
  module = g_hash_table_size (modules) + 1;
  g_hash_table_insert (modules, (gpointer) identity, GUINT_TO_POINTER (module));
  return module;
}

/* Returns an upper bound of the number of names in the text. */
static guint
count_names (const char *text)
{
  guint n = 0;

  for (; n < MAX_NAMES && (text = strstr (text, "\nf\t")) != NULL; text++)
    n++;
  return n;
}

/* Reads the complete lines; a last line without a newline is ignored. */
static GHashTable *
read_lines (NsEmbeddedLabels *self, guint n_names)
{
  GHashTable *modules = g_hash_table_new (ns_hash_text, g_str_equal);
  char *line = self->text + strlen (NS_EMBEDDED_LABELS_HEAD);
  guint32 module = 0;
  char *end;

  for (; (end = strchr (line, '\n')) != NULL; line = end + 1)
    {
      char *fields[MAX_FIELDS] = { NULL };
      guint n_fields;
      Entry entry;

      *end = '\0';
      n_fields = split (line, fields);
      if (strcmp (fields[0], "m") == 0)
        module = n_fields == 2 ? ensure_module (modules, fields[1]) : 0;
      else if (strcmp (fields[0], "f") == 0 && self->entries->len < n_names &&
               read_entry (fields, n_fields, module, &entry))
        g_array_append_val (self->entries, entry);
    }
  return modules;
}

static gboolean
find_images (NsEmbeddedLabels *self, const NsTrace *trace, GHashTable *modules)
{
  guint i;

  self->of_images = g_try_new0 (guint32, MAX (trace->images->len, 1));
  if (self->of_images == NULL)
    return FALSE;
  self->n_images = trace->images->len;
  for (i = 0; i < self->n_images; i++)
    {
      g_autofree char *identity = ns_embedded_labels_dup_identity (trace, i + 1);

      self->of_images[i] = GPOINTER_TO_UINT (g_hash_table_lookup (modules, identity));
    }
  return TRUE;
}

/**
 * ns_embedded_labels_is_one:
 * @bytes: contents of an untrusted file
 *
 * Returns: whether it begins with the magic line of a label file
 */
gboolean
ns_embedded_labels_is_one (GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  gsize n_head = strlen (NS_EMBEDDED_LABELS_HEAD);

  return size >= n_head && memcmp (data, NS_EMBEDDED_LABELS_HEAD, n_head) == 0;
}

/* Parses the file; @modules: (out) (nullable): its modules by identity. */
static NsEmbeddedLabels *
read_names (GBytes *bytes, GHashTable **modules)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autoptr (NsEmbeddedLabels) self = g_new0 (NsEmbeddedLabels, 1);
  guint n_names;

  *modules = NULL;
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  /* The text ends at its first NUL; the rest is ignored. */
  self->text = g_try_malloc (size + 1);
  if (self->text == NULL)
    return NULL;
  memcpy (self->text, data, size);
  self->text[size] = '\0';
  n_names = count_names (self->text);
  if (!ns_pages_make_room (self->entries, n_names))
    return NULL;
  *modules = read_lines (self, n_names);
  return g_steal_pointer (&self);
}

/**
 * ns_embedded_labels_count:
 * @bytes: contents of an untrusted file
 *
 * Returns: the number of addresses with names; 0 also if memory is short
 */
guint
ns_embedded_labels_count (GBytes *bytes)
{
  g_autoptr (GHashTable) modules = NULL;
  g_autoptr (NsEmbeddedLabels) self =
      ns_embedded_labels_is_one (bytes) ? read_names (bytes, &modules) : NULL;

  return ns_embedded_labels_get_size (self);
}

/**
 * ns_embedded_labels_new:
 * @trace: a trace
 * @bytes: a label file, as accepted by ns_embedded_labels_is_one()
 *
 * Returns: (transfer full) (nullable): the labels; %NULL if memory is short
 */
NsEmbeddedLabels *
ns_embedded_labels_new (const NsTrace *trace, GBytes *bytes)
{
  g_autoptr (GHashTable) modules = NULL;
  g_autoptr (NsEmbeddedLabels) self = NULL;

  g_return_val_if_fail (ns_embedded_labels_is_one (bytes), NULL);

  self = read_names (bytes, &modules);
  if (self == NULL)
    return NULL;
  /* g_array_sort() is not used: it allocates as much again, and aborts if memory is short. */
  if (self->entries->len > 1)
    qsort (self->entries->data, self->entries->len, sizeof (Entry), compare_entries);
  return find_images (self, trace, modules) ? g_steal_pointer (&self) : NULL;
}

/**
 * ns_embedded_labels_free:
 * @self: (transfer full) (nullable): labels
 */
void
ns_embedded_labels_free (NsEmbeddedLabels *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->entries);
  g_free (self->of_images);
  g_free (self->text);
  g_free (self);
}

/**
 * ns_embedded_labels_get_size:
 * @self: (nullable): labels
 *
 * Returns: the number of addresses with names
 */
guint
ns_embedded_labels_get_size (const NsEmbeddedLabels *self)
{
  return self != NULL ? self->entries->len : 0;
}

/* Finds the first entry of a module, or of a later one. */
static guint
find_module (const GArray *entries, guint32 module)
{
  guint low = 0;
  guint high = entries->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (entries, Entry, middle).module < module)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * ns_embedded_labels_count_image:
 * @trace: a trace
 * @image: row of an image, or 0
 *
 * Returns: the number of addresses of the image with embedded names
 */
guint
ns_embedded_labels_count_image (const NsTrace *trace, NsRow image)
{
  const NsEmbeddedLabels *names = trace->embedded_labels;
  guint32 module;

  if (names == NULL || image == 0 || image > names->n_images)
    return 0;
  module = names->of_images[image - 1];
  return module == 0
             ? 0
             : find_module (names->entries, module + 1) - find_module (names->entries, module);
}

/**
 * ns_trace_find_embedded_label:
 * @self: a trace
 * @image: row of an image, or 0
 * @rva: address relative to the image
 * @is_return: whether it is a return address
 * @name: (out): the label; its texts live as long as the trace
 *
 * May be called from any thread.
 *
 * Returns: whether the trace has an embedded name for that address
 */
gboolean
ns_trace_find_embedded_label (const NsTrace *self,
                              NsRow image,
                              guint64 rva,
                              gboolean is_return,
                              NsEmbeddedLabel *name)
{
  const NsEmbeddedLabels *names = self->embedded_labels;
  const Entry *found;
  Entry wanted = { 0 };

  if (names == NULL || names->entries->len == 0 || image == 0 || image > names->n_images ||
      rva > G_MAXUINT32 || names->of_images[image - 1] == 0)
    return FALSE;
  wanted.module = names->of_images[image - 1];
  wanted.place = rva << 1 | (is_return ? 1 : 0);
  found =
      bsearch (&wanted, names->entries->data, names->entries->len, sizeof (Entry), compare_entries);
  if (found != NULL)
    *name = found->name;
  return found != NULL;
}
