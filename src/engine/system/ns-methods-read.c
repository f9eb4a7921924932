/* Events of .NET and script engines about compiled methods.
 *
 * Layouts: the manifests of Microsoft-Windows-DotNETRuntime and its rundown (ClrEtwAll.man of the
 * runtime) and of Microsoft-JScript; V8 writes the same events under the same provider.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-map.h"
#include "engine/build/ns-builder.h"
#include "engine/catalog/ns-catalog.h"
#include "engine/trace/ns-methods.h"

#include <string.h>

/* Microsoft-Windows-DotNETRuntime and its rundown. */
enum
{
  CLR_METHOD_UNLOAD = 142,
  CLR_METHOD_LOAD_VERBOSE = 143,   /* rundown: existed when the session began */
  CLR_METHOD_UNLOAD_VERBOSE = 144, /* rundown: existed when the session ended */
  CLR_MODULE_LOAD = 152,
  CLR_MODULE_UNLOAD = 153, /* rundown: like the next */
  CLR_RUNDOWN_MODULE = 154,
};

/* Microsoft-JScript. */
enum
{
  SCRIPT_METHOD_RUNDOWN = 5,
  SCRIPT_METHOD_RUNDOWN_END = 6,
  SCRIPT_METHOD_LOAD = 9,
  SCRIPT_METHOD_UNLOAD = 10,
  SCRIPT_SOURCE_LOAD = 41,
};

typedef enum
{
  FACT_RUNDOWN,
  FACT_LOAD,
  FACT_UNLOAD,
  FACT_RUNDOWN_END,
} FactKind;

typedef struct
{
  gint64 time_ns;
  guint32 number; /* in file order, for equal times */
  FactKind kind;
  guint64 origin; /* number of the module or the source */
  NsMethodRow row;
} Fact;

struct _NsMethods
{
  GArray *facts;   /* element-type Fact */
  NsMap *modules;  /* name, by process and number of the module */
  NsMap *sources;  /* address, by process and number of the source */
  GString *buffer; /* scratch buffer for a name */
};

static NsString
read_text (NsBuilder *builder, NsCursor *cursor)
{
  gsize n_bytes;
  const guint8 *text = ns_cursor_wstr (cursor, &n_bytes);

  return n_bytes > 0 ? ns_strings_add_utf16 (builder->trace->strings, text, n_bytes)
                     : NS_STRING_NONE;
}

static void
add_fact (NsBuilder *builder, const NsRecord *record, Fact *fact, guint64 size)
{
  NsMethods *self = builder->methods;

  if (size == 0 || size > G_MAXUINT32 || fact->row.start > G_MAXUINT64 - size ||
      self->facts->len >= NS_METHODS_MAX)
    return;
  fact->time_ns = record->time_ns;
  fact->number = self->facts->len;
  fact->row.size = (guint32) size;
  fact->row.pid = record->pid;
  g_array_append_val (self->facts, *fact);
}

/* Formats namespace, type and method. */
static NsString
join_name (NsBuilder *builder, NsString type, NsString method)
{
  GString *buffer = builder->methods->buffer;

  if (type == NS_STRING_NONE || method == NS_STRING_NONE)
    return method != NS_STRING_NONE ? method : type;
  g_string_assign (buffer, ns_trace_text (builder->trace, type));
  g_string_append_c (buffer, '.');
  g_string_append (buffer, ns_trace_text (builder->trace, method));
  return ns_strings_add_len (builder->trace->strings, buffer->str, buffer->len);
}

static void
read_clr_method (NsBuilder *builder, const NsRecord *record, FactKind kind, gboolean has_name)
{
  Fact fact = { .kind = kind };
  NsCursor cursor;
  guint32 size;

  ns_record_cursor (record, &cursor);
  ns_cursor_skip (&cursor, 8);
  fact.origin = ns_cursor_u64 (&cursor);
  fact.row.start = ns_cursor_u64 (&cursor);
  size = ns_cursor_u32 (&cursor);
  ns_cursor_skip (&cursor, 8);
  if (!ns_cursor_ok (&cursor))
    return;
  if (has_name)
    {
      NsString type = read_text (builder, &cursor);

      fact.row.name = join_name (builder, type, read_text (builder, &cursor));
    }
  add_fact (builder, record, &fact, size);
}

/* Returns the last component of a path with either separator, without the extension of libraries
 * and programs. */
static NsString
get_assembly (NsBuilder *builder, NsString path)
{
  const char *text = ns_trace_text (builder->trace, path);
  const char *slash = strrchr (text, '\\');
  const char *name = slash != NULL ? slash + 1 : text;
  gsize n_name = strlen (name);

  if (n_name > 4 && (g_ascii_strcasecmp (name + n_name - 4, ".dll") == 0 ||
                     g_ascii_strcasecmp (name + n_name - 4, ".exe") == 0))
    n_name -= 4;
  return n_name > 0 ? ns_strings_add_len (builder->trace->strings, name, n_name) : path;
}

