/* Input widgets of the recipe window: a question, the layers to record, and options.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "ui/ns-accessible.h"
#include "ui/ns-number-entry.h"
#include "ui/sheets/ns-recipe-choices.h"

#include <glib/gi18n.h>

#define PACKETS "packets"
#define PACKET_BYTES 128
#define MAX_PACKET_BYTES 65535

struct _NsRecipeChoices
{
  GtkWidget parent_instance;

  GtkWidget *missing;
  GtkWidget *question;
  GtkWidget *layers[NS_RECIPE_N_LAYERS];
  GtkWidget *stacks;
  GtkWidget *headers;
  GtkWidget *clr;
  GtkWidget *js;
  GtkWidget *content;
  GtkWidget *detail;
  GtkWidget *packets;
  GtkWidget *scenario;
  GtkWidget *more;
};

G_DEFINE_FINAL_TYPE (NsRecipeChoices, ns_recipe_choices, GTK_TYPE_WIDGET)

enum
{
  SIGNAL_CHANGED,
  SIGNAL_ASKED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static const struct
{
  const char *label;
  const char *tooltip;
} layer_words[NS_RECIPE_N_LAYERS] = {
  [NS_RECIPE_HTTP] = { N_ ("_Requests"), N_ ("WinHTTP, WebIO, WinINet and BITS") },
  [NS_RECIPE_SOCKETS] = { N_ ("_Sockets"), N_ ("Sockets and their processes: Winsock") },
  [NS_RECIPE_CONNECTIONS] = { N_ ("_Connections"), N_ ("TCP and UDP in detail: TCPIP") },
  [NS_RECIPE_NAMES] = { N_ ("_Names"), N_ ("Names queried and the DNS servers used") },
  [NS_RECIPE_LDAP] = { N_ ("_LDAP"), N_ ("Directory searches") },
  [NS_RECIPE_COUNTERS] = { N_ ("Kernel _byte counts"),
                           N_ ("Bytes counted by the kernel: low overhead") },
  [NS_RECIPE_TLS] = { N_ ("_TLS"),
                      N_ ("Handshakes, versions and alerts: Schannel; certificate checks: CAPI2") },
  [NS_RECIPE_QUIC] = { N_ ("_QUIC"), N_ ("HTTP/3 connections: MsQuic") },
  [NS_RECIPE_BROWSERS] = { N_ ("Bro_wsers"), N_ ("The network log of Chrome and Edge") },
  [NS_RECIPE_OFFICE] = { N_ ("_Office queues"),
                         N_ ("Origin of queued work in Office applications") },
  [NS_RECIPE_ENVIRONMENT] = { N_ ("_Environment"),
                              N_ ("Connectivity of the machine: DHCP, Wi-Fi, dropped packets") },
  [NS_RECIPE_SERVER] = { N_ ("Ser_ver"), N_ ("Requests served by this machine: HTTP.sys") },
  [NS_RECIPE_FILES] = { N_ ("S_hared files"),
                        N_ ("Operations on shared files: SMB; remote procedure calls: RPC") },
  [NS_RECIPE_DOTNET] = { N_ (".NE_T programs"),
                         N_ ("Requests of HttpClient and WebRequest; .NET tasks and thread pool") },
  [NS_RECIPE_PROCESSOR] = { N_ ("_Processor"),
                            N_ ("Running and waiting times of threads: large traces") },
};

/* Questions of the user, and the layers and the form of recipe that answer them. */
static const struct
{
  const char *words;
  guint layers;
  NsRecipeForm form;
} questions[] = {
  { N_ ("The usual layers"), NS_RECIPE_DEFAULT_LAYERS, NS_RECIPE_WPRP },
  { N_ ("Why is a request slow?"),
    NS_RECIPE_LAYER (NS_RECIPE_HTTP) | NS_RECIPE_LAYER (NS_RECIPE_SOCKETS) |
        NS_RECIPE_LAYER (NS_RECIPE_CONNECTIONS) | NS_RECIPE_LAYER (NS_RECIPE_NAMES) |
        NS_RECIPE_LAYER (NS_RECIPE_TLS) | NS_RECIPE_LAYER (NS_RECIPE_QUIC),
    NS_RECIPE_WPRP },
  { N_ ("Why does a connection fail?"),
    NS_RECIPE_LAYER (NS_RECIPE_SOCKETS) | NS_RECIPE_LAYER (NS_RECIPE_CONNECTIONS) |
        NS_RECIPE_LAYER (NS_RECIPE_NAMES) | NS_RECIPE_LAYER (NS_RECIPE_TLS) |
        NS_RECIPE_LAYER (NS_RECIPE_ENVIRONMENT),
    NS_RECIPE_WPRP },
  { N_ ("Why is a name not found?"),
    NS_RECIPE_LAYER (NS_RECIPE_NAMES) | NS_RECIPE_LAYER (NS_RECIPE_ENVIRONMENT),
    NS_RECIPE_WPRP },
  { N_ ("Which code sends this?"),
    NS_RECIPE_LAYER (NS_RECIPE_HTTP) | NS_RECIPE_LAYER (NS_RECIPE_SOCKETS) |
        NS_RECIPE_LAYER (NS_RECIPE_CONNECTIONS) | NS_RECIPE_LAYER (NS_RECIPE_NAMES) |
        NS_RECIPE_LAYER (NS_RECIPE_LDAP) | NS_RECIPE_LAYER (NS_RECIPE_OFFICE),
    NS_RECIPE_WPRP },
  { N_ ("What do the packets contain?"),
    NS_RECIPE_LAYER (NS_RECIPE_CONNECTIONS) | NS_RECIPE_LAYER (NS_RECIPE_NAMES),
    NS_RECIPE_PKTMON },
};

