/* Chains as JSON and as text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "base/ns-json-writer.h"
#include "base/ns-json.h"
#include "engine/trace/ns-embedded-labels.h"
#include "engine/trace/ns-methods.h"
#include "export/ns-export-cell.h"
#include "export/ns-export-chain.h"

typedef struct
{
  const NsExportChains *chains;
  GString *text;
  NsJsonWriter *json; /* writes to @text; NULL: no JSON */
  gboolean has_any;   /* the cell is not empty */
  gboolean is_open;   /* a stack of the middle column is being written */
} Writer;

typedef struct
{
  const char *module; /* NULL: the address is in no known image */
  guint64 rva;
  NsExportSymbol symbol;
  const NsMethodRow *method; /* (nullable): JIT-compiled method */
  gboolean is_script;
} Place;

static void
describe_method (const NsTrace *trace, guint64 address, Place *place)
{
  const NsMethodRow *method = place->method;

  if (method->module != NS_STRING_NONE)
    place->module = ns_trace_text (trace, method->module);
  place->symbol.symbol = ns_trace_text (trace, method->name);
  place->symbol.offset = address - method->start;
  if (method->source != NS_STRING_NONE)
    place->symbol.file = ns_trace_text (trace, method->source);
  place->symbol.line = method->line;
}

/**
 * ns_export_chains_resolve:
 * @self: settings
 * @image: row of the image that contains the address
 * @rva: address relative to the image
 * @is_return: whether it is a return address
 * @symbol: (out): the symbol; valid until the next call
 *
 * Embedded function names of the trace are used before other symbols.
 *
 * Returns: %TRUE if a symbol was found
 */
gboolean
ns_export_chains_resolve (const NsExportChains *self,
                          NsRow image,
                          guint64 rva,
                          gboolean is_return,
                          NsExportSymbol *symbol)
{
  NsEmbeddedLabel name;

  if (ns_trace_find_embedded_label (self->trace, image, rva, is_return, &name))
    {
      *symbol = (NsExportSymbol){ name.symbol, name.offset, name.file, name.line, name.inlined };
      return TRUE;
    }
  return self->resolve != NULL && self->resolve (image, rva, is_return, symbol, self->resolve_data);
}

static Place
find_place (const NsExportChains *self, const NsChainElement *element, guint64 address)
{
  guint32 pid = ns_stacks_get_pid (self->trace->stacks, element->stack);
  Place place = { 0 };
  NsRow row;
  const NsImageRow *image;
  guint n_frames;
  const guint64 *frames = ns_stacks_get (self->trace->stacks, element->stack, &n_frames);
  /* All frames but the innermost are return addresses. */
  gboolean is_return = n_frames > 0 && address != frames[0];

  place.method =
      ns_methods_find (self->trace, pid, address - (is_return ? 1 : 0), element->time_ns);
  if (place.method != NULL)
    {
      describe_method (self->trace, address, &place);
      return place;
    }
  row = ns_trace_find_image (self->trace, pid, address, element->time_ns);
  if (row == 0)
    {
      place.is_script = ns_methods_is_script (self->trace, pid, address);
      return place;
    }
  image = NS_ROW_AT (self->trace->images, NsImageRow, row);
  if (image->name == NS_STRING_NONE)
    return place;
  place.module = ns_trace_text (self->trace, image->name);
  place.rva = address - image->base;
  if (!ns_export_chains_resolve (self, row, place.rva, is_return, &place.symbol))
    place.symbol = (NsExportSymbol){ 0 };
  return place;
}

static void
append_place (const Place *place, const NsTrace *trace, guint64 address, GString *text)
{
  if (place->method != NULL)
    ns_method_append_text (place->method, trace, address, text);
  else if (place->module == NULL)
    g_string_append_printf (text,
                            "%s0x%" G_GINT64_MODIFIER "x",
                            place->is_script ? "[JS] " : "",
                            address);
  else if (place->symbol.symbol == NULL)
    g_string_append_printf (text, "%s+0x%" G_GINT64_MODIFIER "x", place->module, place->rva);
  else
    g_string_append_printf (text,
                            "%s!%s+0x%" G_GINT64_MODIFIER "x",
                            place->module,
                            place->symbol.symbol,
                            place->symbol.offset);
}

/**
 * ns_export_chain_append_frame:
 * @self: settings
 * @element: element of a chain
 * @address: one of its frames
 * @text: (inout): appended to
 *
 * Appends `module!symbol+0x1f`, else `module+0x12f0`, else `0x7ff8…`; for JIT-compiled code the
 * result of ns_method_append_text().
 */
void
ns_export_chain_append_frame (const NsExportChains *self,
                              const NsChainElement *element,
                              guint64 address,
                              GString *text)
{
  Place place = find_place (self, element, address);

  append_place (&place, self->trace, address, text);
}