static void
read_clr_module (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  guint64 module;
  NsString path;

  ns_record_cursor (record, &cursor);
  module = ns_cursor_u64 (&cursor);
  ns_cursor_skip (&cursor, 16);
  if (!ns_cursor_ok (&cursor))
    return;
  path = read_text (builder, &cursor);
  /* Precompiled code may only have a native image file. */
  if (path == NS_STRING_NONE)
    path = read_text (builder, &cursor);
  if (path != NS_STRING_NONE)
    ns_map_set (builder->methods->modules, record->pid, module, get_assembly (builder, path));
}

static void
read_clr (NsBuilder *builder, const NsRecord *record)
{
  if ((record->flags & NS_RECORD_MANIFEST) == 0)
    return;
  switch (record->id)
    {
    case CLR_METHOD_LOAD_VERBOSE:
      read_clr_method (builder, record, FACT_LOAD, TRUE);
      break;
    case CLR_METHOD_UNLOAD_VERBOSE:
      read_clr_method (builder, record, FACT_UNLOAD, TRUE);
      break;
    case CLR_METHOD_UNLOAD:
      read_clr_method (builder, record, FACT_UNLOAD, FALSE);
      break;
    case CLR_MODULE_LOAD:
    case CLR_MODULE_UNLOAD:
      read_clr_module (builder, record);
      break;
    default:
      break;
    }
}

static void
read_clr_rundown (NsBuilder *builder, const NsRecord *record)
{
  if ((record->flags & NS_RECORD_MANIFEST) == 0)
    return;
  switch (record->id)
    {
    case CLR_METHOD_LOAD_VERBOSE:
      read_clr_method (builder, record, FACT_RUNDOWN, TRUE);
      break;
    case CLR_METHOD_UNLOAD_VERBOSE:
      read_clr_method (builder, record, FACT_RUNDOWN_END, TRUE);
      break;
    case CLR_MODULE_UNLOAD:
    case CLR_RUNDOWN_MODULE:
      read_clr_module (builder, record);
      break;
    default:
      break;
    }
}

static void
read_script_method (NsBuilder *builder, const NsRecord *record, FactKind kind)
{
  Fact fact = { .kind = kind, .row = { .is_script = TRUE } };
  NsCursor cursor;
  guint64 size;

  ns_record_cursor (record, &cursor);
  ns_cursor_skip (&cursor, record->pointer_size);
  fact.row.start = ns_cursor_ptr (&cursor, record->pointer_size);
  size = ns_cursor_u64 (&cursor);
  ns_cursor_skip (&cursor, 4 + 2 + 2);
  fact.origin = ns_cursor_u64 (&cursor);
  fact.row.line = ns_cursor_u32 (&cursor);
  ns_cursor_skip (&cursor, 4);
  if (!ns_cursor_ok (&cursor))
    return;
  fact.row.name = read_text (builder, &cursor);
  if (fact.row.name == NS_STRING_NONE)
    fact.row.name = ns_strings_add (builder->trace->strings, "(anonymous)");
  add_fact (builder, record, &fact, size);
}

static void
read_script_source (NsBuilder *builder, const NsRecord *record)
{
  NsCursor cursor;
  guint64 source;
  NsString address;

  ns_record_cursor (record, &cursor);
  source = ns_cursor_u64 (&cursor);
  ns_cursor_skip (&cursor, record->pointer_size + 4);
  if (!ns_cursor_ok (&cursor))
    return;
  address = read_text (builder, &cursor);
  if (address != NS_STRING_NONE)
    ns_map_set (builder->methods->sources, record->pid, source, address);
}

static void
read_script (NsBuilder *builder, const NsRecord *record)
{
  if ((record->flags & NS_RECORD_MANIFEST) == 0)
    return;
  switch (record->id)
    {
    case SCRIPT_METHOD_RUNDOWN:
      read_script_method (builder, record, FACT_RUNDOWN);
      break;
    case SCRIPT_METHOD_RUNDOWN_END:
      read_script_method (builder, record, FACT_RUNDOWN_END);
      break;
    case SCRIPT_METHOD_LOAD:
      read_script_method (builder, record, FACT_LOAD);
      break;
    case SCRIPT_METHOD_UNLOAD:
      read_script_method (builder, record, FACT_UNLOAD);
      break;
    case SCRIPT_SOURCE_LOAD:
      read_script_source (builder, record);
      break;
    default:
      break;
    }
}

