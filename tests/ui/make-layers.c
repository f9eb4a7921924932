/* Writes a trace of layers above TCP and UDP, one scenario per layer: make-layers FILE [LAYER].
 *
 * Without LAYER it writes all scenarios, one after the other. wfpstate.xml, which names filters, is
 * written beside FILE. Names and addresses are from the ranges reserved for documentation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "layers.h"

#include <string.h>

#define SECOND 1000.0

static const char filters[] =
    "<wfpstate><providers><item><providerKey>{A}</providerKey><displayData>"
    "<name>Windows Defender Firewall</name></displayData></item></providers><filters><item>"
    "<displayData><name>Block backup to the Internet</name></displayData><providerKey>{A}"
    "</providerKey><filterId>70123</filterId></item></filters></wfpstate>";

static void
report_process (Story *story, guint32 pid, const char *image)
{
  g_autofree char *line = g_strdup_printf ("\"C:\\Program Files\\Contoso\\%s\"", image);
  g_autofree char *path =
      g_strdup_printf ("\\Device\\HarddiskVolume3\\Program Files\\Contoso\\%s", image);

  story_process (story, pid, image, line);
  story_image (story, pid, LAYERS_EXE, 0x400000, path);
  story_image (story,
               pid,
               LAYERS_NTDLL,
               0x1f8000,
               "\\Device\\HarddiskVolume3\\Windows\\System32\\ntdll.dll");
}

typedef struct
{
  const char *name;
  void (*tell) (Story *story, double ms);
  /* Processes of the scenario; ends with 0. */
  struct
  {
    guint32 pid;
    const char *image;
  } processes[3];
} Layer;

/* clang-format off */
static const Layer layers[] = {
  { "dotnet", layers_write_dotnet, { { 7100, "shop.exe" }, { 7110, "legacy.exe" } } },
  { "smb", layers_write_smb, { { 7200, "editor.exe" } } },
  { "tls", layers_write_tls, { { 7800, "portal.exe" }, { 600, "lsass.exe" } } },
  { "wfp", layers_write_wfp, { { 7700, "backup.exe" } } },
  { "quic", layers_write_quic, { { 7300, "sync.exe" } } },
  { "rpc", layers_write_rpc, { { 7400, "printui.exe" }, { 7408, "services.exe" } } },
  { "bits", layers_write_bits, { { 7500, "svchost.exe" }, { 7504, "updater.exe" } } },
  { "vpn", layers_write_vpn, { { 7600, "browser.exe" } } },
};
/* clang-format on */

static gboolean
is_wanted (const Layer *layer, const char *name)
{
  return name == NULL || strcmp (name, layer->name) == 0;
}

int
main (int argc, char **argv)
{
  g_autoptr (Story) story = story_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = NULL;
  g_autofree char *names = NULL;
  double ms = 0;
  guint i;
  guint k;

  if (argc != 2 && argc != 3)
    {
      g_printerr ("Usage: make-layers FILE [LAYER]\n");
      return 2;
    }
  story_process (story, 4, "System", "");
  for (i = 0; i < G_N_ELEMENTS (layers); i++)
    for (k = 0; is_wanted (&layers[i], argv[2]) && layers[i].processes[k].pid != 0; k++)
      report_process (story, layers[i].processes[k].pid, layers[i].processes[k].image);
  for (i = 0; i < G_N_ELEMENTS (layers); i++)
    if (is_wanted (&layers[i], argv[2]))
      {
        layers[i].tell (story, ms);
        ms += 5 * SECOND;
      }
  layers_set_process (story, 4, 92);
  story_write (story, MAX (ms, SECOND), STORY_DNS, 65000, "");
  folder = g_path_get_dirname (argv[1]);
  names = g_build_filename (folder, "wfpstate.xml", NULL);
  if (!g_file_set_contents (names, filters, -1, &error) ||
      !ns_etl_writer_finish_to_file (story->writer, argv[1], &error))
    {
      g_printerr ("%s\n", error->message);
      return 1;
    }
  return 0;
}