static void
add_null (NsJsonWriter *json, const char *key)
{
  ns_json_add_string (json, key, NULL);
}

static void
add_bool (NsJsonWriter *json, const char *key, gboolean value)
{
  ns_json_add_number (json, key, "%s", value ? "true" : "false");
}

static void
add_id (NsJsonWriter *json, const char *key, guint32 id)
{
  if (id == NS_PID_UNKNOWN)
    add_null (json, key);
  else
    ns_json_add_number (json, key, "%u", id);
}

/* Appends a duration; %NS_UNKNOWN becomes null. */
static void
add_span (NsJsonWriter *json, const char *key, gint64 span_ns)
{
  if (span_ns == NS_UNKNOWN)
    add_null (json, key);
  else
    ns_json_add_number (json, key, "%" G_GINT64_FORMAT, span_ns);
}

static void
add_frame_object (const NsExportChains *self,
                  const NsChainElement *element,
                  guint64 address,
                  NsJsonWriter *json)
{
  Place place = find_place (self, element, address);

  ns_json_begin_object (json, NULL);
  ns_json_add_number (json, "address", "\"0x%" G_GINT64_MODIFIER "x\"", address);
  ns_json_add_string (json, "module", place.module);
  if (place.module != NULL && place.method == NULL)
    ns_json_add_number (json, "rva", "\"0x%" G_GINT64_MODIFIER "x\"", place.rva);
  else
    add_null (json, "rva");
  ns_json_add_string (json, "symbol", place.symbol.symbol);
  if (place.symbol.symbol != NULL)
    ns_json_add_number (json, "offset", "%" G_GUINT64_FORMAT, place.symbol.offset);
  else
    add_null (json, "offset");
  ns_json_add_string (json, "file", self->is_redacted ? NULL : place.symbol.file);
  if (place.symbol.line != 0)
    ns_json_add_number (json, "line", "%u", place.symbol.line);
  else
    add_null (json, "line");
  add_bool (json, "kernel", ns_trace_is_kernel_address (self->trace, address));
  ns_json_end_object (json);
}

/* Returns the time from the start of an element's task until it queued the next one;
 * %NS_UNKNOWN: not recorded. */
static gint64
get_running (const NsChainElement *element)
{
  if (!ns_time_is_set (element->start_ns) || !ns_time_is_set (element->create_ns) ||
      element->create_ns < element->start_ns)
    return NS_UNKNOWN;
  return element->create_ns - element->start_ns;
}

static void
add_element (const NsExportChains *self, const NsChainElement *element, NsJsonWriter *json)
{
  guint n_frames;
  const guint64 *frames = ns_stacks_get (self->trace->stacks, element->stack, &n_frames);
  guint i;

  ns_json_begin_object (json, NULL);
  ns_json_add_string (json,
                      "kind",
                      element->kind != NS_TASK_NONE ? ns_task_kind_to_text (element->kind) : NULL);
  ns_json_add_string (json, "subtype", element->subtype);
  ns_json_add_string (json,
                      "label",
                      element->label != NS_STRING_NONE ? ns_trace_text (self->trace, element->label)
                                                       : NULL);
  add_id (json, "tid_enqueue", element->tid_enqueue);
  add_id (json, "tid_run", element->tid_run);
  add_span (json, "queued_ns", element->queued_ns);
  ns_json_add_number (json, "omitted", "%u", element->omitted);
  add_bool (json, "truncated", element->truncated);
  add_span (json, "running_ns", get_running (element));
  ns_json_add_string (json, "missing", ns_stack_missing_to_text (element->missing));
  ns_json_add_number (json, "hidden", "%u", element->n_hidden_leaf);
  ns_json_begin_array (json, "frames");
  for (i = n_frames; i > 0; i--)
    add_frame_object (self, element, frames[i - 1], json);
  ns_json_end_array (json);
  ns_json_end_object (json);
}

static void
write_row_cb (const NsChainRow *row, gpointer user_data)
{
  Writer *self = user_data;
  gsize begin;

  if (row->kind == NS_CHAIN_ROW_NOTE)
    return;
  if (row->kind == NS_CHAIN_ROW_THREAD_SWITCH)
    {
      ns_json_begin_object (self->json, NULL);
      ns_json_add_string (self->json, "seam", row->text);
      ns_json_end_object (self->json);
      return;
    }
  ns_json_begin_value (self->json, NULL);
  begin = self->text->len;
  ns_export_chain_append_frame (self->chains, row->element, row->address, self->text);
  ns_json_quote_tail (self->text, begin);
}

/* Writes a row of the middle column: each stack is an array, and a thread switch begins a new
 * one. */
static void
write_middle_cb (const NsChainRow *row, gpointer user_data)
{
  Writer *self = user_data;

  if (row->kind != NS_CHAIN_ROW_THREAD_SWITCH)
    {
      write_row_cb (row, user_data);
      return;
    }
  if (self->is_open)
    ns_json_end_array (self->json);
  ns_json_begin_array (self->json, NULL);
  self->is_open = TRUE;
}

