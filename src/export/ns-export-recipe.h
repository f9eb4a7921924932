/* Recording profiles for Windows Performance Recorder.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"

G_BEGIN_DECLS

/* Maximum number of additional providers. */
#define NS_EXPORT_RECIPE_MAX_PROVIDERS 256

/**
 * NsRecipeProvider:
 * @name: its name, or its GUID as text
 * @keywords: event keywords; all bits set: all events
 * @level: event level, 0 to 255; 5 includes all events of most providers
 *
 * A provider to be recorded.
 */
typedef struct
{
  char *name;
  guint64 keywords;
  guint level;
} NsRecipeProvider;

/* Layers that can be recorded, each by some providers or kernel events. */
typedef enum
{
  NS_RECIPE_HTTP,
  NS_RECIPE_SOCKETS,
  NS_RECIPE_CONNECTIONS,
  NS_RECIPE_NAMES,
  NS_RECIPE_LDAP,
  NS_RECIPE_COUNTERS,
  NS_RECIPE_TLS,
  NS_RECIPE_QUIC,
  NS_RECIPE_BROWSERS,
  NS_RECIPE_OFFICE,
  NS_RECIPE_ENVIRONMENT, /* network environment: NCSI, DHCP, WLAN, firewall drops */
  NS_RECIPE_SERVER,      /* HTTP.sys requests */
  NS_RECIPE_FILES,       /* SMB and RPC */
  NS_RECIPE_DOTNET,      /* requests and tasks of .NET programs */
  NS_RECIPE_PROCESSOR,   /* context switches and CPU samples */
  NS_RECIPE_N_LAYERS,
} NsRecipeLayer;

#define NS_RECIPE_LAYER(layer) (1u << (layer))

/* Layers whose events make rows; all layers of a light recording. */
#define NS_RECIPE_LIGHT_LAYERS                                                                     \
  (NS_RECIPE_LAYER (NS_RECIPE_HTTP) | NS_RECIPE_LAYER (NS_RECIPE_SOCKETS) |                        \
   NS_RECIPE_LAYER (NS_RECIPE_CONNECTIONS) | NS_RECIPE_LAYER (NS_RECIPE_NAMES) |                   \
   NS_RECIPE_LAYER (NS_RECIPE_LDAP))

/* Default layers: those that tables and findings need. */
#define NS_RECIPE_DEFAULT_LAYERS                                                                   \
  (NS_RECIPE_LIGHT_LAYERS | NS_RECIPE_LAYER (NS_RECIPE_COUNTERS) |                                 \
   NS_RECIPE_LAYER (NS_RECIPE_TLS) | NS_RECIPE_LAYER (NS_RECIPE_QUIC) |                            \
   NS_RECIPE_LAYER (NS_RECIPE_BROWSERS) | NS_RECIPE_LAYER (NS_RECIPE_OFFICE) |                     \
   NS_RECIPE_LAYER (NS_RECIPE_ENVIRONMENT))

/* Level of detail of a layer. */
typedef enum
{
  NS_RECIPE_DEFAULT, /* all events that the engine or a finding reads */
  NS_RECIPE_LIGHT,   /* events that make rows */
  NS_RECIPE_VERBOSE, /* all events, except those with secrets or content */
  NS_RECIPE_N_DETAILS,
} NsRecipeDetail;

typedef enum
{
  NS_RECIPE_WPRP,    /* a profile for Windows Performance Recorder */
  NS_RECIPE_CLASSIC, /* a profile for Windows 8.1: no filters, no stacks */
  NS_RECIPE_NETSH,   /* `netsh trace` command lines */
  NS_RECIPE_LOGMAN,  /* `logman` command lines */
  NS_RECIPE_PKTMON,  /* `pktmon` command lines, including packets */
  NS_RECIPE_KIT,     /* an archive with everything for recording, see ns_recipe_kit_write() */
  NS_RECIPE_N_FORMS,
} NsRecipeForm;

/* Options that only some formats support. */
typedef enum
{
  NS_RECIPE_CHOICE_STACKS,
  NS_RECIPE_CHOICE_NO_HEADERS,
  NS_RECIPE_CHOICE_DETAIL,
  NS_RECIPE_CHOICE_PROCESSOR,
  NS_RECIPE_CHOICE_CONTENT,
  NS_RECIPE_CHOICE_PACKETS,
  NS_RECIPE_CHOICE_SCENARIO,
} NsRecipeChoice;

/**
 * NsRecipeOptions:
 * @layers: bits of %NS_RECIPE_LAYER
 * @detail: level of detail
 * @has_stacks: whether to record call stacks of events that open or queue something
 * @has_content: whether to record bodies of requests and responses, which may hold passwords and
 *   tokens
 * @has_no_headers: whether to leave out headers of requests and responses
 * @has_clr: whether to record methods compiled by .NET
 * @has_js: whether to record methods compiled by JavaScript engines
 * @packet_bytes: number of bytes recorded per packet; 0: no packets (netsh and pktmon only; pktmon
 *   records 128 then)
 * @scenario: (nullable): an additional netsh scenario
 * @more: (nullable): additional providers, see ns_export_recipe_parse()
 *
 * Options of a recording.
 */
typedef struct
{
  guint layers;
  NsRecipeDetail detail;
  gboolean has_stacks;
  gboolean has_content;
  gboolean has_no_headers;
  gboolean has_clr;
  gboolean has_js;
  guint packet_bytes;
  const char *scenario;
  const char *more;
} NsRecipeOptions;

GArray *ns_export_recipe_parse (const char *text, GError **error);
const char *ns_export_recipe_get_layer_name (NsRecipeLayer layer);
gboolean ns_export_recipe_parse_layers (const char *text, guint *layers, GError **error);
gboolean ns_export_recipe_parse_form (const char *text, NsRecipeForm *form, GError **error);
gboolean ns_export_recipe_parse_detail (const char *text, NsRecipeDetail *detail, GError **error);
gboolean ns_export_recipe_check_scenario (const char *text, GError **error);
const char *ns_export_recipe_get_form_name (NsRecipeForm form);
const char *ns_export_recipe_get_detail_name (NsRecipeDetail detail);
const char *const *ns_export_recipe_get_scenarios (void);
guint ns_export_recipe_get_layers (NsRecipeForm form, NsRecipeDetail detail);
gboolean ns_export_recipe_append (const NsRecipeOptions *options,
                                  NsRecipeForm form,
                                  GString *text,
                                  GError **error);

/* ns-recipe-words.c: texts about profiles. */
gboolean ns_export_recipe_form_has (NsRecipeForm form, NsRecipeChoice choice);
void ns_export_recipe_fit (NsRecipeOptions *options, NsRecipeForm form);
char *ns_export_recipe_dup_lacks (const NsRecipeOptions *options, NsRecipeForm form);
char *ns_export_recipe_dup_command (const NsRecipeOptions *options, NsRecipeForm form);

/* ns-recipe-profile.c: profiles for WPR. */
void ns_recipe_profile_append (const NsRecipeOptions *options,
                               gboolean is_classic,
                               const GArray *more,
                               GString *text);
void
ns_recipe_profile_append_compiler (const NsRecipeOptions *options, const char *name, GString *text);

/* ns-recipe-commands.c: command lines. */
void ns_recipe_commands_append (const NsRecipeOptions *options,
                                NsRecipeForm form,
                                const GArray *more,
                                GString *text);
void ns_recipe_commands_append_kit (const NsRecipeOptions *options, GString *text);

G_END_DECLS
