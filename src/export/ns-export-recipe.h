/* Recording profiles: what Windows Performance Recorder has to be told to record providers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ns-error.h"

G_BEGIN_DECLS

/* Providers of a profile; more are refused. */
#define NS_EXPORT_RECIPE_MAX_PROVIDERS 256

/**
 * NsRecipeProvider:
 * @name: its name, or its GUID as text
 * @keywords: which kinds of its events; all bits set: all
 * @level: how detailed, 0 to 255; 5 is everything most providers have
 *
 * One provider to be recorded.
 */
typedef struct
{
  char *name;
  guint64 keywords;
  guint level;
} NsRecipeProvider;

/* What can be recorded: each has some providers, or kernel events. */
typedef enum
{
  NS_RECIPE_HTTP,
  NS_RECIPE_SOCKETS,
  NS_RECIPE_CONNECTIONS,
  NS_RECIPE_NAMES,
  NS_RECIPE_LDAP,
  NS_RECIPE_COUNTERS,
  NS_RECIPE_BROWSERS,
  NS_RECIPE_OFFICE,
  NS_RECIPE_PROCESSOR, /* switches between threads, and samples of what runs */
  NS_RECIPE_N_LAYERS,
} NsRecipeLayer;

#define NS_RECIPE_LAYER(layer) (1u << (layer))

/* What is recorded unless something else is asked for: what the tables need. */
#define NS_RECIPE_DEFAULT_LAYERS                                                                   \
  (NS_RECIPE_LAYER (NS_RECIPE_HTTP) | NS_RECIPE_LAYER (NS_RECIPE_SOCKETS) |                        \
   NS_RECIPE_LAYER (NS_RECIPE_CONNECTIONS) | NS_RECIPE_LAYER (NS_RECIPE_NAMES) |                   \
   NS_RECIPE_LAYER (NS_RECIPE_LDAP) | NS_RECIPE_LAYER (NS_RECIPE_COUNTERS))

typedef enum
{
  NS_RECIPE_WPRP,   /* a profile for Windows Performance Recorder */
  NS_RECIPE_NETSH,  /* command lines */
  NS_RECIPE_LOGMAN, /* command lines */
  NS_RECIPE_N_FORMS,
} NsRecipeForm;

/**
 * NsRecipeOptions:
 * @layers: bits of %NS_RECIPE_LAYER
 * @has_stacks: record a call stack with each event
 * @level: how detailed the providers of the layers are at most; 0: everything but content
 * @has_content: record bodies of requests and answers, too, which may hold passwords and tokens
 * @more: (nullable): more providers, see ns_export_recipe_parse()
 *
 * What is to be recorded.
 */
typedef struct
{
  guint layers;
  gboolean has_stacks;
  guint level;
  gboolean has_content;
  const char *more;
} NsRecipeOptions;

GArray *ns_export_recipe_parse (const char *text, GError **error);
GArray *ns_export_recipe_list (const NsRecipeOptions *options, GError **error);
gboolean ns_export_recipe_parse_layers (const char *text, guint *layers, GError **error);
gboolean ns_export_recipe_parse_form (const char *text, NsRecipeForm *form, GError **error);
gboolean ns_export_recipe_append (const NsRecipeOptions *options,
                                  NsRecipeForm form,
                                  GString *text,
                                  GError **error);

/* ns-export-recipe-forms.c */
void ns_export_recipe_append_commands (const GArray *providers, NsRecipeForm form, GString *text);

G_END_DECLS
