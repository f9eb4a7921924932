/* Texts about one event: who decoded its fields, and where its bytes are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/panel/ns-event-words.h"

#include <glib/gi18n.h>
#include <inttypes.h>

static const char *
get_source (const NsEventFacts *facts)
{
  switch (facts->source)
    {
    case NS_SCHEMA_EMBEDDED:
      return facts->is_classic ? _ ("event class (MOF) embedded in this trace")
                               : _ ("manifest embedded in this trace");
    case NS_SCHEMA_TRACELOGGING:
      return _ ("the event itself (TraceLogging)");
    case NS_SCHEMA_EVENTSOURCE:
      return _ ("manifest that the provider wrote into this trace");
    case NS_SCHEMA_USER:
      return facts->is_classic ? _ ("event class (MOF) from your own file")
                               : _ ("manifest from your own file");
    case NS_SCHEMA_BUILTIN:
      return facts->is_classic ? _ ("event class (MOF) built into Netstitch")
                               : _ ("manifest built into Netstitch");
    case NS_SCHEMA_WPP:
      return _ ("nothing: the text of a WPP message is in a TMF file");
    case NS_SCHEMA_NONE:
    default:
      return NULL;
    }
}

/* Describes how much of the payload the decoder used. */
static char *
dup_use (const NsEventFacts *facts)
{
  guint32 n_bytes = facts->n_bytes - facts->payload_at;

  if (facts->is_bad)
    return g_strdup (_ ("contains an invalid length"));
  if (facts->is_short)
    return g_strdup (_ ("truncated before its last field"));
  if (facts->is_cut)
    return g_strdup_printf (_ ("first %u fields"), facts->facts->len);
  if (n_bytes == 0)
    return g_strdup (_ ("no payload"));
  if (facts->n_used == n_bytes)
    return g_strdup_printf (ngettext ("the %u byte used", "all %u bytes used", n_bytes), n_bytes);
  /* Translators: of how many bytes of a payload the meaning is known. */
  return g_strdup_printf (_ ("%u of %u bytes used"), facts->n_used, n_bytes);
}

/**
 * ns_event_words_decoded_by:
 * @facts: facts of an event
 *
 * Returns: (transfer full): who decoded the fields, and how much of the payload they cover
 */
char *
ns_event_words_decoded_by (const NsEventFacts *facts)
{
  const char *source = get_source (facts);
  g_autofree char *use = NULL;

  if (facts->is_packet)
    return g_strdup ("");
  use = dup_use (facts);
  if (source == NULL)
    return g_strdup (_ (
        "Decoded by: nothing. Neither the trace nor Netstitch contains a schema for this event."));
  if (facts->source == NS_SCHEMA_WPP)
    return g_strdup_printf (_ ("Decoded by: %s."), source);
  if (facts->source == NS_SCHEMA_TRACELOGGING)
    /* Translators: what described an event; what was made of its bytes. */
    return g_strdup_printf (_ ("Decoded by: %s · %s."), source, use);
  if (facts->build != 0)
    /* Translators: the build number of Windows; the version of an event; what was made of its
     * bytes. */
    return g_strdup_printf (
        _ ("Decoded by: manifest of Windows build %u built into Netstitch, version %u · %s."),
        facts->build,
        facts->version,
        use);
  /* Translators: what described an event; the version; what was made of its bytes. */
  return g_strdup_printf (_ ("Decoded by: %s, version %u · %s."), source, facts->version, use);
}

/* Appends a text such as `Packet 115 · 571 bytes · all captured`. */
static void
append_packet (const NsEventFacts *facts, GString *text)
{
  /* Translators: the number of a packet. */
  g_string_append_printf (text, _ ("Packet %u"), facts->row + 1);
  if (facts->n_bytes < facts->wire_bytes)
    g_string_append_printf (text,
                            ngettext (" · %u of %u byte captured",
                                      " · %u of %u bytes captured",
                                      facts->wire_bytes),
                            facts->n_bytes,
                            facts->wire_bytes);
  else
    g_string_append_printf (text,
                            ngettext (" · %u byte · all captured",
                                      " · %u bytes · all captured",
                                      facts->n_bytes),
                            facts->n_bytes);
}

/**
 * ns_event_words_bytes:
 * @facts: facts of an event
 * @is_whole: whether the event header is included
 *
 * Returns: (transfer full): number of bytes shown, and their offset in the file
 */
char *
ns_event_words_bytes (const NsEventFacts *facts, gboolean is_whole)
{
  guint32 first = is_whole ? 0 : facts->payload_at;
  guint32 n_bytes = facts->n_bytes - first;
  GString *text = g_string_new (NULL);

  if (facts->is_packet)
    {
      append_packet (facts, text);
      return g_string_free (text, FALSE);
    }
  if (is_whole)
    g_string_append_printf (text,
                            ngettext ("Record · %u byte", "Record · %u bytes", n_bytes),
                            n_bytes);
  else
    g_string_append_printf (text,
                            ngettext ("Payload · %u byte", "Payload · %u bytes", n_bytes),
                            n_bytes);
  if (is_whole)
    /* Translators: the number of the first byte of the payload. */
    g_string_append_printf (text, _ (" · payload at %u"), facts->payload_at);
  if (facts->is_in_file)
    /* Translators: a number of a byte in the file, in hex. */
    g_string_append_printf (text, _ (" · file offset 0x%08" PRIx64), facts->file_offset + first);
  return g_string_free (text, FALSE);
}

/**
 * ns_event_words_chosen:
 * @facts: facts of an event
 * @fact: index of the selected fact, or %NS_EVENT_FACT_NONE
 *
 * Returns: (transfer full): size of the payload and byte range of the field, for the status bar
 */
char *
ns_event_words_chosen (const NsEventFacts *facts, guint fact)
{
  GString *text = g_string_new (NULL);
  const NsEventFact *chosen =
      fact < facts->facts->len ? &g_array_index (facts->facts, NsEventFact, fact) : NULL;
  gboolean is_field = chosen != NULL && chosen->part == NS_EVENT_PART_FIELD;
  guint32 first;

  if (facts->is_packet)
    g_string_append_printf (text, _ ("%u B"), facts->n_bytes);
  else
    g_string_append_printf (text, _ ("%u B payload"), facts->n_bytes - facts->payload_at);
  if (chosen == NULL)
    return g_string_free (text, FALSE);
  first = chosen->offset - (is_field ? facts->payload_at : 0);
  /* Three spaces separate the field from the text before it. */
  if (chosen->size == 0)
    /* Translators: the name of a field. */
    g_string_append_printf (text, _ ("   field %s, no bytes"), chosen->name);
  else if (chosen->size == 1)
    /* Translators: the name of a field, the number of its byte. */
    g_string_append_printf (text, _ ("   field %s, byte %u"), chosen->name, first);
  else
    /* Translators: the name of a field, the numbers of its first and its last byte. */
    g_string_append_printf (text,
                            _ ("   field %s, bytes %u–%u"),
                            chosen->name,
                            first,
                            first + chosen->size - 1);
  if (!is_field)
    g_string_append (text, _ (" of the record"));
  return g_string_free (text, FALSE);
}