#define PACKETS_QUESTION (G_N_ELEMENTS (questions) - 1)

static gboolean
is_ticked (GtkWidget *check)
{
  return gtk_check_button_get_active (GTK_CHECK_BUTTON (check));
}

/**
 * ns_recipe_choices_get_options:
 * @self: choices
 * @options: (out caller-allocates): the chosen options, including those that the form does not
 *   support; its strings are valid until the next change
 */
void
ns_recipe_choices_get_options (NsRecipeChoices *self, NsRecipeOptions *options)
{
  guint detail = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->detail));
  guint scenario = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->scenario));
  guint i;

  *options = (NsRecipeOptions){ 0 };
  for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
    if (is_ticked (self->layers[i]))
      options->layers |= NS_RECIPE_LAYER (i);
  options->has_stacks = is_ticked (self->stacks);
  options->has_no_headers = !is_ticked (self->headers);
  options->has_clr = is_ticked (self->clr);
  options->has_js = is_ticked (self->js);
  options->has_content = is_ticked (self->content);
  options->packet_bytes =
      (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->packets));
  /* The first entry is "None". */
  if (scenario != GTK_INVALID_LIST_POSITION && scenario > 0)
    options->scenario = ns_export_recipe_get_scenarios ()[scenario - 1];
  options->detail = detail < NS_RECIPE_N_DETAILS ? (NsRecipeDetail) detail : NS_RECIPE_DEFAULT;
  options->more = gtk_editable_get_text (GTK_EDITABLE (self->more));
}

/**
 * ns_recipe_choices_set_form:
 * @self: choices
 * @form: the form of the recipe
 *
 * Disables the choices that the form does not support.
 */
void
ns_recipe_choices_set_form (NsRecipeChoices *self, NsRecipeForm form)
{
  const struct
  {
    GtkWidget *widget;
    NsRecipeChoice choice;
  } widgets[] = {
    { self->stacks, NS_RECIPE_CHOICE_STACKS },
    { self->headers, NS_RECIPE_CHOICE_NO_HEADERS },
    { self->detail, NS_RECIPE_CHOICE_DETAIL },
    { self->layers[NS_RECIPE_PROCESSOR], NS_RECIPE_CHOICE_PROCESSOR },
    { self->content, NS_RECIPE_CHOICE_CONTENT },
    { self->packets, NS_RECIPE_CHOICE_PACKETS },
    { self->scenario, NS_RECIPE_CHOICE_SCENARIO },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (widgets); i++)
    gtk_widget_set_sensitive (widgets[i].widget,
                              ns_export_recipe_form_has (form, widgets[i].choice));
}

static void
changed_cb (NsRecipeChoices *self)
{
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
question_cb (NsRecipeChoices *self)
{
  guint chosen = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->question));
  guint i;

  if (chosen >= G_N_ELEMENTS (questions))
    return;
  for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
    gtk_check_button_set_active (GTK_CHECK_BUTTON (self->layers[i]),
                                 (questions[chosen].layers & NS_RECIPE_LAYER (i)) != 0);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->stacks), TRUE);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->packets),
                             chosen == PACKETS_QUESTION ? PACKET_BYTES : 0);
  g_signal_emit (self, signals[SIGNAL_ASKED], 0, (guint) questions[chosen].form);
}