static void
add_column (const NsExportChains *self,
            const NsChain *chain,
            NsChainColumn column,
            const char *key,
            NsJsonWriter *json)
{
  Writer writer = { .chains = self, .text = json->text, .json = json };
  gboolean is_single = chain->elements->len == 1;
  gboolean is_once = is_single && !(chain->view & NS_CHAIN_VIEW_SINGLE_TWICE);

  /* A single stack is only in the last column. */
  if (!ns_chain_has_stack (chain) || (is_once && column == NS_CHAIN_FIRST) ||
      (is_single && column == NS_CHAIN_MIDDLE))
    {
      add_null (json, key);
      return;
    }
  ns_json_begin_array (json, key);
  ns_chain_walk (chain,
                 self->trace,
                 column,
                 column == NS_CHAIN_MIDDLE ? write_middle_cb : write_row_cb,
                 &writer);
  if (writer.is_open)
    ns_json_end_array (json);
  ns_json_end_array (json);
}

/**
 * ns_export_chain_append_json:
 * @self: settings
 * @activity: row of the master table
 * @text: (inout): appended to
 *
 * Appends an object with the four columns and the elements that they consist of.
 */
void
ns_export_chain_append_json (const NsExportChains *self, NsRow activity, GString *text)
{
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (self->trace, activity);
  NsJsonWriter json = { .text = text };
  guint i;

  if (chain == NULL)
    return;
  ns_json_begin_object (&json, NULL);
  ns_json_add_number (&json, "id", "%u", activity);
  add_column (self, chain, NS_CHAIN_FIRST, "first", &json);
  add_column (self, chain, NS_CHAIN_MIDDLE, "middle", &json);
  add_column (self, chain, NS_CHAIN_LAST, "last", &json);
  add_column (self, chain, NS_CHAIN_FULL, "full", &json);
  ns_json_begin_array (&json, "elements");
  for (i = 0; i < chain->elements->len; i++)
    add_element (self, &g_array_index (chain->elements, NsChainElement, i), &json);
  ns_json_end_array (&json);
  ns_json_end_object (&json);
}

static void
write_line_cb (const NsChainRow *row, gpointer user_data)
{
  Writer *self = user_data;
  g_autoptr (GString) frame = g_string_new (NULL);

  g_string_append (self->text, row->kind == NS_CHAIN_ROW_FRAME ? "    " : "  ");
  if (row->kind == NS_CHAIN_ROW_FRAME)
    ns_export_chain_append_frame (self->chains, row->element, row->address, frame);
  ns_export_cell_append_plain (self->text,
                               row->kind == NS_CHAIN_ROW_FRAME ? frame->str : row->text);
  g_string_append_c (self->text, '\n');
}

/**
 * ns_export_chain_append_text:
 * @self: settings
 * @activity: row of the master table
 * @text: (inout): appended to
 *
 * Appends the row number and its full chain, one frame per line, outermost first.
 */
void
ns_export_chain_append_text (const NsExportChains *self, NsRow activity, GString *text)
{
  g_autoptr (NsChain) chain = ns_chain_new_for_activity (self->trace, activity);
  Writer writer = { .chains = self, .text = text };
  const NsChainElement *last;

  if (chain == NULL)
    return;
  g_string_append_printf (text, "%u\n", activity);
  last = &g_array_index (chain->elements, NsChainElement, chain->elements->len - 1);
  if (!ns_chain_has_stack (chain))
    g_string_append_printf (text, "  no stack: %s\n", ns_stack_missing_to_text (last->missing));
  ns_chain_walk (chain, self->trace, NS_CHAIN_FULL, write_line_cb, &writer);
}

static void
write_cell_cb (const NsChainRow *row, gpointer user_data)
{
  Writer *self = user_data;

  if (self->has_any)
    g_string_append (self->text, NS_EXPORT_CHAIN_SEPARATOR);
  self->has_any = TRUE;
  if (row->kind == NS_CHAIN_ROW_FRAME)
    ns_export_chain_append_frame (self->chains, row->element, row->address, self->text);
  else
    /* Titles of thread switches already begin with the frame separator. */
    g_string_append (self->text, row->text + (g_str_has_prefix (row->text, "> ") ? 2 : 0));
}

/**
 * ns_export_chain_append_cell:
 * @self: settings
 * @chain: a chain
 * @column: the column
 * @text: (inout): appended to
 *
 * Appends the column on one line.
 */
void
ns_export_chain_append_cell (const NsExportChains *self,
                             const NsChain *chain,
                             NsChainColumn column,
                             GString *text)
{
  Writer writer = { .chains = self, .text = text };

  ns_chain_walk (chain, self->trace, column, write_cell_cb, &writer);
}