static int
compare_facts (gconstpointer a, gconstpointer b)
{
  const Fact *x = a;
  const Fact *y = b;

  if (x->row.pid != y->row.pid)
    return x->row.pid < y->row.pid ? -1 : 1;
  if (x->row.start != y->row.start)
    return x->row.start < y->row.start ? -1 : 1;
  if (x->time_ns != y->time_ns)
    return x->time_ns < y->time_ns ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Returns the last component of a URL, without its query. */
static NsString
get_file_name (NsBuilder *builder, NsString address)
{
  const char *text = ns_trace_text (builder->trace, address);
  gsize n_text = strcspn (text, "?#");
  gsize begin = n_text;

  while (begin > 0 && text[begin - 1] != '/' && text[begin - 1] != '\\')
    begin--;
  if (begin == n_text)
    return address;
  return ns_strings_add_len (builder->trace->strings, text + begin, n_text - begin);
}

/* Adds a row for a fact, with module and source looked up by their numbers. */
static NsMethodRow *
add_row (NsBuilder *builder, const Fact *fact, gint64 load_ns)
{
  NsTrace *trace = builder->trace;
  const NsMethods *self = builder->methods;
  NsMethodRow row = fact->row;
  NsRow process = ns_trace_find_process (trace, row.pid, fact->time_ns);

  if (row.is_script)
    {
      row.source = ns_map_get (self->sources, row.pid, fact->origin);
      row.module = row.source != NS_STRING_NONE ? get_file_name (builder, row.source) : 0;
    }
  else
    row.module = ns_map_get (self->modules, row.pid, fact->origin);
  row.load_ns = load_ns;
  row.unload_ns = NS_TIME_OPEN;
  if (process != 0)
    {
      const NsProcessRow *owner = NS_ROW_AT (trace->processes, NsProcessRow, process);

      row.load_ns = MAX (row.load_ns, owner->start_ns);
      row.unload_ns = MAX (row.load_ns, owner->end_ns);
    }
  g_array_append_val (trace->methods, row);
  return &g_array_index (trace->methods, NsMethodRow, trace->methods->len - 1);
}

static gboolean
is_same (const NsMethodRow *row, const NsMethodRow *from)
{
  return row->pid == from->pid && row->start == from->start && row->size == from->size &&
         row->is_script == from->is_script &&
         (row->name == from->name || from->name == NS_STRING_NONE);
}

/* Merges a fact into rows; @last is the row of the previous fact if it has the same address. */
static NsMethodRow *
fold (NsBuilder *builder, const Fact *fact, NsMethodRow *last, gboolean *is_open)
{
  gboolean is_known = last != NULL && *is_open && is_same (last, &fact->row);

  switch (fact->kind)
    {
    case FACT_UNLOAD:
      if (!is_known && fact->row.name == NS_STRING_NONE)
        return last;
      if (!is_known)
        last = add_row (builder, fact, NS_TIME_NONE);
      last->unload_ns = fact->time_ns;
      *is_open = FALSE;
      return last;
    case FACT_RUNDOWN:
    case FACT_RUNDOWN_END:
    case FACT_LOAD:
    default:
      if (is_known || fact->row.name == NS_STRING_NONE)
        return last;
      /* New code at the address ends the previous method, even if its unload was not recorded. */
      if (last != NULL && *is_open)
        last->unload_ns = fact->time_ns;
      *is_open = TRUE;
      return add_row (builder, fact, fact->kind == FACT_LOAD ? fact->time_ns : NS_TIME_NONE);
    }
}

static void
scanned (NsBuilder *builder)
{
  GArray *facts = builder->methods->facts;
  NsMethodRow *last = NULL;
  gboolean is_open = FALSE;

  g_array_sort (facts, compare_facts);
  for (guint i = 0; i < facts->len; i++)
    {
      const Fact *fact = &g_array_index (facts, Fact, i);

      if (last != NULL && (last->pid != fact->row.pid || last->start != fact->row.start))
        last = NULL;
      last = fold (builder, fact, last, &is_open);
    }
  ns_methods_index (builder->trace);
  g_array_set_size (facts, 0);
}

static void
start (NsBuilder *builder)
{
  NsMethods *self = g_new0 (NsMethods, 1);

  self->facts = g_array_new (FALSE, FALSE, sizeof (Fact));
  self->modules = ns_map_new ();
  self->sources = ns_map_new ();
  self->buffer = g_string_new (NULL);
  builder->methods = self;
}

static void
stop (NsBuilder *builder)
{
  NsMethods *self = builder->methods;

  g_array_unref (self->facts);
  ns_map_free (self->modules);
  ns_map_free (self->sources);
  g_string_free (self->buffer, TRUE);
  g_clear_pointer (&builder->methods, g_free);
}

/* clang-format off */
static const NsProviderOps ops[] = {
  { NS_GUID_DOTNET_RUNTIME,
    read_clr, NULL },
  { NS_GUID_DOTNET_RUNTIME_RUNDOWN,
    read_clr_rundown, NULL },
  { NS_GUID_JSCRIPT,
    read_script, NULL },
};
/* clang-format on */

static const NsPartTable tables[] = {
  NS_PART_TABLE (methods, NsMethodRow, NULL),
};

const NsPart ns_methods_part = {
  .name = "methods",
  .tables = tables,
  .n_tables = G_N_ELEMENTS (tables),
  .start = start,
  .learned = scanned,
  .stop = stop,
  .ops = ops,
  .n_ops = G_N_ELEMENTS (ops),
};