/* Returns a label without its mnemonic underscore. */
static char *
dup_plain (const char *label)
{
  g_auto (GStrv) parts = g_strsplit (label, "_", 2);

  return g_strjoinv (NULL, parts);
}

/**
 * ns_recipe_choices_add_missing:
 * @self: choices
 * @missing: comma-separated names of layers, see ns_export_recipe_parse_layers(), or `packets`;
 *   unknown names are ignored
 *
 * Selects the layers that a trace lacks, and lists them in a label.
 */
void
ns_recipe_choices_add_missing (NsRecipeChoices *self, const char *missing)
{
  g_auto (GStrv) names = g_strsplit (missing, ",", -1);
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *text = NULL;
  guint i;

  if (g_strv_contains ((const char *const *) names, PACKETS))
    {
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->question), PACKETS_QUESTION);
      g_string_append (list, _ ("Packets"));
    }
  for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
    {
      g_autofree char *label = dup_plain (_ (layer_words[i].label));

      if (!g_strv_contains ((const char *const *) names,
                            ns_export_recipe_get_layer_name ((NsRecipeLayer) i)))
        continue;
      gtk_check_button_set_active (GTK_CHECK_BUTTON (self->layers[i]), TRUE);
      g_string_append_printf (list, "%s%s", list->len > 0 ? ", " : "", label);
    }
  /* Translators: a list of what is to be recorded. */
  text = g_strdup_printf (_ ("Records what the trace lacks: %s."), list->str);
  gtk_label_set_text (GTK_LABEL (self->missing), text);
  gtk_widget_set_visible (self->missing, list->len > 0);
}

static GtkWidget *
paragraph_new (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 32);
  gtk_widget_add_css_class (label, style);
  return label;
}

static GtkWidget *
check_new (NsRecipeChoices *self, const char *label, const char *tooltip, gboolean is_on)
{
  GtkWidget *check = ns_accessible_check_button_new (label);

  gtk_widget_set_tooltip_text (check, tooltip);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), is_on);
  gtk_widget_set_parent (check, GTK_WIDGET (self));
  return check;
}

/* Adds a widget below its label. */
static void
add_named (NsRecipeChoices *self, const char *text, GtkWidget *widget)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);

  gtk_label_set_mnemonic_widget (GTK_LABEL (label), widget);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_parent (label, GTK_WIDGET (self));
  gtk_widget_set_parent (widget, GTK_WIDGET (self));
}

static GtkWidget *
scenario_new (void)
{
  const char *const *scenarios = ns_export_recipe_get_scenarios ();
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  g_ptr_array_add (words, (gpointer) N_ ("None"));
  for (; *scenarios != NULL; scenarios++)
    g_ptr_array_add (words, (gpointer) *scenarios);
  g_ptr_array_add (words, NULL);
  return ns_accessible_drop_down_new ((const char *const *) words->pdata, _ ("Scenario of netsh"));
}

static void
add_question (NsRecipeChoices *self)
{
  const char *words[G_N_ELEMENTS (questions) + 1] = { NULL };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (questions); i++)
    words[i] = questions[i].words;
  self->question = ns_accessible_drop_down_new (words, _ ("Question"));
  self->missing = paragraph_new (NULL, "warning-text");
  gtk_widget_set_visible (self->missing, FALSE);
  gtk_widget_set_parent (paragraph_new (_ ("What do you want to know?"), "section-title"),
                         GTK_WIDGET (self));
  gtk_widget_set_parent (self->question, GTK_WIDGET (self));
  gtk_widget_set_parent (self->missing, GTK_WIDGET (self));
}

static void
add_layers (NsRecipeChoices *self)
{
  guint i;

  gtk_widget_set_parent (paragraph_new (_ ("What to record"), "section-title"), GTK_WIDGET (self));
  for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
    self->layers[i] = check_new (self,
                                 _ (layer_words[i].label),
                                 _ (layer_words[i].tooltip),
                                 (NS_RECIPE_DEFAULT_LAYERS & NS_RECIPE_LAYER (i)) != 0);
}

