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

GArray *ns_export_recipe_parse (const char *text, GError **error);
GArray *ns_export_recipe_new_default (void);
void ns_export_recipe_append (const GArray *providers, GString *text);

G_END_DECLS