static void
add_options (NsRecipeChoices *self)
{
  static const char *const details[] = { N_ ("Default: all that rows and findings need"),
                                         N_ ("Light: only what rows need"),
                                         N_ ("Verbose: everything except secrets"),
                                         NULL };

  gtk_widget_set_parent (paragraph_new (_ ("Options"), "section-title"), GTK_WIDGET (self));
  self->detail = ns_accessible_drop_down_new (details, _ ("Detail"));
  gtk_widget_set_parent (self->detail, GTK_WIDGET (self));
  self->stacks =
      check_new (self, _ ("Call stac_ks"), _ ("Code that caused it: larger traces"), TRUE);
  self->headers = check_new (
      self,
      _ ("Headers o_f requests"),
      _ ("They may contain cookies and sign-in tokens; the status is also recorded without them"),
      TRUE);
  self->clr = check_new (self,
                         _ ("Names of .NET f_unctions"),
                         _ ("Code that .NET compiled, for call stacks"),
                         FALSE);
  self->js = check_new (self,
                        _ ("Names of _JavaScript functions"),
                        _ ("Code that script engines compiled, for call stacks"),
                        FALSE);
  self->content = check_new (self,
                             _ ("Bo_dies of requests and responses"),
                             _ ("Only if needed: they may contain sensitive data"),
                             FALSE);
  self->packets = ns_number_entry_new (0, MAX_PACKET_BYTES, PACKET_BYTES);
  gtk_widget_set_tooltip_text (self->packets,
                               _ ("netsh and pktmon only; 0: no packets, pktmon: 128"));
  add_named (self, _ ("Packet si_ze in bytes"), self->packets);
  self->scenario = scenario_new ();
  /* A label without a mnemonic widget, since the drop-down has an accessible name of its own. */
  gtk_widget_set_parent (paragraph_new (_ ("Scenario of netsh"), "dim"), GTK_WIDGET (self));
  gtk_widget_set_parent (self->scenario, GTK_WIDGET (self));
  self->more = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->more), "My-Provider:0x10:5");
  gtk_widget_set_tooltip_text (
      self->more,
      _ ("Name or GUID, keywords and level; separate several with commas"));
  add_named (self, _ ("_More providers"), self->more);
}

static void
connect_all (NsRecipeChoices *self)
{
  GtkWidget *checks[] = { self->stacks, self->headers, self->clr, self->js, self->content };
  guint i;

  for (i = 0; i < NS_RECIPE_N_LAYERS; i++)
    g_signal_connect_swapped (self->layers[i], "toggled", G_CALLBACK (changed_cb), self);
  for (i = 0; i < G_N_ELEMENTS (checks); i++)
    g_signal_connect_swapped (checks[i], "toggled", G_CALLBACK (changed_cb), self);
  g_signal_connect_swapped (self->question, "notify::selected", G_CALLBACK (question_cb), self);
  g_signal_connect_swapped (self->detail, "notify::selected", G_CALLBACK (changed_cb), self);
  g_signal_connect_swapped (self->scenario, "notify::selected", G_CALLBACK (changed_cb), self);
  g_signal_connect_swapped (self->packets, "value-changed", G_CALLBACK (changed_cb), self);
  g_signal_connect_swapped (self->more, "changed", G_CALLBACK (changed_cb), self);
}

static void
ns_recipe_choices_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (ns_recipe_choices_parent_class)->dispose (object);
}

static void
ns_recipe_choices_class_init (NsRecipeChoicesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ns_recipe_choices_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);

  /**
   * NsRecipeChoices::changed:
   *
   * Emitted when a choice changes.
   */
  signals[SIGNAL_CHANGED] = g_signal_new ("changed",
                                          G_TYPE_FROM_CLASS (klass),
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          0);

  /**
   * NsRecipeChoices::asked:
   * @form: the #NsRecipeForm that answers it
   *
   * Emitted when a question is chosen.
   */
  signals[SIGNAL_ASKED] = g_signal_new ("asked",
                                        G_TYPE_FROM_CLASS (klass),
                                        G_SIGNAL_RUN_LAST,
                                        0,
                                        NULL,
                                        NULL,
                                        NULL,
                                        G_TYPE_NONE,
                                        1,
                                        G_TYPE_UINT);
}

static void
ns_recipe_choices_init (NsRecipeChoices *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 6);
  add_question (self);
  add_layers (self);
  add_options (self);
  connect_all (self);
}

/**
 * ns_recipe_choices_new:
 *
 * Returns: (transfer floating): choices with the default layers selected
 */
GtkWidget *
ns_recipe_choices_new (void)
{
  return g_object_new (NS_TYPE_RECIPE_CHOICES, NULL);
}
